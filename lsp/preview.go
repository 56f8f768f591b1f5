package lsp

import (
	"context"

	"coauthor/agent/proposal"
)

func (s *server) preview(ctx context.Context, r *rootState, p proposal.Proposal, mode string) {}

func (s *server) showPending(ctx context.Context, r *rootState, sel proposal.Selector) (pendingView, error) {
	return pendingView{}, errUnsupported
}

// content returns the text of a virtual document.
func (s *server) content(ctx context.Context, uri string) (string, bool) { return "", false }
