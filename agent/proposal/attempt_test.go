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
	attempts := []Attempt{{Label: "exit status 1", Changes: []edits.Change{update("a", "1\n", "2\n")}}, {Label: "it works", Changes: last}}
	p, err := s.Add("t-1", "heal", last, nil, Checked{Verdict: "whole", Attempts: attempts})
	if err != nil {
		t.Fatal(err)
	}
	want := []event.AttemptRef{{Label: "exit status 1", Files: []string{"a"}, Added: 1, Removed: 1}, {Label: "it works", Files: []string{"a", "b"}, Added: 2, Removed: 1}}
	if diff := cmp.Diff(want, p.Attempts); diff != "" || p.Attempt != 2 {
		t.Error(diff, p.Attempt)
	}
	if ref := p.Ref(); !cmp.Equal(ref.Attempts, want) || ref.Attempt != 2 {
		t.Errorf("%+v", ref)
	}
	got, err := s.TakeAttempt(Selector{}, 1)
	if err != nil || got.ID != p.ID || got.Revision != 2 || len(got.Files) != 1 || got.Files[0].Change.After != "2\n" || got.Verdict != "attempt 1 of 2: exit status 1" || got.Attempt != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := s.Discard(Selector{Revision: 1}); err == nil {
		t.Error("the revision before is still decided on")
	}
	got, err = s.TakeAttempt(Selector{Turn: "t-1"}, 2)
	if err != nil || got.Revision != 3 || len(got.Files) != 2 || len(got.Attempts) != 2 || got.Attempt != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := s.TakeAttempt(Selector{Revision: 1}, 1); !errors.Is(err, ErrStale) {
		t.Errorf("an attempt of a revision that is over: %v", err)
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
	states := []event.ProposalState{event.ProposalPending, event.ProposalSuperseded, event.ProposalPending, event.ProposalSuperseded, event.ProposalPending, event.ProposalDiscarded}
	if diff := cmp.Diff(states, told); diff != "" {
		t.Error(diff)
	}
}

