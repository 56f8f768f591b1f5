package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"coauthor/lsp/review"
)

type contentParams struct {
	URI string `json:"uri"`
}

// textDocumentContent gives the text of a virtual document.
func (s *server) textDocumentContent(_ context.Context, p *contentParams, _ struct{}) (any, error) {
	text, ok := s.own.answers.Get(p.URI)
	if !ok {
		text, _ = s.content(p.URI) // one that is gone is empty: the client has it open
	}
	return &protocol.TextDocumentContentResult{Text: text}, nil
}

// content returns the text of a virtual diff: that of its proposal as it stands now.
func (s *server) content(uri string) (string, bool) {
	key, known := s.own.names.Owner(review.VirtualName(uri))
	if !known {
		return "", false
	}
	p, known := key.Root.session.Proposals().Get(key.Proposal)
	if !known {
		return "", false
	}
	return s.review(key.Root).DiffDocument(&p), true
}
