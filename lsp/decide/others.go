package decide

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
func (d *Decisions) offerOthers(out proposal.Outcome) bool {
	var locked []string
	for _, f := range out.Files {
		if f.Unwritable {
			locked = append(locked, f.Path)
		}
	}
	p, ok := d.o.Session.Proposals.Get(out.Proposal)
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
	return d.o.Tasks.Background(func(ctx context.Context) { d.askOthers(ctx, out, others, locked) })
}

func (d *Decisions) askOthers(ctx context.Context, out proposal.Outcome, others proposal.Selector, locked []string) {
	p, _ := d.o.Session.Proposals.Get(out.Proposal)
	what := "Coauthor: " + review.Newest(out.Among, &p) + d.o.Review().Words.Outcome(out, 0)
	limit, cancel := context.WithTimeout(ctx, d.o.Landings.Scaled(review.DialogTime))
	choice, err := d.o.Client.ShowMessageRequest(limit, protocol.MessageTypeWarning, what+".", []string{leaveAll, takeOthers})
	cancel()
	switch {
	case ctx.Err() != nil:
	case err == nil && choice == takeOthers:
		if _, err := d.Apply(d.o.Review().Asked(ctx), others); err != nil && !errors.Is(err, proposal.ErrDecided) {
			d.o.Client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
		}
	case err == nil && choice == leaveAll && !d.o.Client.Quirks.FirstChoiceOnly:
	case err == nil && d.o.Client.Caps.Pending: // it was closed, and the user sees what waits
	case !undecided(d.o.Session.Proposals, p.ID): // it was decided in another way meanwhile
	default: // no dialog, or it was closed
		d.o.Client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("%s. To apply the other files, discard %s first.", what, strings.Join(locked, ", ")))
	}
}