// What was changed after the last attempt is one, too: it would be gone when another one is taken.
func TestTheContentIsAnAttempt(t *testing.T) {
	s := NewStore("/r", StoreOptions{})
	first := []edits.Change{update("a", "1\n", "2\n")}
	for name, last := range map[string][]edits.Change{
		"another text":     {update("a", "1\n", "3\n")},
		"one more file":    {update("a", "1\n", "2\n"), {Op: edits.OpCreate, Path: "b", After: "b\n"}},
		"another kind":     {{Op: edits.OpDelete, Path: "a", Before: "1\n"}},
		"another new name": {{Op: edits.OpRename, Path: "a", To: "c", Before: "1\n", After: "2\n"}},
	} {
		p, err := s.Add(name, "x", last, nil, Checked{Attempts: []Attempt{{Label: "one", Changes: first}}})
		if err != nil || len(p.Attempts) != 2 || p.Attempt != 2 || p.Attempts[1].Label != untried {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		if _, err := s.TakeAttempt(Selector{Proposal: p.ID}, 1); err != nil {
			t.Fatal(err)
		}
		back, err := s.TakeAttempt(Selector{Proposal: p.ID}, 2)
		if err != nil || !sameChanges([]edits.Change{back.Files[0].Change}, last[:1]) || len(back.Files) != len(last) || len(back.Attempts) != 2 {
			t.Errorf("%s: %+v, %v", name, back, err)
		}
	}
	p, err := s.Add("unchanged", "x", append(first, update("b", "1\n", "1\n")), nil, Checked{Attempts: []Attempt{{Label: "one", Changes: first}}})
	if err != nil || len(p.Attempts) != 1 || p.Attempt != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// Of two attempts that are the same, the one that was taken is the one that is shown.
func TestTheSameAttemptTwice(t *testing.T) {
	s := NewStore("/r", StoreOptions{})
	same := []edits.Change{update("a", "1\n", "2\n")}
	p, err := s.Add("t-1", "x", same, nil, Checked{Attempts: []Attempt{{Label: "one", Changes: same}, {Label: "two", Changes: same}}})
	if err != nil || p.Attempt != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	if got, err := s.TakeAttempt(Selector{}, 1); err != nil || got.Attempt != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Attempts wait as the proposal does, in the next server and in the one after it, with which of them was taken.
func TestAttemptsOutliveTheirServer(t *testing.T) {
	l := keeping(t)
	attempts := []Attempt{
		{Label: "exit status 1", Changes: []edits.Change{{Op: edits.OpUpdate, Path: "a", Before: "1\n", After: "\xff\n"}, {Op: edits.OpRename, Path: "old", To: "new", Before: "x\n", After: "y\n"}}},
		{Label: "it works", Changes: []edits.Change{update("a", "1\n", "3\n")}},
	}
	p, err := l.s.Add("t1", "heal", attempts[1].Changes, nil, Checked{Attempts: attempts})
	if err != nil {
		t.Fatal(err)
	}
	want, err := l.s.TakeAttempt(Selector{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for server := range 3 {
		if server == 1 {
			l.o.KeepPending = false // the command line between two servers
		}
		l.next()
		if l.o.KeepPending = true; server == 1 {
			continue
		}
		got := l.s.Pending()
		if len(got) != 1 || got[0].ID != p.ID || got[0].Attempt != 1 || !cmp.Equal(got[0].Attempts, want.Attempts) {
			t.Fatalf("server %d: %+v", server, got)
		}
	}
	last, err := l.s.TakeAttempt(Selector{}, 2)
	if err != nil || last.Files[0].Change.After != "3\n" || last.Revision != 3 {
		t.Fatalf("%+v, %v", last, err)
	}
	first, err := l.s.TakeAttempt(Selector{}, 1)
	if err != nil || len(first.Files) != 2 || first.Files[0].Change != attempts[0].Changes[0] || first.Files[1].Change != attempts[0].Changes[1] {
		t.Errorf("%+v, %v", first, err)
	}
}

// Attempts of a record that cannot be worked with are left out as a whole, since their numbers are what users name; the
// proposal stays.
func TestBrokenAttempts(t *testing.T) {
	whole := RecordFile{Path: "a", Op: edits.OpCreate}
	for name, r := range map[string]Record{
		"no number":      {Attempts: []recordAttempt{{Label: "one", Files: []RecordFile{whole}}}},
		"too high":       {Attempt: 2, Attempts: []recordAttempt{{Label: "one", Files: []RecordFile{whole}}}},
		"negative":       {Attempt: -1, Attempts: []recordAttempt{{Label: "one", Files: []RecordFile{whole}}}},
		"without files":  {Attempt: 1, Attempts: []recordAttempt{{Label: "one", Files: []RecordFile{whole}}, {Label: "two", Files: nil}}},
		"an unknown op":  {Attempt: 1, Attempts: []recordAttempt{{Label: "one", Files: []RecordFile{whole}}, {Label: "two", Files: []RecordFile{{Path: "a", Op: "explode"}}}}},
		"without a name": {Attempt: 1, Attempts: []recordAttempt{{Label: "one", Files: []RecordFile{{Op: edits.OpCreate}}}}},
	} {
		if got := attemptsOf(r); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := attemptsOf(Record{Attempt: 1, Attempts: []recordAttempt{{Label: "one", Files: []RecordFile{whole}}}}); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// A change without attempts says so, and a follow-up forgets those of the turn before.
func TestNoAttempts(t *testing.T) {
	s := NewStore("/r", StoreOptions{})
	if _, err := s.TakeAttempt(Selector{}, 1); err == nil {
		t.Error("taken of nothing")
	}
	changes := []edits.Change{update("a", "1\n", "2\n")}
	p, err := s.Add("t-1", "x", changes, nil, Checked{Attempts: []Attempt{{Label: "one", Changes: changes}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err = s.Supersede(p.ID, "t-2", "y", []edits.Change{update("a", "1\n", "3\n")}, nil, Checked{})
	if err != nil || p.Attempts != nil {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := s.TakeAttempt(Selector{}, 1); err == nil || !strings.Contains(err.Error(), "no other attempts") {
		t.Error(err)
	}
}
