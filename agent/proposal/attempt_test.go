package proposal

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
	"coauthor/edits"
)

// Each attempt can be taken in the place of the last, as often as one likes, until something is applied.
func TestTakeAttempt(t *testing.T) {
	var told []event.ProposalState
	s := NewStore("/r", StoreOptions{Changed: func(p Proposal) { told = append(told, p.State) }})
	last := []edits.Change{update("a", "1\n", "3\n"), {Op: edits.OpCreate, Path: "b", After: "b\n"}}
	attempts := []Attempt{{"exit status 1", []edits.Change{update("a", "1\n", "2\n")}}, {"it works", last}}
	p, err := s.AddChecked("t-1", "heal", last, nil, Checked{Verdict: "whole", Attempts: attempts})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"exit status 1", "it works"}, p.Attempts); diff != "" {
		t.Error(diff)
	}
	got, err := s.TakeAttempt(Selector{}, 1)
	if err != nil || got.ID != p.ID || got.Revision != 2 || len(got.Files) != 1 || got.Files[0].Change.After != "2\n" || got.Verdict != "attempt 1 of 2: exit status 1" {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := s.Discard(Selector{Revision: 1}); err == nil {
		t.Error("the revision before is still decided on")
	}
	got, err = s.TakeAttempt(Selector{Turn: "t-1"}, 2)
	if err != nil || got.Revision != 3 || len(got.Files) != 2 || len(got.Attempts) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, n := range []int{0, 3, -1} {
		var r *Refusal
		if _, err := s.TakeAttempt(Selector{}, n); !errors.As(err, &r) || !strings.Contains(err.Error(), "from 1 to 2") {
			t.Errorf("attempt %d: %v", n, err)
		}
	}
	s.MarkShown(p.ID, 3)
	if _, err := s.Discard(Selector{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.TakeAttempt(Selector{Proposal: p.ID}, 1); err == nil {
		t.Error("an attempt of a discarded change was taken")
	}
	want := []event.ProposalState{event.ProposalPending, event.ProposalSuperseded, event.ProposalPending, event.ProposalSuperseded, event.ProposalPending, event.ProposalDiscarded}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

// A change without attempts says so, and a follow-up forgets those of the turn before.
func TestNoAttempts(t *testing.T) {
	s := NewStore("/r", StoreOptions{})
	if _, err := s.TakeAttempt(Selector{}, 1); err == nil {
		t.Error("taken of nothing")
	}
	changes := []edits.Change{update("a", "1\n", "2\n")}
	p, err := s.AddChecked("t-1", "x", changes, nil, Checked{Attempts: []Attempt{{"one", changes}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err = s.Supersede(p.ID, "t-2", "y", []edits.Change{update("a", "1\n", "3\n")}, nil)
	if err != nil || p.Attempts != nil {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := s.TakeAttempt(Selector{}, 1); err == nil || !strings.Contains(err.Error(), "no attempts") {
		t.Error(err)
	}
}
