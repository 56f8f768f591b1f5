package proposal_test

import (
	"errors"
	"slices"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

func TestRoundNames(t *testing.T) {
	for name, want := range map[string]struct {
		turn  string
		round int
	}{
		"abc": {"abc", 0}, "abc.1": {"abc", 1}, "abc.12": {"abc", 12}, "abc.x": {"abc", 0}, "": {"", 0}, "abc.": {"abc", 0},
	} {
		if proposal.TurnOf(name) != want.turn || proposal.RoundOf(name) != want.round {
			t.Errorf("%q is round %d of %q", name, proposal.RoundOf(name), proposal.TurnOf(name))
		}
	}
	if got := proposal.RoundName("abc", 3); got != "abc.3" {
		t.Errorf("the third round is %q", got)
	}
}

// TestATurnOfRoundsIsMeant: the id of a turn that proposed in rounds stands for the one that waits, and is refused
// with the list where several do. The name of a round is that round.
func TestATurnOfRoundsIsMeant(t *testing.T) {
	s := proposal.NewStore("/r", proposal.StoreOptions{})
	var ids []string
	for n, after := range []string{"2\n", "3\n"} {
		p, err := s.Add(proposal.RoundName("t", n+1), "x", []edits.Change{{Path: "a", Op: edits.OpUpdate, Before: "1\n", After: after}}, nil, proposal.Checked{})
		if err != nil {
			t.Fatal(err)
		}
		if ref := p.Ref(); ref.Round != n+1 {
			t.Errorf("round %d is told as %d", n+1, ref.Round)
		}
		s.MarkShown(p.ID, 1)
		ids = append(ids, p.ID)
	}
	var refused *proposal.Refusal
	if _, err := s.Discard(proposal.Selector{Turn: "t"}); !errors.Is(err, proposal.ErrAmbiguous) || !errors.As(err, &refused) || len(refused.Candidates) != 2 {
		t.Fatalf("the turn is taken for one of two: %v", err)
	}
	if p, err := s.Find(proposal.Selector{Turn: "t.2"}); err != nil || p.ID != ids[1] {
		t.Errorf("the second round is %+v, %v", p, err)
	}
	if p, err := s.Discard(proposal.Selector{Turn: "t.1"}); err != nil || p.ID != ids[0] {
		t.Errorf("the first round: %+v, %v", p, err)
	}
	if p, err := s.Discard(proposal.Selector{Turn: "t"}); err != nil || p.ID != ids[1] {
		t.Errorf("the one that waits: %+v, %v", p, err)
	}
	if p, err := s.Find(proposal.Selector{Turn: "t"}); err != nil || p.ID != ids[1] {
		t.Errorf("the last one: %+v, %v", p, err)
	}
	if _, err := s.Find(proposal.Selector{Turn: "t.3"}); err == nil {
		t.Error("there is no third round")
	}
	if _, err := s.Find(proposal.Selector{Turn: "other"}); err == nil {
		t.Error("there is no other turn")
	}
}

// TestDropTakesRounds: going back to before a turn drops what its rounds propose.
func TestDropTakesRounds(t *testing.T) {
	s := proposal.NewStore("/r", proposal.StoreOptions{})
	for _, turn := range []string{"t.1", "t.2", "u"} {
		if _, err := s.Add(turn, "x", []edits.Change{{Path: "a", Op: edits.OpUpdate, Before: "1\n", After: "2\n"}}, nil, proposal.Checked{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.Drop([]string{"t"}); n != 2 || len(s.Pending()) != 1 {
		t.Errorf("%d are dropped, %d wait", n, len(s.Pending()))
	}
}

// What became of each round is known by its number, also where a round between them has proposed nothing.
func TestBecameOfRounds(t *testing.T) {
	s := proposal.NewStore("/r", proposal.StoreOptions{})
	for _, n := range []int{1, 3} {
		p, err := s.Add(proposal.RoundName("t", n), "x", []edits.Change{{Path: "a", Op: edits.OpUpdate, Before: "1\n", After: "2\n"}}, nil, proposal.Checked{})
		if err != nil {
			t.Fatal(err)
		}
		s.MarkShown(p.ID, 1)
	}
	if _, err := s.Discard(proposal.Selector{Turn: "t.1"}); err != nil {
		t.Fatal(err)
	}
	want := []event.ProposalState{event.ProposalDiscarded, "", event.ProposalPending}
	if got := s.Sent.BecameOfRounds("t"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.Sent.BecameOfRounds("u"); len(got) > 0 {
		t.Errorf("a turn without rounds has %q", got)
	}
}
