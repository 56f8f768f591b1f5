package lsp

import (
	"context"

	"coauthor/agent/proposal"
	"coauthor/lsp/deliver"
)

// What the user has decided is delivered here: this file hands to package deliver what it needs of the
// connection and of a root, as values, and tells what came of it.

// applyPending brings what sel means of a proposal into the client's documents.
func (s *server) applyPending(ctx context.Context, r *rootState, sel proposal.Selector) (proposal.Outcome, error) {
	return s.applyTaking(ctx, r, sel, proposal.TakeNeither)
}

// applyTaking is applyPending for a user who has chosen what is to stand where they have changed the same lines.
func (s *server) applyTaking(ctx context.Context, r *rootState, sel proposal.Selector, take proposal.Take) (proposal.Outcome, error) {
	var o deliver.Options
	if p, err := r.session.Proposals().Find(sel); err == nil {
		if sel.Revision != 0 { // else what was not shown is refused
			if err := s.review(r).Agreed(ctx, &p); err != nil {
				return proposal.Outcome{}, err
			}
		}
		o.Seen = p.Shown == p.Revision
	}
	return s.deliver(r, o, proposal.StatusApplied, func(d proposal.Delivery) (proposal.Outcome, error) {
		return r.session.Proposals().ApplyTaking(ctx, sel, take, d)
	})
}

// undoTurn takes a turn back as a whole; "" is the last one that was applied.
func (s *server) undoTurn(ctx context.Context, r *rootState, turn string) (proposal.Outcome, error) {
	return s.deliver(r, deliver.Options{}, proposal.StatusUndone, func(d proposal.Delivery) (proposal.Outcome, error) {
		return r.session.Proposals().Undo(ctx, turn, d)
	})
}

// redoTurn applies an undone turn again.
func (s *server) redoTurn(ctx context.Context, r *rootState, turn string) (proposal.Outcome, error) {
	return s.deliver(r, deliver.Options{}, proposal.StatusApplied, func(d proposal.Delivery) (proposal.Outcome, error) {
		return r.session.Proposals().Redo(ctx, turn, d)
	})
}

// deliver does what takes a delivery and tells the user what became of it: most editors show no results
// of commands. meant is what it should come to.
func (s *server) deliver(r *rootState, o deliver.Options, meant proposal.Status, do func(proposal.Delivery) (proposal.Outcome, error)) (proposal.Outcome, error) {
	c := s.applier(r, o)
	out, err := do(c)
	if err == nil {
		s.delivered(r, c.Declined(), out, meant)
	}
	return out, err
}

// applier delivers to a root through this client.
func (s *server) applier(r *rootState, o deliver.Options) *deliver.Applier {
	return deliver.New(deliver.Editor{
		Capabilities: *s.client.Caps, Quirks: *s.client.Quirks, Encoding: s.docs.encoding,
		Client: s.client, Open: s.docs.openText, Quiet: s.quiet, Expect: s.docs.keys.expect,
		Landings: &s.delivery.landings, Echoes: &s.docs.echoes, Log: s.log,
	}, deliver.Root{Dir: r.dir, Workspace: r.ws, Asker: s.asker(r), Changed: r.session.FileChanged}, o)
}

// openText is an open document as a delivery sees it.
func (d *documents) openText(uri string) (deliver.Document, bool) {
	doc, open := d.Get(uri)
	if !open {
		return deliver.Document{}, false
	}
	return deliver.Document{Document: doc.Document, URI: doc.URI, Uncertain: doc.Uncertain()}, true
}
