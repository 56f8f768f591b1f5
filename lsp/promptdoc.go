package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// openPrompt makes a prompt document for a target.
func (s *server) openPrompt(ctx context.Context, r *rootState, t target, kind string) (review.PromptDocument, error) {
	return s.openPromptWith(ctx, r, t, kind, "")
}

// openPromptWith is openPrompt with the beginning of the instruction.
func (s *server) openPromptWith(ctx context.Context, r *rootState, t target, kind, said string) (review.PromptDocument, error) {
	return s.openPromptFor(ctx, r, t, review.PromptHead{Coder: kind}, said)
}

// openPromptFor is openPromptWith with what else the head says; its coder is the kind of the document.
func (s *server) openPromptFor(ctx context.Context, r *rootState, t target, head review.PromptHead, said string) (doc review.PromptDocument, err error) {
	if r.dir == "" {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "a prompt document needs a workspace folder; open a folder or a saved file first")
	}
	hint := review.PromptHint(s.opts.Coders.Names(), r.session.Chosen.Get().String())
	switch head.Coder {
	case kindEdit, "":
		head.Coder = coder.Default
	case kindFollowUp:
		head.Coder = ""
		head.FollowUp = s.turns.ToFollow(r.session)
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
	return s.goOnIn(ctx, r, origin, hint, said)
}

// goOnIn makes the document of the conversation ready for what the user writes next, or a new one where there is none that
// can be written.
func (s *server) goOnIn(ctx context.Context, r *rootState, o review.Origin, hint, said string) (doc review.PromptDocument, err error) {
	if name, writable := s.talkDocument(ctx, r); name != "" && writable {
		if doc, err = s.prompts(r).GoOn(ctx, name, o, hint, said); err == nil {
			r.talk.use(name, "")
			return doc, nil
		}
		s.log.Info("creating a new prompt document", "instead of", name, "err", err)
	}
	if doc, err = s.prompts(r).Make(o, hint, said); err == nil {
		r.talk.use(doc.Path, "")
	}
	return doc, err
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
	return s.answerIn(ctx, s.roots.with(o.Session()), &o.Question)
}

// answerIn is openAnswer for a question of a root.
func (s *server) answerIn(ctx context.Context, r *rootState, q *event.Question) (doc review.PromptDocument, err error) {
	prompts := s.prompts(r)
	if r == nil {
		return prompts.ForAnswer(q)
	}
	if name, writable := s.talkDocument(ctx, r); name != "" && writable {
		if doc, err = prompts.WithQuestion(ctx, name, q); err == nil {
			return doc, nil
		}
		s.log.Info("creating a new document for an answer", "instead of", name, "err", err)
	}
	if doc, err = prompts.ForAnswer(q); err == nil {
		r.talk.use(doc.Path, "")
	}
	return doc, err
}
