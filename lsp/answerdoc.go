package lsp

import (
	"context"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/lsp/document"
)

// answers are the texts of the answers that are shown as virtual documents, by their URIs. Only the
// newest are kept.
type answers struct {
	mu    sync.Mutex
	order []string          // guarded by mu
	text  map[string]string // guarded by mu
	size  int               // guarded by mu; bytes of all texts
}

// What is kept of answers: virtual documents in memory, files below .coauthor on disk.
const (
	keptAnswers     = 50
	keptAnswerBytes = 16 << 20
	keptAnswerFiles = 20
)

// put says whether there was another text by that name.
func (a *answers) put(uri, text string) (replaced bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.text == nil {
		a.text = map[string]string{}
	}
	before, known := a.text[uri]
	if !known {
		a.order = append(a.order, uri)
	}
	a.size += len(text) - len(before)
	a.text[uri] = text
	for len(a.order) > 1 && (len(a.order) > keptAnswers || a.size > keptAnswerBytes) {
		a.size -= len(a.text[a.order[0]])
		delete(a.text, a.order[0])
		a.order = a.order[1:]
	}
	return known && before != text
}

func (a *answers) get(uri string) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, ok := a.text[uri]
	return text, ok
}

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
	return s.showMarkdown(ctx, v.root, s.answerName(v.root, v.turn()), answerText(v.request.Instruction, answer))
}

// showMarkdown opens a document that the user only reads: a virtual one where the client has them,
// else a file below .coauthor. It takes no focus, since the user may be typing. Where nothing could
// be opened it returns where the text is, or the text itself.
func (s *server) showMarkdown(ctx context.Context, r *rootState, name, text string) string {
	var uri, place string
	if s.client.CanShowVirtual() {
		uri = virtualURI(name)
		place = uri
		if s.answers.put(uri, text) {
			s.client.RefreshContent(ctx, uri)
		}
	} else {
		abs, err := r.ws.StateDocument(name, text)
		if err != nil { // there is no folder to write to
			s.log.Info("document not written", "err", err)
			return strings.TrimSpace(text)
		}
		uri, place = document.URIOfPath(abs), abs
		if strings.HasPrefix(name, answerPrefix) {
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

// answerPrefix begins the names of documents that hold answers.
const answerPrefix = "answer-"

// pruneAnswers removes the oldest answers from the folder .coauthor, but for those that are open.
func (s *server) pruneAnswers(r *rootState) {
	err := r.ws.PruneDocuments(answerPrefix, keptAnswerFiles, func(path string) bool {
		_, open := s.document(r, path)
		return open
	})
	if err != nil {
		s.log.Info("old answers not removed", "err", err)
	}
}

// answerText is the document: the question as a quote and the answer. Model text is data, so the
// links of it that would run a command or load an image from elsewhere are taken apart.
func answerText(question, answer string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(question)) {
		b.WriteString("> " + harmless(display.Line(line)) + "\n")
	}
	b.WriteString("\n")
	b.WriteString(harmless(strings.TrimSpace(answer)))
	b.WriteString("\n")
	return b.String()
}

type contentParams struct {
	URI string `json:"uri"`
}

// textDocumentContent gives the text of a virtual document.
func (s *server) textDocumentContent(ctx context.Context, p *contentParams, _ struct{}) (any, error) {
	if text, ok := s.answers.get(p.URI); ok {
		return &protocol.TextDocumentContentResult{Text: text}, nil
	}
	text, _ := s.content(ctx, p.URI) // one that is gone is empty: the client has it open
	return &protocol.TextDocumentContentResult{Text: text}, nil
}
