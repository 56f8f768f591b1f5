package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// promptDocument is a document that was made for the user to write in, and is still to be opened.
type promptDocument struct {
	uri, abs string
	line     int // on which the user begins
}

// openPrompt makes a prompt document for a target.
func (s *server) openPrompt(r *rootState, t target, kind string) (doc promptDocument, err error) {
	if r.dir == "" {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "a prompt document needs a workspace folder: open a folder or a saved file first")
	}
	head := review.PromptHead{Coder: kind}
	hint := review.PromptHint(s.opts.Coders.Names())
	switch kind {
	case kindEdit, "":
		head.Coder = coder.Default
	case kindFollowUp:
		head.Coder = ""
		head.FollowUp = s.turnToFollow(r)
		if head.FollowUp == "" {
			return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "there is no turn to go on with")
		}
	}
	if t.path != "" && t.root == r && !review.IsPrompt(t.path) && head.FollowUp == "" {
		head.File, head.Version = t.path, t.version
		if !t.whole() && t.snapshot != nil {
			text, err := t.snapshot.Read(t.path)
			if err != nil {
				return doc, fmt.Errorf("read %s: %w", t.path, err)
			}
			return s.makePrompt(r, review.OriginOf(head, text, t.start, t.end), hint)
		}
	}
	return s.makePrompt(r, review.Origin{Head: head}, hint)
}

// The kinds of prompt documents: for a change, for what follows a turn, and for the answer to a question
// of a turn; the other kinds are the names of coders.
const (
	kindEdit     = "edit"
	kindFollowUp = "followUp"
	kindAnswer   = "answer"
)

// answerDocument makes a document for the answer to a question; "" is the only one that is open.
func (s *server) answerDocument(id string) (doc promptDocument, err error) {
	o, err := s.questions.find(id)
	if err != nil {
		return doc, err
	}
	if o == nil {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "no question is open")
	}
	return s.openAnswer(o.root, &o.Question)
}

// openAnswer makes a document for the answer to a question.
func (s *server) openAnswer(r *rootState, q *event.Question) (doc promptDocument, err error) {
	if r == nil || r.dir == "" {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "a document for the answer needs a workspace folder")
	}
	return s.makePrompt(r, review.Origin{Question: q.ID}, review.AnswerHint(q))
}

// makePrompt writes a prompt document.
func (s *server) makePrompt(r *rootState, o review.Origin, hint string) (doc promptDocument, err error) {
	text, line, err := o.Head.Document(hint)
	if err != nil {
		return doc, err
	}
	name := s.freePrompt(r)
	abs, err := r.ws.StateDocument(path.Base(name), text)
	if err != nil {
		return doc, err
	}
	s.prompts.Put(r.dir, name, o)
	return promptDocument{uri: document.URIOfPath(abs), abs: abs, line: line}, nil
}

// showPrompt opens a prompt document, or tells where it is.
func (s *server) showPrompt(ctx context.Context, doc promptDocument) {
	at := protocol.Position{Line: uint32(doc.line)}
	shown, err := s.client.ShowDocument(ctx, doc.uri, true, &protocol.Range{Start: at, End: at})
	if shown || ctx.Err() != nil {
		return
	}
	if err != nil && !errors.Is(err, wire.ErrUnsupported) {
		s.log.Info("prompt document not opened by the client", "uri", doc.uri, "err", err)
	}
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: write the instruction in "+doc.abs+", then run it with the code action there.")
}

// freePrompt returns the first name that is neither on disk nor open.
func (s *server) freePrompt(r *rootState) string {
	for n := 1; ; n++ {
		name := fmt.Sprintf(".coauthor/prompt-%d.md", n)
		if _, open := s.document(r, name); !open && !r.ws.Door().OnDisk(name) {
			return name
		}
	}
}

// readPrompt makes a request of a prompt document as it stands in the editor, or on disk.
func (s *server) readPrompt(r *rootState, path string) (agent.Request, error) {
	var text string
	if doc, open := s.document(r, path); open {
		text = doc.Text
	} else {
		disk, err := r.ws.Door().DiskText(s.ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			return agent.Request{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%s is gone; coauthor.openPrompt makes a new one", path)
		}
		if err != nil {
			return agent.Request{}, fmt.Errorf("read %s: %w", path, err)
		}
		text = disk
	}
	req, err := s.prompts.Request(r.ws.Snapshot(), r.dir, path, text)
	if err != nil {
		return agent.Request{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	return req, nil
}
