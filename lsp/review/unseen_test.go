package review

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/event"
)

// TestWhatCannotBeShown is not applied as if it had been seen: where the repository has a link for the folder of our documents,
// the message says that there is no diff and why, the change does not count as shown, and applying it is asked about once more.
func TestWhatCannotBeShown(t *testing.T) {
	for name, c := range map[string]struct {
		picks  []string
		blocks bool // there are no dialogs over diffs
		state  event.ProposalState
	}{
		"apply, and then not":  {[]string{ChoiceApply, ChoiceKeep}, false, event.ProposalPending},
		"apply, and no answer": {[]string{ChoiceApply}, false, event.ProposalPending},
		"apply unseen":         {[]string{ChoiceApply, choiceUnseen}, false, event.ProposalApplied},
		"no answer":            {nil, false, event.ProposalPending},
		"show":                 {[]string{ChoiceShow}, false, event.ProposalPending},
		"discard":              {[]string{ChoiceDiscard}, false, event.ProposalDiscarded},
		"no dialogs":           {nil, true, event.ProposalPending},
	} {
		t.Run(name, func(t *testing.T) {
			u := &user{picks: c.picks}
			r, d, p := newReview(t, u)
			r.DialogBlocks = c.blocks
			if err := os.Symlink(t.TempDir(), filepath.Join(r.Root.Dir, OwnFolder)); err != nil {
				t.Skip("no links here: ", err)
			}
			r.Preview(t.Context(), *p, "diff")
			now, _ := r.Root.Proposals.Get(p.ID)
			if now.State != c.state || (d.plans > 0) != (c.state == event.ProposalApplied) {
				t.Errorf("it is %s, %d plans, asked %q", now.State, d.plans, u.asked)
			}
			if c.state == event.ProposalPending {
				if len(u.told) == 0 {
					t.Fatal("nothing is told")
				}
				mustHold(t, u.told[len(u.told)-1], "Cannot show the diff", "A change is pending", "make it better")
				if now.Shown == now.Revision {
					t.Error("it counts as shown")
				}
				if err := r.Agreed(t.Context(), &now); !errors.Is(err, ErrUnseen) { // what the commands ask
					t.Errorf("a command: %v", err)
				}
				if err := os.Remove(filepath.Join(r.Root.Dir, OwnFolder)); err != nil {
					t.Fatal(err)
				}
				if _, _, err := r.showDiff(t.Context(), &now); err != nil || r.Agreed(t.Context(), &now) != nil {
					t.Errorf("once it can be shown: %v", err)
				}
			}
		})
	}
}
