package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/lsp/review"
)

// A change of which the disk does not allow a file: most clients then leave all of it. The user is told which file it is, and
// can have the others without it.

// The choices about it. The first is safe to be picked by accident.
const leaveAll, takeOthers = "Cancel", "Apply the other files"

// offerOthers has the user asked, beside the caller, whether the files that can be written are to be applied without those
// that cannot. It returns false where there is nothing to ask.
func (s *server) offerOthers(r *rootState, out proposal.Outcome) bool {
	var locked []string
	for _, f := range out.Files {
		if f.Unwritable {
			locked = append(locked, f.Path)
		}
	}
	p, ok := r.session.Proposals().Get(out.Proposal)
	if len(locked) == 0 || !ok || !p.Pending() || len(out.Meant.Hunks) > 0 {
		return false
	}
	others := proposal.Selector{Proposal: p.ID, Revision: p.Revision}
	for i := range p.Files {
		f := &p.Files[i]
		meant := len(out.Meant.Files) == 0 || slices.Contains(out.Meant.Files, f.Path())
		if meant && len(f.Undecided()) > 0 && !slices.Contains(locked, f.Path()) {
			others.Files = append(others.Files, f.Path())
		}
	}
	if len(others.Files) == 0 {
		return false
	}
	return s.tasks.background(func(ctx context.Context) { s.askOthers(ctx, r, out, others, locked) })
}

func (s *server) askOthers(ctx context.Context, r *rootState, out proposal.Outcome, others proposal.Selector, locked []string) {
	p, _ := r.session.Proposals().Get(out.Proposal)
	what := "Coauthor: " + review.Newest(out.Among, &p) + s.words().Outcome(out, 0)
	limit, cancel := context.WithTimeout(ctx, s.delivery.landings.Scaled(review.DialogTime))
	choice, err := s.client.ShowMessageRequest(limit, protocol.MessageTypeWarning, what+".", []string{leaveAll, takeOthers})
	cancel()
	switch {
	case ctx.Err() != nil:
	case err == nil && choice == takeOthers:
		if _, err := s.applyPending(s.docs.askedNow(ctx), r, others); err != nil && !errors.Is(err, proposal.ErrDecided) {
			s.client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
		}
	case err == nil && choice == leaveAll && !s.client.Quirks.FirstChoiceOnly:
	case err == nil && s.client.Caps.Pending: // it was closed, and the user sees what waits
	case !undecided(r, p.ID): // it was decided in another way meanwhile
	default: // no dialog, or it was closed
		s.client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("%s. To apply the other files, discard %s first.", what, strings.Join(locked, ", ")))
	}
}
