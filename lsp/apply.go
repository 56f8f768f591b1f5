package lsp

import (
	"context"

	"coauthor/agent/proposal"
)

func (s *server) applyPending(ctx context.Context, r *rootState, sel proposal.Selector) (proposal.Outcome, error) {
	return proposal.Outcome{}, errUnsupported
}

func (s *server) undoTurn(ctx context.Context, r *rootState, turn string) (proposal.Outcome, error) {
	return proposal.Outcome{}, errUnsupported
}

func (s *server) redoTurn(ctx context.Context, r *rootState, turn string) (proposal.Outcome, error) {
	return proposal.Outcome{}, errUnsupported
}
