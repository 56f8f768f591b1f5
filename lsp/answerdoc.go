package lsp

import (
	"context"
	"path"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// showWithin is how long the end of a turn waits for the client to open the answer.
const showWithin = 2 * time.Second

// showAnswer opens the answer of a turn as a markdown document. A client that announced
// coauthor/stream has shown it while it came. It returns what to tell the user where no document
// could be opened.
func (s *server) showAnswer(ctx context.Context, v *turnView, answer string) string {
	if s.caps.Stream {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, showWithin)
	defer cancel()
	return s.showMarkdown(ctx, v.root, s.answerName(v.root, v.turn()), review.AnswerDocument(v.request.Instruction, answer))
}

// showMarkdown opens a document that the user only reads: a virtual one where the client has them,
// else a file below .coauthor. It takes no focus, since the user may be typing. Where nothing could
// be opened it returns where the text is, or the text itself.
func (s *server) showMarkdown(ctx context.Context, r *rootState, name, text string) string {
	var uri, place string
	if s.client.CanShowVirtual() {
		uri = review.VirtualURI(name)
		place = uri
		if s.answers.Put(uri, text) {
			s.client.RefreshContent(ctx, uri)
		}
	} else {
		abs, err := r.ws.StateDocument(name, text)
		if err != nil { // there is no folder to write to
			s.log.Info("document not written", "err", err)
			return strings.TrimSpace(text)
		}
		uri, place = document.URIOfPath(abs), abs
		if strings.HasPrefix(name, review.AnswerPrefix) {
			s.pruneAnswers(r)
		}
	}
	shown, err := s.client.ShowDocument(ctx, uri, false, nil)
	if shown {
		return ""
	}
	s.log.Info("document not opened by the client", "uri", uri, "err", err)
	return "look at " + place
}

// pruneAnswers removes the oldest answers from the folder .coauthor, but for those that are open.
func (s *server) pruneAnswers(r *rootState) {
	err := r.ws.PruneDocuments(review.AnswerPrefix, review.KeptAnswerFiles, func(path string) bool {
		_, open := s.document(r, path)
		return open
	})
	if err != nil {
		s.log.Info("old answers not removed", "err", err)
	}
}

type contentParams struct {
	URI string `json:"uri"`
}

// textDocumentContent gives the text of a virtual document.
func (s *server) textDocumentContent(ctx context.Context, p *contentParams, _ struct{}) (any, error) {
	if text, ok := s.answers.Get(p.URI); ok {
		return &protocol.TextDocumentContentResult{Text: text}, nil
	}
	text, _ := s.content(ctx, p.URI) // one that is gone is empty: the client has it open
	return &protocol.TextDocumentContentResult{Text: text}, nil
}

// answerName is the name of the document with the answer of a turn.
func (s *server) answerName(r *rootState, turn string) string {
	return s.names.Of(review.Key[*rootState]{Root: r, Turn: turn}, s.freeName(r), review.AnswerPrefix, s.opts.Clock(), "", ".md")
}

func (s *server) freeName(r *rootState) func(string) bool {
	return func(name string) bool { return !r.ws.Door().OnDisk(path.Join(review.OwnFolder, name)) }
}
