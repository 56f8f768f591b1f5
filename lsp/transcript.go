package lsp

import (
	"context"

	"coauthor/agent/display"
)

// How many entries a page of a transcript has without a limit, and at most.
const usualPage, mostPage = 50, 200

// getTranscript is our own request: a page of the conversation of a folder, for an editor that shows it itself.
func (s *server) getTranscript(ctx context.Context, p *getTranscriptParams, _ struct{}) (any, error) {
	r := s.roots.defaultRoot()
	if p.URI != "" {
		var err error
		if r, _, err = s.roots.rootOf(ctx, p.URI); err != nil {
			return nil, err
		}
	}
	limit := p.Limit
	if limit <= 0 {
		limit = usualPage
	}
	list, more, err := r.session.Page(ctx, p.Before, min(limit, mostPage))
	if err != nil {
		return nil, err
	}
	page := transcriptPage{URI: r.uri(), Entries: []transcriptEntry{}, More: more}
	for _, x := range list {
		one := transcriptEntry{Number: x.Number, TurnID: x.Turn, At: x.At, Request: display.Text(x.User), Answer: display.Text(x.Prose),
			Coder: x.Coder, Model: x.Model, ProposalID: x.Proposal}
		if x.Proposal != "" {
			one.Became = string(r.session.Proposals().Became(x.Proposal))
		}
		page.Entries = append(page.Entries, one)
	}
	return page, nil
}
