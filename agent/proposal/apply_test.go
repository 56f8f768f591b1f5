package proposal

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

func TestApplyThenUndoThenRedo(t *testing.T) {
	before := map[string]string{"a.go": numbered(20), "gone.go": "x\n", "old.go": numbered(5)}
	ed := newEditor(t, before)
	s := newStore(t)
	changed := strings.Replace(before["a.go"], "line 3\n", "three\n", 1)
	add(t, s,
		update("a.go", before["a.go"], changed),
		edits.Change{Path: "dir/new.go", Op: edits.OpCreate, After: "new\n"},
		edits.Change{Path: "gone.go", Op: edits.OpDelete, Before: "x\n"},
		edits.Change{Path: "old.go", To: "moved.go", Op: edits.OpRename, Before: numbered(5), After: numbered(5) + "more\n"},
	)
	after := map[string]string{"a.go": changed, "dir/new.go": "new\n", "moved.go": numbered(5) + "more\n"}

	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if got := ed.all(); !maps.Equal(got, after) {
		t.Fatalf("after apply: %q", got)
	}
	if turn, ok := s.Sent.LastApplied("moved.go"); !ok || turn != "turn1" {
		t.Fatalf("LastApplied = %q, %v", turn, ok)
	}
	var order []edits.Op
	for _, step := range ed.plans[0] {
		order = append(order, step.Change.Op)
	}
	if want := []edits.Op{edits.OpCreate, edits.OpUpdate, edits.OpRename, edits.OpDelete}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	for range 2 {
		out, err = s.Undo(context.Background(), "", ed)
		wantOutcome(t, out, err, StatusUndone)
		if got := ed.all(); !maps.Equal(got, before) {
			t.Fatalf("after undo: %q", got)
		}
		if p, _ := s.Get(out.Proposal); p.State != event.ProposalUndone {
			t.Fatalf("state after undo: %s", p.State)
		}
		if _, err = s.Undo(context.Background(), "turn1", ed); !errors.Is(err, ErrNotUndone) {
			t.Fatalf("second undo: %v", err)
		}
		out, err = s.Redo(context.Background(), "turn1", ed)
		wantOutcome(t, out, err, StatusApplied)
		if got := ed.all(); !maps.Equal(got, after) {
			t.Fatalf("after redo: %q", got)
		}
		if _, err = s.Redo(context.Background(), "turn1", ed); !errors.Is(err, ErrNotUndone) {
			t.Fatalf("second redo: %v", err)
		}
	}
}

func TestTypedMeanwhileIsKept(t *testing.T) {
	base := numbered(30)
	ed := newEditor(t, map[string]string{"a": base})
	s := newStore(t)
	add(t, s, update("a", base, strings.Replace(base, "line 20\n", "TWENTY\n", 1)))
	ed.typed("a", "typed\n"+base)
	// And again in the moment between plan and delivery.
	once := true
	ed.before = func() {
		if once {
			once = false
			ed.typed("a", ed.text("a")+"at the end\n")
		}
	}
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	want := "typed\n" + strings.Replace(base, "line 20\n", "TWENTY\n", 1) + "at the end\n"
	if got := ed.text("a"); got != want {
		t.Fatalf("got %q", got)
	}
	ed.typed("a", want+"later\n")
	out, err = s.Undo(context.Background(), "turn1", ed)
	wantOutcome(t, out, err, StatusUndone)
	if got := ed.text("a"); got != "typed\n"+base+"at the end\nlater\n" {
		t.Fatalf("after undo %q", got)
	}
}

