package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/coder"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// openPrompt makes a prompt document for a target, with what else its head says and the beginning of the instruction; the
// coder of the head is the kind of the document.
func (s *server) openPrompt(ctx context.Context, r *folder.Folder, t target, head review.PromptHead, said string) (doc review.PromptDocument, err error) {
	if r.Dir == "" {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "a prompt document needs a workspace folder; open a folder or a saved file first")
	}
	switch head.Coder {
	case kindEdit, "":
		head.Coder = coder.Default
	case kindFollowUp:
		head.Coder = ""
		head.FollowUp = s.turns.ToFollow(r.Session)
		if head.FollowUp == "" {
			return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "there is no request to follow up on")
		}
	}
	origin := review.Origin{Head: head}
	if t.path != "" && t.root == r && !review.IsPrompt(t.path) && head.FollowUp == "" {
		origin.Head.File, origin.Head.Version = t.path, t.version
		if !t.whole() && t.snapshot != nil {
			text, err := t.snapshot.Read(t.path)
			if err != nil {
				return doc, fmt.Errorf("read %s: %w", t.path, err)
			}
			origin = review.OriginOf(origin.Head, text, t.start, t.end)
		}
	}
	return r.Chat.Compose(ctx, origin, said)
}

// The kinds of prompt documents: for a change, for what follows a turn, and for the answer to a question
// of a turn; the other kinds are the names of coders.
const (
	kindEdit     = "edit"
	kindFollowUp = "followUp"
	kindAnswer   = "answer"
)

// openAnswer returns a document for the answer to a question: that of the conversation where there is one. "" is the only
// question that is open.
func (s *server) openAnswer(ctx context.Context, id string) (doc review.PromptDocument, err error) {
	o, err := s.questions.Find(id)
	if err != nil {
		return doc, err
	}
	if o == nil {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "no question is open")
	}
	r := s.folders.With(o.Session())
	if r == nil { // its folder has left
		r = s.folders.At("")
	}
	return r.Chat.ForAnswer(ctx, &o.Question)
}
