package lsp

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/lsp/review"
)

// runTalk runs what the user wrote in a prompt document: it answers the question that is open, or is a request, which goes on
// with what was asked there before.
func (s *server) runTalk(ctx context.Context, c *commandCall, req agent.Request) (any, error) {
	r := c.target.root
	c.from = talkFrom{name: c.target.path, said: req.Instruction}
	if s.questions.AnswersOne(r.session, req.Instruction) {
		s.said(r, c.from)
		return startResult{Status: "answered"}, nil
	}
	path, turn := r.talk.now()
	if path != c.target.path {
		turn = ""
	}
	r.talk.use(c.target.path, turn)
	if req.FollowUp == "" && goesOn(r, turn, req) {
		req.FollowUp = turn
	}
	result, err := s.begin(ctx, r, req, c)
	if err == nil && !isTurn(result) {
		s.said(r, c.from)
	}
	return result, err
}

// isTurn says whether the result of a command is that of a turn, which itself has the document say what was asked, or that
// nothing was done.
func isTurn(result any) bool {
	one, ok := result.(startResult)
	return ok && (one.TurnID != "" || one.Status == statusNeedsInput || one.Status == agent.StatusBusy)
}

// said has what was run in a document stand as said there.
func (s *server) said(r *rootState, from talkFrom) {
	if _, open := s.docs.document(r, from.name); open && !s.editsTalk() {
		return
	}
	s.tasks.Background(func(ctx context.Context) {
		s.writeTalk(ctx, r, from.name, func(doc string) string { return review.WithSaid(doc, from.said) })
	})
}

// goesOn says whether a request goes on with the turn that was run before it in the same document: one that changes files,
// while that runs or waits for the user.
func goesOn(r *rootState, turn string, req agent.Request) bool {
	if turn == "" {
		return false
	}
	if resolved, err := r.session.Resolve(req); err != nil || !resolved.Coder.Proposes() || strings.HasPrefix(req.Instruction, "/") {
		return false
	}
	for _, p := range r.session.Proposals.Pending() {
		if p.Turn == turn {
			return true
		}
	}
	return slices.ContainsFunc(r.session.Turns.List(), func(t agent.TurnStatus) bool { return t.ID == turn })
}
