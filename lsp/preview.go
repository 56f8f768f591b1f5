package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/lsp/review"
)

// dialogTime is how long the question whether to apply waits; afterwards the proposal is still there.
const dialogTime = 10 * time.Minute

// The choices of the dialog. Closing it, or not answering, keeps the proposal pending.
const (
	choiceApply   = "Apply"
	choiceDiscard = "Discard"
	choiceShow    = "Show diff"
	choiceKeep    = "Keep pending"
)

// preview shows a finished proposal in the way that suits the client, and lets the user decide where
// the client has a dialog. It waits for the user, so it runs in the background.
func (s *server) preview(ctx context.Context, r *rootState, p proposal.Proposal, asked string) {
	store := r.session.Proposals()
	view := s.views().Choose(asked, len(p.Warnings) > 0)
	if view == review.ViewNative || view == review.ViewDiff || view.Unseen() && s.quirks.AsksItself {
		if s.quiet(ctx) != nil {
			return
		}
	}
	if !waits(store, &p) {
		return // decided meanwhile; or a follow-up that waited was quicker: what it made is shown instead
	}
	switch view {
	case review.ViewNone, review.ViewInline:
		// The user has asked for changes to be applied unseen; that is the consent, too.
		s.decide(ctx, r, &p, &applier{s: s, root: r, seen: true})
	case review.ViewNative:
		if len(p.Warnings) > 0 { // the client's own view has no place for them
			s.client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: %s%s", review.Warned(&p), p.Label))
		}
		store.MarkShown(p.ID, p.Revision)
		s.decide(ctx, r, &p, &applier{s: s, root: r, seen: true, native: true})
	case review.ViewClient:
		store.MarkShown(p.ID, p.Revision) // it draws what coauthor/pending told it
	case review.ViewDiff:
		uri, shown, err := s.showDiff(ctx, r, &p)
		if err != nil {
			s.log.Warn("diff not shown", "turn", p.Turn, "err", err)
		}
		s.dialog(ctx, r, &p, uri, shown)
	}
}

// waits says whether a revision still waits for the user's decision.
func waits(store *proposal.Store, p *proposal.Proposal) bool {
	now, ok := store.Get(p.ID)
	return ok && now.Pending() && now.Revision == p.Revision
}

// views is what the client can show of a proposal.
func (s *server) views() review.Views {
	return review.Views{
		Native:  s.quirks.NativePreview && s.caps.Annotations && s.caps.DocumentChanges,
		Pending: s.caps.Pending, Plugin: s.plugin != "",
	}
}

// words is what messages have to know of the client.
func (s *server) words() review.Words {
	return review.Words{Plugin: s.plugin, Menu: s.quirks.Menu, SavesHidden: s.quirks.SavesHidden}
}

// showPending opens the diff of a proposal again.
func (s *server) showPending(ctx context.Context, r *rootState, sel proposal.Selector) (pendingView, error) {
	p, err := r.session.Proposals().Find(sel)
	if err != nil {
		return pendingView{}, err
	}
	v := s.viewPending(r, &p)
	if s.caps.Pending {
		r.session.Proposals().MarkShown(p.ID, p.Revision)
		return v, nil
	}
	uri, shown, err := s.showDiff(ctx, r, &p)
	if err != nil {
		return v, err
	}
	v.URI = uri
	if !shown {
		s.pendingMessage(r, &p, uri)
	}
	return v, nil
}
