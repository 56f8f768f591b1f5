package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// decide applies exactly the revision that was shown and tells what came of it.
func (s *server) decide(ctx context.Context, r *rootState, p *proposal.Proposal, c *applier) {
	out, err := r.session.Proposals().Apply(ctx, proposal.Selector{Proposal: p.ID, Revision: p.Revision}, c)
	if errors.Is(err, proposal.ErrDecided) || errors.Is(err, proposal.ErrApplying) || ctx.Err() != nil {
		return // it was decided in another way meanwhile
	}
	if err != nil {
		s.client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
		return
	}
	if !c.native || c.discardLeftOut(p, &out) {
		c.report(out, proposal.StatusApplied)
	}
}

// report tells the user what became of applying or taking back. Where the editor shows it in the
// documents, they may be other ones than the user looks at.
func (s *server) report(r *rootState, out proposal.Outcome) {
	left := 0
	if p, ok := r.session.Proposals().Get(out.Proposal); ok && p.Pending() {
		left, _, _ = p.Open()
	}
	kind := protocol.MessageTypeWarning
	if out.Status == proposal.StatusApplied || out.Status == proposal.StatusUndone {
		kind = protocol.MessageTypeInfo
	}
	s.client.ShowMessage(kind, "Coauthor: "+s.words().Outcome(out, left)+".")
	s.client.LogMessage(kind, fmt.Sprintf("Coauthor: %s, %s", out.Status, review.CountFiles(len(out.Files))))
}

// discard drops what sel means of a proposal, and tells it.
func (s *server) discard(r *rootState, sel proposal.Selector) (proposal.Proposal, error) {
	before, _ := r.session.Proposals().Find(sel)
	p, err := r.session.Proposals().Discard(sel)
	if err == nil {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+review.DiscardedText(&before, &p)+".")
	}
	return p, err
}

// dialog asks what to do with a proposal. Whatever is no clear answer leaves it pending, and then
// one message tells how to go on.
func (s *server) dialog(ctx context.Context, r *rootState, p *proposal.Proposal, uri string, shown bool) {
	store := r.session.Proposals()
	for {
		choices := []string{choiceApply, choiceDiscard, choiceKeep}
		if !shown {
			// An accidental Enter takes the first one.
			choices = []string{choiceShow, choiceApply, choiceDiscard, choiceKeep}
		}
		if s.quiet(ctx) != nil || !waits(store, p) {
			return // decided, or amended, while the user typed
		}
		limit, cancel := context.WithTimeout(ctx, s.landings.scaled(dialogTime))
		choice, err := s.client.ShowMessageRequest(limit, review.Severity(p),
			fmt.Sprintf("Coauthor: %s%s (%s)%s", review.Warned(p), p.Label, review.OpenSize(p), review.Beside(s.turns.refused(p.Turn))), choices)
		cancel()
		if ctx.Err() != nil {
			return
		}
		ctx = s.askedNow(ctx)
		switch choice {
		case choiceApply:
			store.MarkShown(p.ID, p.Revision)
			s.decide(ctx, r, p, &applier{s: s, root: r, seen: true})
			return
		case choiceDiscard:
			_, err := s.discard(r, proposal.Selector{Proposal: p.ID, Revision: p.Revision})
			if err != nil && !errors.Is(err, proposal.ErrDecided) {
				s.client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
			}
			return
		case choiceShow:
			if u, ok, err := s.showDiff(ctx, r, p); err != nil || !ok {
				s.pendingMessage(r, p, u)
				return
			}
			shown = true
			continue
		}
		if !waits(store, p) {
			return // decided, or amended, in another way
		}
		if err != nil {
			s.log.Debug("no dialog", "err", err)
		}
		if err != nil || choice == "" || !shown {
			s.pendingMessage(r, p, uri)
		}
		return
	}
}

// pendingMessage tells that a proposal waits, where it can be looked at and how to decide. With that
// the user has what there is to see, so it counts as shown.
func (s *server) pendingMessage(r *rootState, p *proposal.Proposal, uri string) {
	r.session.Proposals().MarkShown(p.ID, p.Revision)
	text := fmt.Sprintf("Coauthor: %sA change is pending (%s): %s%s.", review.Warned(p), review.OpenSize(p),
		strings.TrimRight(p.Label, "."), review.Beside(s.turns.refused(p.Turn)))
	if abs, ok := document.PathOfURI(uri); ok {
		text += " The diff is in " + s.displayed(r, abs) + "."
	}
	how := "with the code actions, or with the commands coauthor.apply and coauthor.discard"
	if s.quirks.Menu != "" {
		how = "with " + s.quirks.Menu
	}
	s.client.ShowMessage(review.Severity(p), text+" Apply or discard it "+how+".")
}

// displayed is how a path of a root is written in a message.
func (s *server) displayed(r *rootState, abs string) string {
	if rel, err := filepath.Rel(r.dir, abs); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return abs
}
