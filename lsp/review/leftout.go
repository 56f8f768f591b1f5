package review

import (
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// discardLeftOut discards what the user did not take in the client's own preview, and makes of the
// outcome what there is to say of the rest: whole are the files that were left out, partly those of which
// a part was taken. It returns false where nothing was taken at all: then all is said.
func (r *Review) discardLeftOut(p *proposal.Proposal, out *proposal.Outcome, whole, partly []string) (more bool) {
	if len(whole) > 0 {
		sel := revision(p)
		sel.Files = whole
		if len(whole) == len(out.Files) {
			if _, err := r.Discard(sel); err == nil {
				return false
			}
		} else if _, err := r.Root.Proposals.Discard(sel); err != nil {
			r.Log.Info("left out and not discarded", "files", whole, "err", err)
			return true
		}
	}
	var rest []proposal.FileOutcome
	landed := true
	for _, f := range out.Files {
		if f.State != proposal.LandRefused {
			rest = append(rest, f)
			landed = landed && f.State == proposal.LandLanded
		}
	}
	if left := slices.Concat(whole, partly); landed && len(left) > 0 {
		out.Files, out.Status = rest, proposal.Status(event.ProposalApplied)
		out.Reason = "Left out: " + strings.Join(left, ", ")
	}
	return true
}
