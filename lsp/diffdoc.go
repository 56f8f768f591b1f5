package lsp

import (
	"context"
	"errors"
	"path"

	"coauthor/agent/proposal"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// showDiff opens the unified diff of what is undecided: as a virtual document where the client has
// them, else as a file below .coauthor. Opening it applies nothing.
func (s *server) showDiff(ctx context.Context, r *rootState, p *proposal.Proposal) (uri string, shown bool, err error) {
	name := s.diffName(r, p)
	if s.client.CanShowVirtual() {
		uri = review.VirtualURI(name)
	} else {
		abs, err := r.ws.StateDocument(name, s.diffDocument(r, p))
		if err != nil {
			return "", false, err
		}
		uri = document.URIOfPath(abs)
	}
	shown, err = s.client.ShowDocument(ctx, uri, true, nil)
	if errors.Is(err, wire.ErrUnsupported) {
		err = nil
	}
	if shown {
		r.session.Proposals().MarkShown(p.ID, p.Revision)
	}
	return uri, shown, err
}

// diffDocument is the diff of a proposal as it stands, with what is to be known of it.
func (s *server) diffDocument(r *rootState, p *proposal.Proposal) string {
	return review.DiffDocument(p, s.originOf(r, p), s.turns.refused(p.Turn), r.ws.Door().OnDisk)
}

// originOf is the path of the file that a proposal came from: that of its request, else the one that the
// user is in; "" for none.
func (s *server) originOf(r *rootState, p *proposal.Proposal) string {
	if v := s.turns.view(p.Turn); v != nil && v.request.Target != nil {
		return v.request.Target.Path
	}
	if doc, _ := s.docs.LastFocused(); doc != nil && doc.Root == r {
		return doc.Path
	}
	return ""
}

// content returns the text of a virtual document: the diff of a proposal as it stands now.
func (s *server) content(_ context.Context, uri string) (string, bool) {
	key, known := s.names.Owner(review.VirtualName(uri))
	if !known {
		return "", false
	}
	p, known := key.Root.session.Proposals().Get(key.Proposal)
	if !known {
		return "", false
	}
	return s.diffDocument(key.Root, &p), true
}

// diffName is the name of the diff of a proposal: when it was shown first, and the first file in it.
func (s *server) diffName(r *rootState, p *proposal.Proposal) string {
	about := "changes"
	if files := review.InOrder(p, s.originOf(r, p)); len(files) > 0 {
		about = path.Base(files[0].Path())
	}
	return s.names.Of(review.Key[*rootState]{Root: r, Turn: p.Turn, Proposal: p.ID}, s.freeName(r), "", s.opts.Clock(), about, ".diff")
}
