package decide

import (
	"context"
	"slices"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// asked answers each question with its own words.
type asked struct {
	event.Asker
	choice string
	q      event.Question
}

func (a *asked) Ask(_ context.Context, q event.Question) (event.Answer, error) {
	a.q = q
	return event.Answer{Choice: a.choice}, nil
}

// The attempt that is shown is no choice, and whoever keeps it chooses none.
func TestAskAttempt(t *testing.T) {
	p := &proposal.Proposal{Attempt: 2}
	for range 3 {
		p.Attempts = append(p.Attempts, event.AttemptRef{Label: "made it shorter"})
	}
	for choice, want := range map[string]int{"attempt 1": 1, "attempt 3": 3, "attempt 2": 0, "keep this attempt": 0, "": 0} {
		a := &asked{choice: choice}
		n, err := New(Options{Asker: a}).AskAttempt(t.Context(), p)
		if err != nil || n != want || !slices.Equal(a.q.Choices, []string{"attempt 1", "attempt 3", "keep this attempt"}) {
			t.Errorf("%q: attempt %d of %q, error %v; want %d", choice, n, a.q.Choices, err, want)
		}
	}
}

// Only what a proposal says of a file tells that it has arrived, whatever the outcome had of it before.
func TestArrived(t *testing.T) {
	file := func(path string, state proposal.Decision) proposal.File {
		return proposal.File{Change: edits.Change{Op: edits.OpUpdate, Path: path}, Hunks: []edits.Hunk{{Number: 1}}, Done: map[int]proposal.Decision{1: state}}
	}
	p := &proposal.Proposal{Files: []proposal.File{file("a", proposal.HunkLanded), file("b", "")}}
	out := proposal.Outcome{Files: []proposal.FileOutcome{{Path: "a", State: proposal.LandAbsent, Reason: "late"}, {Path: "b", State: proposal.LandLanded}, {Path: "gone"}}}
	if n := arrived(&out, p); n != 1 {
		t.Errorf("%d files have arrived, want 1", n)
	}
	for i, want := range []proposal.LandState{proposal.LandLanded, proposal.LandAbsent, proposal.LandAbsent} {
		if f := out.Files[i]; f.State != want || f.Reason != "" {
			t.Errorf("%s is %s (%q), want %s", f.Path, f.State, f.Reason, want)
		}
	}
}

// An outcome that is still to be told is told once.
func TestLateOutcomesAreTakenOnce(t *testing.T) {
	var l lateOutcomes
	l.put("p", lateOutcome{meant: proposal.StatusUndone})
	if o, ok := l.take("p"); !ok || o.meant != proposal.StatusUndone {
		t.Errorf("took %+v, %v", o, ok)
	}
	if _, ok := l.take("p"); ok {
		t.Error("it was taken twice")
	}
}

// A renamed file is told by the name that it has now.
func TestView(t *testing.T) {
	d := New(Options{URI: func(path string) string { return "file:///" + path }})
	v := d.View(proposal.Outcome{Turn: "t", Status: proposal.StatusApplied, Files: []proposal.FileOutcome{{Path: "old", To: "new", Remark: "moved"}}})
	if len(v.Files) != 1 || v.Files[0].URI != "file:///new" || v.Files[0].Reason != "moved" || v.TurnID != "t" || v.Status != "applied" {
		t.Errorf("it is told as %+v", v)
	}
}
