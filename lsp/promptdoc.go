package lsp

import (
	"fmt"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/coder"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// openPrompt makes a prompt document for a target.
func (s *server) openPrompt(r *rootState, t target, kind string) (review.PromptDocument, error) {
	return s.openPromptWith(r, t, kind, "")
}

// openPromptWith is openPrompt with the beginning of the instruction.
func (s *server) openPromptWith(r *rootState, t target, kind, said string) (doc review.PromptDocument, err error) {
	if r.dir == "" {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "a prompt document needs a workspace folder: open a folder or a saved file first")
	}
	head := review.PromptHead{Coder: kind}
	hint := review.PromptHint(s.opts.Coders.Names(), r.session.Chosen().String())
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
			return s.prompts(r).Make(review.OriginOf(head, text, t.start, t.end), hint, said)
		}
	}
	return s.prompts(r).Make(review.Origin{Head: head}, hint, said)
}

// The kinds of prompt documents: for a change, for what follows a turn, and for the answer to a question
// of a turn; the other kinds are the names of coders.
const (
	kindEdit     = "edit"
	kindFollowUp = "followUp"
	kindAnswer   = "answer"
)

// openAnswer makes a document for the answer to a question; "" is the only one that is open.
func (s *server) openAnswer(id string) (doc review.PromptDocument, err error) {
	o, err := s.questions.find(id)
	if err != nil {
		return doc, err
	}
	if o == nil {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "no question is open")
	}
	return s.prompts(o.root).ForAnswer(&o.Question)
}
