package lsp

import (
	"context"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
)

// previewings are all ways to show a proposal: what was asked for, and the client.
var previewings = []struct {
	name, mode string
	caps       func(*client.Capabilities, *client.Quirks)
}{
	{"by itself", "auto", nil},
	{"as a diff", "diff", nil},
	{"unseen", "none", nil},
	{"in the text", "inline", nil},
	{"in the client's own view", "native", func(c *client.Capabilities, q *client.Quirks) { c.Annotations, q.NativePreview = true, true }},
	{"by our plug-in", "auto", func(c *client.Capabilities, _ *client.Quirks) { c.Pending = true }},
	{"as a virtual document", "diff", func(c *client.Capabilities, _ *client.Quirks) { c.VirtualDocuments = true }},
	{"in a client that shows nothing", "auto", func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false }},
}

// amend replaces a proposal by what a follow-up made of it.
func (d *bufferHarness) amend(p *proposal.Proposal) *proposal.Proposal {
	d.t.Helper()
	next, err := d.root.Session.Proposals.Supersede(p.ID, "t-2", "make it best", []edits.Change{updated("a", "a\n", "best\n")}, d.root.Workspace.Snapshot(), proposal.Checked{})
	if err != nil {
		d.t.Fatal(err)
	}
	return next
}

// untouched wants nothing to have reached the user or their documents.
func (d *bufferHarness) untouched(what string) {
	d.t.Helper()
	said := d.said()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.applied)+len(d.asked)+len(d.shown)+len(said) != 0 {
		d.t.Errorf("%s: %d edits, asked %q, shown %q, told %q", what, len(d.applied), d.asked, d.shown, said)
	}
}

// A proposal that was amended, discarded or applied before its preview came about is not previewed, in no way of
// showing it: it is neither shown, nor asked about, nor applied. What took its place is.
func TestWhatWasOvertakenIsNotPreviewed(t *testing.T) {
	for _, way := range previewings {
		for _, overtaken := range []string{"amended", "discarded", "applied"} {
			t.Run(way.name+", "+overtaken, func(t *testing.T) {
				d := newBufferHarness(t, map[string]string{"a": "a\n"}, way.caps)
				d.pick = func(string, []string) string { return "" }
				d.open("a")
				store := d.root.Session.Proposals
				old := d.propose(updated("a", "a\n", "A\n"))
				text, state, shown := "a\n", event.ProposalPending, 0
				var next *proposal.Proposal
				switch overtaken {
				case "amended":
					next = d.amend(old)
				case "discarded":
					if _, err := store.Discard(proposal.Selector{Proposal: old.ID, Revision: 1}); err != nil {
						t.Fatal(err)
					}
					state = event.ProposalDiscarded
				case "applied":
					d.want(proposal.StatusApplied)(store.Apply(context.Background(), proposal.Selector{Proposal: old.ID, Revision: 1}, d.root.Decisions.Applier(deliver.Options{})))
					d.applied, text, state = nil, "A\n", event.ProposalApplied
				}
				d.root.Shown.Review().Preview(context.Background(), *old, way.mode)
				d.untouched(overtaken)
				now, _ := store.Get(old.ID)
				if next != nil && now.Shown == now.Revision {
					shown = now.Revision
				}
				if now.State != state || shown != 0 || d.text("a") != text {
					t.Errorf("state %s, shown %d, text %q", now.State, now.Shown, d.text("a"))
				}
				if next == nil {
					return
				}
				d.root.Shown.Review().Preview(context.Background(), *next, way.mode)
				now, _ = store.Get(old.ID)
				unseen := way.mode == "none" || way.mode == "inline"
				if now.Shown != 2 && !unseen || unseen != (now.State == event.ProposalApplied) && way.mode != "native" {
					t.Errorf("the next revision: state %s, shown %d, text %q", now.State, now.Shown, d.text("a"))
				}
			})
		}
	}
}

// A proposal that is amended while its dialog is open is not decided by the answer, whatever it is: the user was asked
// about another change than the one that waits now, which nobody has seen.
func TestAnswersToAnAmendedProposal(t *testing.T) {
	for _, answer := range []string{review.ChoiceApply, review.ChoiceDiscard, review.ChoiceKeep, review.ChoiceShow, ""} {
		for _, way := range previewings[:1] {
			d := newBufferHarness(t, map[string]string{"a": "a\n"}, way.caps)
			if answer == review.ChoiceShow {
				d.s.client.Caps.ShowDocument = false
			}
			d.open("a")
			old, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{updated("a", "a\n", "A\n")}, d.root.Workspace.Snapshot(), proposal.Checked{})
			if err != nil {
				t.Fatal(err)
			}
			d.pick = func(_ string, choices []string) string {
				if !slices.Contains(choices, answer) && answer != "" {
					t.Errorf("%q is not among %q", answer, choices)
				}
				d.amend(old)
				return answer
			}
			d.root.Shown.Review().Preview(context.Background(), *old, way.mode)
			now, _ := d.root.Session.Proposals.Get(old.ID)
			if now.State != event.ProposalPending || now.Revision != 2 || now.Shown == 2 || d.text("a") != "a\n" || len(d.applied) != 0 {
				t.Errorf("%q: state %s, revision %d, shown %d, %d edits, text %q", answer, now.State, now.Revision, now.Shown, len(d.applied), d.text("a"))
			}
			if answer != review.ChoiceShow && slices.ContainsFunc(d.said(), func(m string) bool { return strings.Contains(m, "A change is pending") }) {
				t.Errorf("%q: told %q", answer, d.said())
			}
		}
	}
}
