package proposal

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// TestNoRedoBeyondALaterApply: what a turn applied after it was undone must not be overtaken by a redo.
func TestNoRedoBeyondALaterApply(t *testing.T) {
	ctx := context.Background()
	files := map[string]string{"a": "a\n", "b": "b\n"}
	ed := newEditor(t, files)
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"))
	apply := func(path string) {
		t.Helper()
		out, err := s.Apply(ctx, Selector{Proposal: p.ID, Files: []string{path}}, ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	apply("a")
	out, err := s.Undo(ctx, "turn1", ed)
	wantOutcome(t, out, err, StatusUndone)
	if turn, ok := s.Sent.LastUndone("a"); !ok || turn != "turn1" {
		t.Fatalf("LastUndone %q, %v", turn, ok)
	}
	if _, ok := s.Sent.LastUndone("b"); ok {
		t.Fatal("b was not undone")
	}
	// The same turn applies something else: the past is another one now.
	q, err := s.Add("turn1", "again", []edits.Change{update("b", "b\n", "BB\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	out, err = s.Apply(ctx, Selector{Proposal: q.ID, Revision: 1}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if out, err := s.Redo(ctx, "turn1", ed); !errors.Is(err, ErrNotUndone) {
		t.Fatalf("redo: %+v, %v", out, err)
	}
	if turn, ok := s.Sent.LastUndone("a"); ok {
		t.Errorf("%q can be brought back beyond a later apply", turn)
	}
	if got := ed.all(); !maps.Equal(got, map[string]string{"a": "a\n", "b": "BB\n"}) {
		t.Fatalf("%q", got)
	}
	// When that is undone too, all of it can be brought back.
	out, err = s.Undo(ctx, "turn1", ed)
	wantOutcome(t, out, err, StatusUndone)
	out, err = s.Redo(ctx, "turn1", ed)
	wantOutcome(t, out, err, StatusApplied)
	if got := ed.all(); !maps.Equal(got, map[string]string{"a": "A\n", "b": "BB\n"}) {
		t.Fatalf("%q", got)
	}
}

// TestTurnsAreUndoneOneByOne: without a name it is the last one, and a name reaches further back.
func TestTurnsAreUndoneOneByOne(t *testing.T) {
	ctx := context.Background()
	base := numbered(30)
	ed := newEditor(t, map[string]string{"a": base})
	s := newStore(t)
	if _, err := s.Undo(ctx, "", ed); !errors.Is(err, ErrNotUndone) {
		t.Errorf("undo of nothing: %v", err)
	}
	if _, err := s.Redo(ctx, "", ed); !errors.Is(err, ErrNotUndone) {
		t.Errorf("redo of nothing: %v", err)
	}
	for i, line := range []string{"line 3\n", "line 13\n", "line 23\n"} {
		turn := []string{"one", "two", "three"}[i]
		p, err := s.Add(turn, turn, []edits.Change{update("a", ed.text("a"), strings.Replace(ed.text("a"), line, turn+"\n", 1))}, ed.Current(), Checked{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Apply(ctx, Selector{Proposal: p.ID, Revision: 1}, ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	has := func(one, two, three bool) {
		t.Helper()
		for turn, want := range map[string]bool{"one\n": one, "two\n": two, "three\n": three} {
			if strings.Contains(ed.text("a"), turn) != want {
				t.Fatalf("%q is there: %v", turn, !want)
			}
		}
	}
	undo := func(turn, want string) {
		t.Helper()
		out, err := s.Undo(ctx, turn, ed)
		wantOutcome(t, out, err, StatusUndone)
		if out.Turn != want {
			t.Fatalf("undid %q", out.Turn)
		}
		if last, ok := s.Sent.LastUndone("a"); !ok || last != want {
			t.Fatalf("LastUndone %q, %v", last, ok)
		}
	}
	undo("two", "two")
	has(true, false, true)
	undo("", "three")
	has(true, false, false)
	if turn, ok := s.Sent.LastApplied("a"); !ok || turn != "one" {
		t.Fatalf("LastApplied %q, %v", turn, ok)
	}
	for _, turn := range []string{"two", "three", "never"} {
		if _, err := s.Undo(ctx, turn, ed); !errors.Is(err, ErrNotUndone) {
			t.Errorf("undo of %s: %v", turn, err)
		}
	}
	for _, turn := range []string{"one", "never"} {
		if _, err := s.Redo(ctx, turn, ed); !errors.Is(err, ErrNotUndone) {
			t.Errorf("redo of %s: %v", turn, err)
		}
	}
	out, err := s.Redo(ctx, "", ed)
	wantOutcome(t, out, err, StatusApplied)
	has(true, false, true)
	out, err = s.Redo(ctx, "two", ed)
	wantOutcome(t, out, err, StatusApplied)
	has(true, true, true)
	for _, turn := range []string{"three", "two", "one"} {
		undo(turn, turn)
	}
	if ed.text("a") != base {
		t.Fatalf("%q", ed.text("a"))
	}
	if _, ok := s.Sent.LastApplied("a"); ok {
		t.Error("nothing is applied any more")
	}
	if _, err := s.Undo(ctx, "", ed); !errors.Is(err, ErrNotUndone) {
		t.Errorf("undo of nothing that is left: %v", err)
	}
}

// TestUndoByHandIsNoticed: the user took back a part, or all, with the keys of the editor.
func TestUndoByHandIsNoticed(t *testing.T) {
	ctx := context.Background()
	before := map[string]string{"a": numbered(5), "b": "b\n"}
	for name, byHand := range map[string][]string{"nothing": nil, "a part": {"a"}, "all": {"a", "b", "new"}} {
		t.Run(name, func(t *testing.T) {
			l := newLife(t)
			l.next()
			ed := newEditor(t, before)
			var states []event.ProposalState
			l.s.book.o.Changed = func(p Proposal) { states = append(states, p.State) }
			out := l.apply(ed, "turn1", update("a", before["a"], "A\n"+before["a"]), update("b", "b\n", "B\n"),
				edits.Change{Path: "new", Op: edits.OpCreate, After: "n\n"})
			id := out.Proposal
			for _, path := range byHand {
				if path == "new" {
					ed.remove(path)
				} else {
					ed.typed(path, before[path])
				}
			}
			plans := len(ed.plans)
			out, err := l.s.Undo(ctx, "", ed)
			wantOutcome(t, out, err, StatusUndone)
			if got := ed.all(); !maps.Equal(got, before) {
				t.Fatalf("%q", got)
			}
			if sent := len(ed.plans) > plans; sent != (len(byHand) < 3) {
				t.Errorf("sent something: %v", sent)
			}
			for _, f := range out.Files {
				if f.State != LandLanded {
					t.Errorf("%+v", f)
				}
			}
			if p, _ := l.s.Get(id); p.State != event.ProposalUndone || states[len(states)-1] != event.ProposalUndone {
				t.Errorf("state %s, told %v", p.State, states)
			}
			for restart := range 2 {
				for path := range map[string]bool{"a": true, "b": true, "new": true} {
					if turn, ok := l.s.Sent.LastApplied(path); ok {
						t.Errorf("restart %d: %s is taken for applied by %s", restart, path, turn)
					}
				}
				if _, err := l.s.Undo(ctx, "turn1", ed); !errors.Is(err, ErrNotUndone) {
					t.Errorf("restart %d: undone again: %v", restart, err)
				}
				l.next()
			}
		})
	}
}

// TestAConflictOfUndo changes nothing and leaves the turn applied; with the way free it goes.
func TestAConflictOfUndo(t *testing.T) {
	ctx := context.Background()
	ed := newEditor(t, map[string]string{"a": numbered(9), "b": "b\n"})
	s := newStore(t)
	goal := strings.Replace(numbered(9), "line 5\n", "five\n", 1)
	p := add(t, s, update("a", numbered(9), goal), update("b", "b\n", "B\n"), edits.Change{Path: "new", Op: edits.OpCreate, After: "n\n"})
	out, err := s.Apply(ctx, Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	mine := strings.Replace(goal, "five\n", "mine\n", 1)
	for _, way := range []struct{ path, text, free string }{{"a", mine, goal}, {"new", "n\nmine\n", "n\n"}} {
		ed.typed(way.path, way.text)
		there := ed.all()
		out, err = s.Undo(ctx, "", ed)
		wantOutcome(t, out, err, StatusConflict)
		if !strings.Contains(out.Reason, way.path) || !maps.Equal(ed.all(), there) {
			t.Fatalf("%q, %q", out.Reason, ed.all())
		}
		for _, f := range out.Files {
			if want := map[bool]LandState{true: LandRefused, false: LandAbsent}[f.Path == way.path]; f.State != want || f.Reason == "" {
				t.Errorf("%+v", f)
			}
		}
		if got, _ := s.Get(p.ID); got.State != event.ProposalApplied || got.Reason != out.Reason {
			t.Fatalf("state %s, reason %q", got.State, got.Reason)
		}
		ed.typed(way.path, way.free)
	}
	out, err = s.Undo(ctx, "", ed)
	wantOutcome(t, out, err, StatusUndone)
	if got := ed.all(); !maps.Equal(got, map[string]string{"a": numbered(9), "b": "b\n"}) {
		t.Fatalf("%q", got)
	}
	if got, _ := s.Get(p.ID); got.State != event.ProposalUndone || got.Reason != "" {
		t.Errorf("state %s, reason %q", got.State, got.Reason)
	}
}

// TestHalfAnUndo: the editor refuses one file, and the rest can be taken back later.
func TestHalfAnUndo(t *testing.T) {
	ctx := context.Background()
	before := map[string]string{"a": "a\n", "b": "b\n"}
	ed := newEditor(t, before)
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"))
	out, err := s.Apply(ctx, Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	ed.answer = func(step Step) (Landed, bool) {
		return Landed{State: LandRefused, Reason: "no"}, step.Change.Path == "b"
	}
	out, err = s.Undo(ctx, "", ed)
	wantOutcome(t, out, err, StatusPartial)
	if got, _ := s.Get(p.ID); got.State != event.ProposalApplied || got.Reason != "no" {
		t.Fatalf("state %s, reason %q", got.State, got.Reason)
	}
	if _, ok := s.Sent.LastApplied("a"); ok {
		t.Error("a is undone")
	}
	if turn, ok := s.Sent.LastApplied("b"); !ok || turn != "turn1" {
		t.Error("b is not undone")
	}
	ed.answer = nil
	out, err = s.Undo(ctx, "turn1", ed)
	wantOutcome(t, out, err, StatusUndone)
	if len(out.Files) != 1 || !maps.Equal(ed.all(), before) {
		t.Fatalf("%+v, %q", out, ed.all())
	}
	if got, _ := s.Get(p.ID); got.State != event.ProposalUndone {
		t.Errorf("state %s", got.State)
	}
	out, err = s.Redo(ctx, "", ed)
	wantOutcome(t, out, err, StatusApplied)
	if !maps.Equal(ed.all(), map[string]string{"a": "A\n", "b": "B\n"}) {
		t.Fatalf("%q", ed.all())
	}
}

// TestMovesInARow: a turn that moved a file twice takes it back in one move, wherever the user stands.
func TestMovesInARow(t *testing.T) {
	ctx := context.Background()
	before := map[string]string{"a": numbered(9), "z": "z\n"}
	ed := newEditor(t, before)
	s := newStore(t)
	from, text := "a", numbered(9)
	for i, to := range []string{"b", "dir/c", "d"} {
		next := text + to + "\n"
		p, err := s.Add("turn1", "move it", []edits.Change{{Path: from, To: to, Op: edits.OpRename, Before: text, After: next}}, nil, Checked{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Apply(ctx, Selector{Proposal: p.ID, Revision: 1}, ed)
		wantOutcome(t, out, err, StatusApplied)
		if from, text = to, next; len(ed.plans) != i+1 {
			t.Fatalf("%d plans", len(ed.plans))
		}
	}
	ed.typed("d", "typed\n"+text)
	out, err := s.Undo(ctx, "turn1", ed)
	wantOutcome(t, out, err, StatusUndone)
	if got := ed.all(); !maps.Equal(got, map[string]string{"a": "typed\n" + numbered(9), "z": "z\n"}) {
		t.Fatalf("%q", got)
	}
	if last := ed.plans[len(ed.plans)-1]; len(last) != 1 || last[0].Change.Op != edits.OpRename || last[0].Change.Path != "d" || last[0].Change.To != "a" {
		t.Errorf("plan %+v", last)
	}
	out, err = s.Redo(ctx, "turn1", ed)
	wantOutcome(t, out, err, StatusApplied)
	if got := ed.all(); !maps.Equal(got, map[string]string{"d": "typed\n" + text, "z": "z\n"}) {
		t.Fatalf("%q", got)
	}
}

// TestTheEditorsOwnWayIsRemembered: line ends that an editor put in are no change of the user's, for this
// server and for the next.
func TestTheEditorsOwnWayIsRemembered(t *testing.T) {
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	before := map[string]string{"a": numbered(5)}
	for _, restarts := range []int{0, 1, 3} {
		ed := newEditor(t, before)
		ed.answer = func(step Step) (Landed, bool) {
			text := crlf(step.Change.After)
			ed.put(step.Change.Path, text)
			return Landed{State: LandLanded, Text: &text}, true
		}
		l := newLife(t)
		l.next()
		l.apply(ed, "t", update("a", before["a"], before["a"]+"more\n"), edits.Change{Path: "new", Op: edits.OpCreate, After: "1\n2\n"})
		ed.answer = nil
		for range restarts {
			if n := l.next(); n != 1 {
				t.Fatalf("adopted %d", n)
			}
		}
		out, err := l.s.Undo(context.Background(), "", ed)
		wantOutcome(t, out, err, StatusUndone)
		if got := ed.all(); !maps.Equal(got, before) {
			t.Fatalf("after %d restarts: %q", restarts, got)
		}
		out, err = l.s.Redo(context.Background(), "", ed)
		wantOutcome(t, out, err, StatusApplied)
		if got := ed.all(); got["a"] != crlf(before["a"]+"more\n") || got["new"] != crlf("1\n2\n") {
			t.Fatalf("after %d restarts: %q", restarts, got)
		}
	}
}

// TestLabels: what the editor shows of an undo names what is undone, and once.
func TestLabels(t *testing.T) {
	ctx := context.Background()
	ed := newEditor(t, map[string]string{"a": "a\n"})
	var labels []string
	port := labelled{ed, &labels}
	l := newLife(t)
	l.next()
	p, err := l.s.Add("t", "make it", []edits.Change{update("a", "a\n", "A\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := l.s.Apply(ctx, Selector{Proposal: p.ID, Revision: 1}, port); err != nil || out.Status != StatusApplied {
		t.Fatal(out, err)
	}
	for range 2 {
		if _, err := l.s.Undo(ctx, "", port); err != nil {
			t.Fatal(err)
		}
		if _, err := l.s.Redo(ctx, "", port); err != nil {
			t.Fatal(err)
		}
		l.next()
	}
	want := "make it|undo: make it|redo: make it|undo: make it|redo: make it"
	if got := strings.Join(labels, "|"); got != want {
		t.Errorf("labels %s", got)
	}
}

type labelled struct {
	*editor
	labels *[]string
}

func (l labelled) Deliver(ctx context.Context, label string, plan []Step) ([]Landed, error) {
	*l.labels = append(*l.labels, label)
	return l.editor.Deliver(ctx, label, plan)
}
