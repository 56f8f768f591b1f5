package proposal

import (
	"context"
	"testing"

	"coauthor/edits"
)

// TestAnotherTurnDoesNotHideWhatWasUndone: only a later apply of the same turn stands in the way of a redo.
func TestAnotherTurnDoesNotHideWhatWasUndone(t *testing.T) {
	ctx := context.Background()
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
	s := newStore(t)
	apply := func(turn, path, before, after string) {
		t.Helper()
		p, err := s.Add(turn, turn, []edits.Change{update(path, before, after)}, nil, Checked{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Apply(ctx, Selector{Proposal: p.ID, Revision: 1}, ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	want := func(a string) {
		t.Helper()
		if turn, ok := s.Sent.LastUndone("a"); turn != a || ok != (a != "") {
			t.Errorf("LastUndone %q, %v; want %q", turn, ok, a)
		}
	}
	apply("one", "a", "a\n", "A\n")
	want("")
	out, err := s.Undo(ctx, "one", ed)
	wantOutcome(t, out, err, StatusUndone)
	want("one")
	apply("two", "b", "b\n", "B\n")
	want("one")
	out, err = s.Redo(ctx, "", ed)
	wantOutcome(t, out, err, StatusApplied)
	want("")
	if ed.text("a") != "A\n" || ed.text("b") != "B\n" {
		t.Errorf("%q", ed.all())
	}
}