func TestConflictRefusesAllAndStaysPending(t *testing.T) {
	base := numbered(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	ed := newEditor(t, map[string]string{"a": base, "b": base})
	s := newStore(t)
	p := add(t, s, update("a", base, goal), update("b", base, goal))
	mine := strings.Replace(base, "line 5\n", "mine\n", 1)
	ed.typed("b", mine)

	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusConflict)
	if len(ed.plans) != 0 || ed.text("a") != base || ed.text("b") != mine {
		t.Fatal("something was changed")
	}
	if !strings.Contains(out.Reason, "you edited the same lines in b") {
		t.Errorf("reason %q", out.Reason)
	}
	if pending := s.Pending(); len(pending) != 1 || pending[0].State != event.ProposalConflict || pending[0].Reason != out.Reason {
		t.Fatalf("pending %+v", pending)
	}
	// The other file can be had, and the rest once the conflict is gone.
	out, err = s.Apply(context.Background(), Selector{Proposal: p.ID, Files: []string{"a"}}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if got, _ := s.Get(p.ID); got.State != event.ProposalPartial {
		t.Fatalf("state %s", got.State)
	}
	ed.typed("b", base)
	out, err = s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if got, _ := s.Get(p.ID); got.State != event.ProposalApplied || ed.text("b") != goal {
		t.Fatalf("state %s, b %q", got.State, ed.text("b"))
	}
}

func TestWhatIsInTheWay(t *testing.T) {
	change := func(op edits.Op) edits.Change {
		return edits.Change{Path: "a", Op: op, To: map[edits.Op]string{edits.OpRename: "to"}[op], Before: "old\n", After: map[bool]string{true: "new\n"}[op != edits.OpDelete]}
	}
	for _, test := range []struct {
		name   string
		files  map[string]string
		change edits.Change
		want   Status
		reason string
	}{
		{"update of a file that is gone", map[string]string{}, change(edits.OpUpdate), StatusConflict, "no longer exists"},
		{"create over a file", map[string]string{"a": "mine\n"}, change(edits.OpCreate), StatusConflict, "already exists"},
		{"create over an empty file", map[string]string{"a": ""}, change(edits.OpCreate), StatusApplied, ""},
		{"create of what is there", map[string]string{"a": "new\n"}, change(edits.OpCreate), StatusApplied, ""},
		{"delete of a changed file", map[string]string{"a": "mine\n"}, change(edits.OpDelete), StatusConflict, "not deleted"},
		{"delete of a file that is gone", map[string]string{}, change(edits.OpDelete), StatusApplied, ""},
		{"rename to an existing file", map[string]string{"a": "old\n", "to": "x"}, change(edits.OpRename), StatusConflict, "already exists"},
		{"rename to an empty file", map[string]string{"a": "old\n", "to": ""}, change(edits.OpRename), StatusApplied, ""},
		{"rename of a file that is gone", map[string]string{}, change(edits.OpRename), StatusConflict, "no longer exists"},
		{"rename that was done, and typed into", map[string]string{"to": "new\ntyped\n"}, change(edits.OpRename), StatusConflict, "no longer exists"},
		{"rename of a changed file", map[string]string{"a": "mine\n"}, change(edits.OpRename), StatusConflict, "edited the same lines"},
		{"rename of a file that was typed into", map[string]string{"a": "old\n\n\ntyped\n"}, edits.Change{Path: "a", To: "to", Op: edits.OpRename, Before: "old\n", After: "old\n"}, StatusApplied, ""},
		{"rename that was half done", map[string]string{"to": "old\n"}, change(edits.OpRename), StatusApplied, ""},
		{"create over a blank file", map[string]string{"a": "\n"}, change(edits.OpCreate), StatusApplied, ""},
		{"delete of an emptied file", map[string]string{"a": ""}, change(edits.OpDelete), StatusConflict, "not deleted"},
		{"update of what is there", map[string]string{"a": "new\n"}, change(edits.OpUpdate), StatusApplied, ""},
		{"update of an emptied file", map[string]string{"a": ""}, change(edits.OpUpdate), StatusConflict, "edited the same lines"},
		{"no operation", map[string]string{"a": "old\n"}, change("nonsense"), StatusConflict, "nonsense"},
		{"rename that was done", map[string]string{"to": "new\n"}, change(edits.OpRename), StatusApplied, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			ed := newEditor(t, test.files)
			s := newStore(t)
			if test.change.Op == edits.OpCreate {
				test.change.Before = ""
			}
			add(t, s, test.change)
			out, err := s.Apply(context.Background(), Selector{}, ed)
			wantOutcome(t, out, err, test.want)
			if !strings.Contains(out.Reason, test.reason) {
				t.Errorf("reason %q", out.Reason)
			}
			path := test.change.Path
			if test.change.Op == edits.OpRename {
				path = test.change.To
			}
			if got := ed.text(path); test.want == StatusApplied && !strings.HasPrefix(got, test.change.After) {
				t.Errorf("%s reads %q", path, got)
			}
		})
	}
}

