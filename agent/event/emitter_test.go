package event

import (
	"slices"
	"testing"
)

// Who started a turn is told of it, also after its end, and by numbers that go on; of turns that nobody started here
// somebody else is told. What was forgotten is such a turn.
func TestEmitters(t *testing.T) {
	var mine, others []uint64
	m := NewEmitters(func(e Event) { others = append(others, e.Seq) })
	m.Start("t1", func(e Event) { mine = append(mine, e.Seq) }).Emit(Event{Kind: KindState})
	m.Of("t1").Emit(Event{Kind: KindEnded})
	m.Of("t1").Emit(Event{Kind: KindProposal})
	m.Of("t0").Emit(Event{Kind: KindProposal})
	if !slices.Equal(mine, []uint64{1, 2, 3}) || !slices.Equal(others, []uint64{1}) {
		t.Errorf("told %v and %v", mine, others)
	}
	m.Forget(func(turn string) bool { return turn == "t1" })
	m.Of("t1").Emit(Event{Kind: KindProposal})
	m.Of("t0").Emit(Event{Kind: KindProposal})
	if len(mine) != 3 || !slices.Equal(others, []uint64{1, 1, 2}) {
		t.Errorf("after it was forgotten: %v and %v", mine, others)
	}
}
