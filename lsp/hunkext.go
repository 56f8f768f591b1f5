package lsp

import (
	"context"
	"path/filepath"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
)

// viewReview describes what is under review in the client's positions.
func (s *server) viewReview(r *rootState, reviewed *proposal.Review) reviewView {
	v := reviewView{URI: r.uri(), Files: make([]reviewFile, 0, len(reviewed.Files))}
	for i := range reviewed.Files {
		f := &reviewed.Files[i]
		one := reviewFile{URI: s.docs.uriOf(r, f.Path), Op: string(f.Op), TurnID: f.Turn, ProposalID: f.Proposal, Label: display.Message(f.Label),
			Hunks: make([]reviewHunk, 0, len(f.Hunks))}
		if f.From != "" {
			one.OldURI = document.URIOfPath(filepath.Join(r.dir, filepath.FromSlash(f.From)))
		}
		if doc, open := s.docs.document(r, f.Path); open && doc.Text == f.Text {
			one.Version = &doc.Version
		}
		for _, h := range r.marks.Hunks(f) {
			hunk := reviewHunk{Number: h.Number, OldText: h.Old, Touched: h.Touched}
			if f.Op != edits.OpDelete {
				at := document.FromProtocol(h.Range)
				hunk.Range = &at
			}
			one.Hunks = append(one.Hunks, hunk)
		}
		v.Files = append(v.Files, one)
	}
	return v
}

// getReview is our own request: what is under review in a folder, for an editor that shows it itself.
func (s *server) getReview(ctx context.Context, p *getReviewParams, _ struct{}) (any, error) {
	r := s.roots.defaultRoot()
	if p.URI != "" {
		var err error
		if r, _, err = s.roots.rootOf(ctx, p.URI); err != nil {
			return nil, err
		}
	}
	reviewed := r.session.Proposals().Review(r.ws.Snapshot().Within(ctx))
	return s.viewReview(r, &reviewed), nil
}