func TestRenamesThatCross(t *testing.T) {
	files := map[string]string{"a": "A\n", "b": "B\n"}
	ed := newEditor(t, files)
	s := newStore(t)
	add(t, s,
		edits.Change{Path: "a", To: "c", Op: edits.OpRename, Before: "A\n", After: "A2\n"},
		update("b", "B\n", "B2\n"),
	)
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	// The user makes a new file under the old name: the move back is in the way of it.
	ed.typed("a", "mine\n")
	out, err = s.Undo(context.Background(), "", ed)
	wantOutcome(t, out, err, StatusConflict)
	if got := ed.all(); !maps.Equal(got, map[string]string{"a": "mine\n", "b": "B2\n", "c": "A2\n"}) {
		t.Fatalf("%q", got)
	}
}

func TestHunkByHunk(t *testing.T) {
	base := numbered(40)
	goal := strings.NewReplacer("line 5\n", "five\nand a half\n", "line 20\n", "", "line 35\n", "thirty-five\n").Replace(base)
	ed := newEditor(t, map[string]string{"a": base})
	s := newStore(t)
	p := add(t, s, update("a", base, goal))
	if n := len(p.Files[0].Hunks); n != 3 {
		t.Fatalf("%d hunks", n)
	}
	apply := func(hunks ...int) {
		t.Helper()
		out, err := s.Apply(context.Background(), Selector{Files: []string{"a"}, Hunks: hunks}, ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	apply(2)
	if want := strings.Replace(base, "line 20\n", "", 1); ed.text("a") != want {
		t.Fatalf("hunk 2: %q", ed.text("a"))
	}
	if _, err := s.Apply(context.Background(), Selector{Hunks: []int{2}}, ed); !errors.Is(err, ErrDecided) {
		t.Fatalf("hunk 2 again: %v", err)
	}
	if _, err := s.Apply(context.Background(), Selector{Hunks: []int{9}}, ed); !errors.Is(err, ErrNoHunk) {
		t.Fatalf("hunk 9: %v", err)
	}
	ed.typed("a", "typed\n"+ed.text("a"))
	apply(1)
	got, err := s.Discard(Selector{Hunks: []int{3}})
	if err != nil || got.State != event.ProposalApplied {
		t.Fatalf("discard hunk 3: %v, %s", err, got.State)
	}
	want := "typed\n" + strings.NewReplacer("line 5\n", "five\nand a half\n", "line 20\n", "").Replace(base)
	if ed.text("a") != want {
		t.Fatalf("got %q", ed.text("a"))
	}
	out, err := s.Undo(context.Background(), "", ed)
	wantOutcome(t, out, err, StatusUndone)
	if ed.text("a") != "typed\n"+base {
		t.Fatalf("after undo %q", ed.text("a"))
	}
	out, err = s.Redo(context.Background(), "", ed)
	wantOutcome(t, out, err, StatusApplied)
	if ed.text("a") != want {
		t.Fatalf("after redo %q", ed.text("a"))
	}
}

func TestUnverifiedSettlesLater(t *testing.T) {
	base := numbered(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	silent := func(Step) (Landed, bool) { return Landed{State: LandUnknown}, true }

	t.Run("it arrives", func(t *testing.T) {
		ed := newEditor(t, map[string]string{"a": base})
		ed.answer = silent
		s := newStore(t)
		p := add(t, s, update("a", base, goal))
		out, err := s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusUnverified)
		if _, err := s.Select(Selector{Proposal: p.ID}); !errors.Is(err, ErrDecided) {
			t.Fatalf("select: %v", err)
		}
		s.Sent.Settle("a", base+"typed before it came\n")
		s.Sent.Settle("other", goal)
		if got, _ := s.Get(p.ID); got.State != event.ProposalUnverified {
			t.Fatalf("state %s", got.State)
		}
		s.Sent.Settle("a", goal+"typed\n")
		if got, _ := s.Get(p.ID); got.State != event.ProposalApplied {
			t.Fatalf("state %s", got.State)
		}
		ed.typed("a", goal+"typed\n")
		ed.answer = nil
		out, err = s.Undo(context.Background(), "", ed)
		wantOutcome(t, out, err, StatusUndone)
		if ed.text("a") != base+"typed\n" {
			t.Fatalf("%q", ed.text("a"))
		}
	})
	t.Run("it never does", func(t *testing.T) {
		ed := newEditor(t, map[string]string{"a": base})
		ed.answer = silent
		s := newStore(t)
		p := add(t, s, update("a", base, goal))
		out, err := s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusUnverified)
		s.Sent.SettleFrom(ed.Current())
		if got, _ := s.Get(p.ID); got.State != event.ProposalPending {
			t.Fatalf("state %s", got.State)
		}
		ed.answer = nil
		out, err = s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusApplied)
	})
	t.Run("the editor writes it its own way", func(t *testing.T) {
		ed := newEditor(t, map[string]string{})
		s := newStore(t)
		ed.answer = func(step Step) (Landed, bool) {
			text := step.Change.After + "\n"
			ed.put("new", text)
			return Landed{State: LandLanded, Text: &text}, true
		}
		add(t, s, edits.Change{Path: "new", Op: edits.OpCreate, After: "x\n"})
		out, err := s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusApplied)
		ed.answer = nil
		out, err = s.Undo(context.Background(), "", ed)
		wantOutcome(t, out, err, StatusUndone)
		if len(ed.all()) != 0 {
			t.Fatal("the new file was not taken away")
		}
	})
}

