package proposal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

func TestSelection(t *testing.T) {
	s := newStore(t)
	if _, err := s.Select(Selector{}); !errors.Is(err, ErrNone) {
		t.Fatalf("empty store: %v", err)
	}
	p1, err := s.Add("t1", "first", []edits.Change{update("a", "a\n", "A\n"), update("b", "b\n", "B\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Select(Selector{}); !errors.Is(err, ErrNotShown) || !strings.Contains(err.Error(), "first (2 files, +2 -2, not viewed yet)") || strings.Contains(err.Error(), p1.ID) {
		t.Fatalf("never shown: %v", err)
	}
	if p, err := s.Find(Selector{}); err != nil || p.ID != p1.ID {
		t.Fatalf("to look at: %v", err)
	}
	if p, err := s.Select(Selector{Proposal: p1.ID, Revision: 1}); err != nil || p.ID != p1.ID {
		t.Fatalf("with its revision: %v", err)
	}
	s.MarkShown(p1.ID, 1)
	if p, err := s.Select(Selector{}); err != nil || p.ID != p1.ID {
		t.Fatalf("the one pending: %v", err)
	}

	p2, err := s.Supersede(p1.ID, "t2", "second", []edits.Change{update("a", "a\n", "AA\n")}, nil, Checked{})
	if err != nil || p2.ID != p1.ID || p2.Revision != 2 || p2.State != event.ProposalPending {
		t.Fatalf("supersede: %+v, %v", p2, err)
	}
	for _, sel := range []Selector{{}, {Proposal: p1.ID}, {Turn: "t2"}} {
		if _, err := s.Select(sel); !errors.Is(err, ErrNotShown) {
			t.Fatalf("%+v: %v", sel, err)
		}
	}
	for _, sel := range []Selector{{Proposal: p1.ID, Revision: 1}, {Turn: "t1", Revision: 2}, {Revision: 7}, {Turn: "t1", Revision: 1}} {
		if _, err := s.Select(sel); !errors.Is(err, ErrStale) {
			t.Fatalf("%+v: %v", sel, err)
		}
	}
	s.MarkShown(p1.ID, 2)
	s.MarkShown(p1.ID, 1)
	s.MarkShown(p1.ID, 3)
	if p, err := s.Select(Selector{}); err != nil || p.Shown != 2 {
		t.Fatalf("shown: %+v, %v", p, err)
	}

	p3, err := s.Add("t3", "third", []edits.Change{update("c", "c\n", "C\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Select(Selector{})
	var refusal *Refusal
	if !errors.As(err, &refusal) || !errors.Is(err, ErrNotShown) || len(refusal.Candidates) != 2 ||
		!strings.Contains(err.Error(), "second (1 file") || !strings.Contains(err.Error(), "third (1 file") ||
		refusal.Candidates[0].ID != p1.ID || refusal.Candidates[1].ID != p3.ID {
		t.Fatalf("two pending, the newest not seen: %v", err)
	}
	s.MarkShown(p3.ID, 1)
	if p, err := s.Select(Selector{}); err != nil || p.ID != p3.ID || s.Among(Selector{}) != 2 || s.Among(Selector{Turn: "t2"}) != 0 {
		t.Fatalf("two pending: %+v, %v", p, err)
	}
	if _, err := s.Select(Selector{Proposal: "nope"}); !errors.Is(err, ErrNone) {
		t.Fatalf("unknown proposal: %v", err)
	}
	if _, err := s.Select(Selector{Turn: "nope"}); !errors.Is(err, ErrNone) {
		t.Fatalf("unknown turn: %v", err)
	}
	if _, err := s.Select(Selector{Turn: "t2", Files: []string{"zzz"}}); !errors.Is(err, ErrNoFile) {
		t.Fatalf("unknown file: %v", err)
	}
	if p, err := s.Discard(Selector{Turn: "t2"}); err != nil || p.State != event.ProposalDiscarded {
		t.Fatalf("discard: %v", err)
	}
	if _, err := s.Discard(Selector{Turn: "t2"}); !errors.Is(err, ErrDecided) {
		t.Fatalf("discard again: %v", err)
	}
	s.MarkShown(p3.ID, 1)
	if p, err := s.Select(Selector{}); err != nil || p.ID != p3.ID {
		t.Fatalf("the one left: %v", err)
	}
}

func TestHunksNeedOneFile(t *testing.T) {
	s := newStore(t)
	add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"))
	if _, err := s.Select(Selector{Hunks: []int{1}}); !errors.Is(err, ErrNoHunk) {
		t.Fatalf("hunks of two files: %v", err)
	}
	if _, err := s.Discard(Selector{Files: []string{"a"}, Hunks: []int{1}}); err != nil {
		t.Fatal(err)
	}
	p := s.Pending()
	if len(p) != 1 || len(p[0].Files[0].Undecided()) != 0 || len(p[0].Files[1].Undecided()) != 1 {
		t.Fatalf("%+v", p)
	}
}

func TestAddRefusesWhatIsNoProposal(t *testing.T) {
	s := newStore(t)
	for name, changes := range map[string][]edits.Change{
		"nothing":        nil,
		"no difference":  {update("a", "a\n", "a\n")},
		"one file twice": {update("a", "a\n", "b\n"), update("a", "b\n", "c\n")},
		"crossing":       {update("a", "a\n", "b\n"), {Path: "b", To: "a", Op: edits.OpRename}},
	} {
		if p, err := s.Add("t", "", changes, nil, Checked{}); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if len(s.Pending()) != 0 {
		t.Error("something was kept")
	}
}

func TestCopiesDoNotLeadBack(t *testing.T) {
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"))
	p.Files[0].set([]int{1}, HunkDiscarded)
	p.State = event.ProposalDiscarded
	if got, _ := s.Get(p.ID); got.State != event.ProposalPending || len(got.Files[0].Undecided()) != 1 {
		t.Fatalf("%+v", got)
	}
}

func TestCopiesOfDecisionsDoNotLeadBack(t *testing.T) {
	s := newStore(t)
	p := add(t, s, update("a", numbered(9), "x\n"+numbered(9)+"y\n"))
	if _, err := s.Discard(Selector{Hunks: []int{1}}); err != nil {
		t.Fatal(err)
	}
	for _, get := range []func() Proposal{
		func() Proposal { got, _ := s.Get(p.ID); return got },
		func() Proposal { return s.Pending()[0] },
		func() Proposal { got, _ := s.Find(Selector{}); return got },
	} {
		got := get()
		got.Files[0].set([]int{2}, HunkDiscarded)
		got.Files[0].set([]int{1}, HunkOpen)
		got.Files[0].Change.Path = "elsewhere"
		if got := get(); !slices.Equal(got.Files[0].Undecided(), []int{2}) || got.Files[0].Path() != "a" {
			t.Fatalf("%+v", got)
		}
	}
}

func TestOldProposalsAreForgotten(t *testing.T) {
	s := newStore(t)
	first := add(t, s, update("a", "a\n", "A\n"))
	if _, err := s.Discard(Selector{}); err != nil {
		t.Fatal(err)
	}
	kept := add(t, s, update("kept", "a\n", "A\n"))
	for range keepDecided + 5 {
		p := add(t, s, update("a", "a\n", "A\n"))
		if _, err := s.Discard(Selector{Proposal: p.ID}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := s.Get(first.ID); ok {
		t.Error("the first is still there")
	}
	if _, ok := s.Get(kept.ID); !ok {
		t.Error("a pending one is gone")
	}
}

func TestEveryChangeIsTold(t *testing.T) {
	var states []event.ProposalState
	var s *Store
	s = NewStore("", StoreOptions{Random: &numbers{}, Changed: func(p Proposal) {
		states = append(states, p.State)
		s.Pending() // it may call back
	}})
	ed := newEditor(t, map[string]string{"a": "a\n"})
	add(t, s, update("a", "a\n", "A\n"))
	if _, err := s.Supersede(s.Pending()[0].ID, "t2", "", []edits.Change{update("a", "a\n", "AA\n")}, nil, Checked{}); err != nil {
		t.Fatal(err)
	}
	s.MarkShown(s.Pending()[0].ID, 2)
	if _, err := s.Apply(context.Background(), Selector{}, ed); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(context.Background(), "", ed); err != nil {
		t.Fatal(err)
	}
	want := "[pending superseded pending applying applied undone]"
	if got := "[" + join(states) + "]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func join(states []event.ProposalState) string {
	list := make([]string, len(states))
	for i, s := range states {
		list[i] = string(s)
	}
	return strings.Join(list, " ")
}
