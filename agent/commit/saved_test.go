package commit

import (
	"testing"
	"time"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// A turn that is undone, or of which more lands, while one looks whether it is saved, is not taken for a commit.
func TestWhatChangedMeanwhileIsNotTaken(t *testing.T) {
	landing := func(op string) proposal.Landing {
		return proposal.Landing{Turn: "t", Proposal: "p", Op: op,
			Files: []edits.Change{{Path: "a.py", Op: edits.OpUpdate, Before: "x = 1\n", After: "x = 2\n"}}}
	}
	for name, c := range map[string]struct {
		then    string
		taken   bool
		waiting int
	}{
		"nothing":    {"", true, 0},
		"undone":     {"undo", false, 0},
		"more of it": {"apply", false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var w saved
			w.landed(landing("apply"), time.Time{})
			seen := *w.waiting[0]
			if c.then != "" {
				w.landed(landing(c.then), time.Time{})
			}
			if got := w.take(&seen); got != c.taken || len(w.waiting) != c.waiting {
				t.Errorf("taken %v, %d wait; want %v, %d", got, len(w.waiting), c.taken, c.waiting)
			}
		})
	}
}
