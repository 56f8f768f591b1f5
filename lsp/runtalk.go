package lsp

import (
	"context"

	"coauthor/agent"
	"coauthor/lsp/chat"
)

// runTalk runs what the user wrote in a prompt document: it answers the question that is open, or is a request, which goes on
// with what was asked there before.
func (s *server) runTalk(ctx context.Context, c *commandCall, req agent.Request) (any, error) {
	r := c.target.root
	c.from = chat.From{Name: c.target.path, Said: req.Instruction}
	if s.questions.AnswersOne(r.Session, req.Instruction) {
		r.Chat.Said(c.from)
		return startResult{Status: "answered"}, nil
	}
	req.FollowUp = r.Chat.Run(c.target.path, req)
	result, err := s.begin(ctx, r, req, c)
	if err == nil && !isTurn(result) {
		r.Chat.Said(c.from)
	}
	return result, err
}

// isTurn says whether the result of a command is that of a turn, which itself has the document say what was asked, or that
// nothing was done.
func isTurn(result any) bool {
	one, ok := result.(startResult)
	return ok && (one.TurnID != "" || one.Status == statusNeedsInput || one.Status == agent.StatusBusy)
}