func TestPartOfIt(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n", "c": "c\n"})
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"), update("c", "c\n", "C\n"))
	ed.answer = func(step Step) (Landed, bool) {
		return Landed{State: LandRefused, Reason: "the user said no"}, step.Change.Path != "a"
	}
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusPartial)
	if out.Reason != "the user said no" {
		t.Errorf("reason %q", out.Reason)
	}
	got, _ := s.Get(p.ID)
	if got.State != event.ProposalPartial || len(got.Files[1].Undecided()) != 1 || len(got.Files[0].Undecided()) != 0 {
		t.Fatalf("%+v", got)
	}
	// Undo takes back what arrived, and the rest is gone with it.
	ed.answer = nil
	out, err = s.Undo(context.Background(), "", ed)
	wantOutcome(t, out, err, StatusUndone)
	if got, _ := s.Get(p.ID); got.State != event.ProposalUndone || got.Pending() {
		t.Errorf("state %s", got.State)
	}
	if got := ed.all(); !maps.Equal(got, map[string]string{"a": "a\n", "b": "b\n", "c": "c\n"}) {
		t.Fatalf("%q", got)
	}
}

func TestNothingOfIt(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n"})
	ed.answer = func(Step) (Landed, bool) { return Landed{State: LandAbsent, Reason: "the editor said no"}, true }
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"))
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusPending)
	if got, _ := s.Get(p.ID); got.State != event.ProposalPending || got.Reason != "the editor said no" {
		t.Fatalf("%+v", got)
	}
	if _, err := s.Undo(context.Background(), "turn1", ed); !errors.Is(err, ErrNotUndone) {
		t.Fatalf("undo: %v", err)
	}
}

func TestCancelledWhileItIsSent(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n"})
	ctx, cancel := context.WithCancel(context.Background())
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"))
	out, err := s.Apply(ctx, Selector{}, hangUp{ed, cancel})
	if !errors.Is(err, context.Canceled) || out.Status != StatusUnverified {
		t.Fatalf("%+v, %v", out, err)
	}
	if got, _ := s.Get(p.ID); got.State != event.ProposalUnverified {
		t.Fatalf("state %s", got.State)
	}
	if _, err := s.Apply(ctx, Selector{}, ed); !errors.Is(err, context.Canceled) {
		t.Fatalf("after it: %v", err)
	}
}

// hangUp is an editor that goes away in the middle.
type hangUp struct {
	*editor
	cancel func()
}

func (h hangUp) Deliver(ctx context.Context, _ string, _ []Step) ([]Landed, error) {
	h.cancel()
	return nil, ctx.Err()
}
