package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
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
func (s *server) preview(ctx context.Context, r *rootState, p proposal.Proposal, mode string) {
	store := r.session.Proposals()
	if len(p.Warnings) > 0 && (mode == "none" || mode == "inline") {
		mode = "auto" // who wants changes unseen wants to see what is wrong with this one
	}
	mode = s.previewMode(mode)
	if mode == "native" || mode == "diff" || mode != "client" && s.quirks.AsksItself {
		if s.quiet(ctx) != nil {
			return
		}
	}
	if !waits(store, &p) {
		return // decided meanwhile; or a follow-up that waited was quicker: what it made is shown instead
	}
	switch mode {
	case "none", "inline":
		// The user has asked for changes to be applied unseen; that is the consent, too.
		s.decide(ctx, r, &p, &applier{s: s, root: r, seen: true})
	case "native":
		if len(p.Warnings) > 0 { // the client's own view has no place for them
			s.client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: %s%s", warned(&p), p.Label))
		}
		store.MarkShown(p.ID, p.Revision)
		s.decide(ctx, r, &p, &applier{s: s, root: r, seen: true, native: true})
	case "client":
		store.MarkShown(p.ID, p.Revision) // it draws what coauthor/pending told it
	case "diff":
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

// previewMode decides by what was asked for and what the client can do.
func (s *server) previewMode(mode string) string {
	native := s.quirks.NativePreview && s.caps.Annotations && s.caps.DocumentChanges
	switch mode {
	case "none", "inline":
		return mode
	case "native":
		if native {
			return "native"
		}
	case "diff":
	default:
		if !s.caps.Pending && native && s.plugin == "" {
			return "native"
		}
	}
	if s.caps.Pending {
		return "client"
	}
	return "diff"
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
