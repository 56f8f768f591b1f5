package proposal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// reviewOf shows what is under review: each hunk with its lines now.
func reviewOf(r Review) string {
	var list []string
	for _, f := range r.Files {
		for _, h := range f.Hunks {
			text := ""
			if f.Op != edits.OpDelete {
				text = f.Text[h.Start:h.End]
			}
			if h.Touched {
				text += "*"
			}
			list = append(list, fmt.Sprintf("%s/%d %q", f.Path, h.Number, text))
		}
	}
	return strings.Join(list, " ")
}

// beginReview applies changes for review and checks what stands under review then.
func beginReview(t *testing.T, s *Store, ed *editor, want string, changes ...edits.Change) *Proposal {
	t.Helper()
	p := add(t, s, changes...)
	out, err := s.ApplyAs(context.Background(), Selector{Proposal: p.ID}, How{Review: true}, ed)
	wantOutcome(t, out, err, StatusApplied)
	wantReview(t, s, ed, want)
	return p
}

func wantReview(t *testing.T, s *Store, ed *editor, want string) {
	t.Helper()
	if got := reviewOf(s.Reviews.At(ed.Current())); got != want {
		t.Errorf("under review: %s\nwant %s", got, want)
	}
	if got := reviewOf(s.Reviews.Known()); got != want {
		t.Errorf("under review, as far as is known: %s\nwant %s", got, want)
	}
}

// hunksOf names hunks under review by their numbers in a file.
func hunksOf(s *Store, path string, numbers ...int) (refs []HunkRef) {
	r := s.Reviews.Known()
	for _, h := range r.Hunks() {
		if h.Path == path && slices.Contains(numbers, h.Number) {
			refs = append(refs, h.HunkRef)
		}
	}
	return refs
}

// What lands stands under review, is kept and taken back hunk by hunk, moves with what the user types, and each taking back is
// undone by itself.
func TestReviewOfHunks(t *testing.T) {
	ctx := context.Background()
	before := numbered(9)
	after := strings.NewReplacer("line 2\n", "two\n", "line 5\n", "five\n", "line 8\n", "eight\n").Replace(before)
	ed := newEditor(t, map[string]string{"a": before})
	s := newStore(t)
	told := 0
	s.Reviews.Watch(func() { told++ })
	p := beginReview(t, s, ed, `a/1 "two\n" a/2 "five\n" a/3 "eight\n"`, update("a", before, after))
	if told == 0 {
		t.Error("nobody was told")
	}
	if got, _ := s.Get(p.ID); got.State != event.ProposalApplied {
		t.Errorf("state %s", got.State)
	}

	ed.typed("a", "mine\n"+strings.Replace(after, "line 4\n", "line 4, mine\n", 1)) // beside a hunk
	told = 0
	s.Reviews.Follow("a", ed.Current())
	if told != 1 {
		t.Errorf("told %d times that hunks have moved", told)
	}
	out, err := s.UndoHunks(ctx, ed, hunksOf(s, "a", 2)...)
	wantOutcome(t, out, err, StatusUndone)
	if got := ed.text("a"); !strings.Contains(got, "line 4, mine\nline 5\n") || !strings.Contains(got, "two\n") {
		t.Errorf("%q", got)
	}
	wantReview(t, s, ed, `a/1 "two\n" a/3 "eight\n"`)
	if turn, ok := s.Sent.LastUndone("a"); !ok || turn != "turn1" {
		t.Errorf("the last undone turn is %q, %v", turn, ok)
	}
	if turn, ok := s.Sent.LastApplied("a"); !ok || turn != "turn1" {
		t.Errorf("the last applied turn is %q, %v", turn, ok)
	}

	out, err = s.UndoHunks(ctx, ed, hunksOf(s, "a", 1)...)
	wantOutcome(t, out, err, StatusUndone)
	for _, want := range []string{`a/1 "two\n" a/3 "eight\n"`, `a/1 "two\n" a/2 "five\n" a/3 "eight\n"`} { // one decision at a time
		out, err = s.Redo(ctx, "", ed)
		wantOutcome(t, out, err, StatusApplied)
		wantReview(t, s, ed, want)
	}
	if _, err = s.Redo(ctx, "", ed); !errors.Is(err, ErrNotUndone) {
		t.Errorf("redo of nothing: %v", err)
	}

	if n, err := s.Reviews.Keep(ctx, hunksOf(s, "a", 1, 3)...); n != 2 || err != nil {
		t.Errorf("%d kept, %v", n, err)
	}
	wantReview(t, s, ed, `a/2 "five\n"`)
	ed.typed("a", strings.Replace(ed.text("a"), "five\n", "fivefold\n", 1))
	wantReview(t, s, ed, `a/2 "fivefold\n*"`)
	out, err = s.UndoHunks(ctx, ed, hunksOf(s, "a", 2)...)
	wantOutcome(t, out, err, StatusConflict)
	if !strings.Contains(out.Reason, "line 6 of a;") || len(out.Files) != 1 || out.Files[0].State != LandRefused {
		t.Errorf("%+v", out)
	}
	ed.typed("a", strings.Replace(ed.text("a"), "fivefold\n", "five\n", 1))
	out, err = s.UndoHunks(ctx, ed, hunksOf(s, "a", 2)...)
	wantOutcome(t, out, err, StatusUndone)
	if _, err := s.Reviews.Keep(ctx, HunkRef{Proposal: p.ID, Path: "a", Number: 2}); !errors.Is(err, ErrNone) {
		t.Errorf("what is undone is kept: %v", err)
	}
	if _, err := s.UndoHunks(ctx, ed, HunkRef{Proposal: p.ID, Path: "a", Number: 1}); !errors.Is(err, ErrNone) {
		t.Errorf("what is kept is undone: %v", err)
	}

	ed.typed("a", strings.Replace(ed.text("a"), "line 4, mine\n", "line 4\n", 1))
	out, err = s.Undo(ctx, "turn1", ed) // the rest of the turn
	wantOutcome(t, out, err, StatusUndone)
	if got, want := ed.text("a"), "mine\n"+before; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	wantReview(t, s, ed, "")
	out, err = s.Redo(ctx, "turn1", ed)
	wantOutcome(t, out, err, StatusApplied)
	wantReview(t, s, ed, `a/1 "two\n" a/2 "eight\n"`)
}

// A proposal all of whose hunks were taken back is undone, and nothing is left to undo.
func TestAllHunksUndone(t *testing.T) {
	ctx := context.Background()
	ed := newEditor(t, map[string]string{"a": "a\nb\nc\n", "b": "b\n"})
	s := newStore(t)
	p := beginReview(t, s, ed, `a/1 "A\n" a/2 "C\n" b/1 "B\n"`, update("a", "a\nb\nc\n", "A\nb\nC\n"), update("b", "b\n", "B\n"))
	refs := slices.Concat(hunksOf(s, "a", 1, 2), hunksOf(s, "b", 1))
	out, err := s.UndoHunks(ctx, ed, refs...)
	wantOutcome(t, out, err, StatusUndone)
	if now, _ := s.Get(p.ID); now.State != event.ProposalUndone || len(ed.plans) != 2 {
		t.Errorf("state %s, %d deliveries", now.State, len(ed.plans))
	}
	if _, ok := s.Sent.LastApplied("a"); ok {
		t.Error("the turn can be undone once more")
	}
	if _, err := s.Undo(ctx, "", ed); !errors.Is(err, ErrNotUndone) {
		t.Errorf("%v", err)
	}
	out, err = s.Redo(ctx, "", ed) // one decision, over both files
	wantOutcome(t, out, err, StatusApplied)
	wantReview(t, s, ed, `a/1 "A\n" a/2 "C\n" b/1 "B\n"`)
	if now, _ := s.Get(p.ID); now.State != event.ProposalApplied {
		t.Errorf("state %s", now.State)
	}
}

// Files that were created, deleted and renamed are hunks of their own.
func TestReviewOfFiles(t *testing.T) {
	ctx := context.Background()
	start := map[string]string{"gone": "gone\n", "old": "a\nb\nc\n"}
	ed := newEditor(t, start)
	s := newStore(t)
	beginReview(t, s, ed, `gone/0 "" moved/0 "" moved/1 "B\n" new/0 "new\n"`,
		edits.Change{Path: "new", Op: edits.OpCreate, After: "new\n"}, edits.Change{Path: "gone", Op: edits.OpDelete, Before: "gone\n"},
		edits.Change{Path: "old", Op: edits.OpRename, To: "moved", Before: "a\nb\nc\n", After: "a\nB\nc\n"})
	ed.typed("new", "new\nmine\n")
	ed.typed("moved", "a, mine\nB\nc\n")
	out, err := s.UndoHunks(ctx, ed, hunksOf(s, "new", 0)...)
	wantOutcome(t, out, err, StatusConflict)
	if !strings.Contains(out.Reason, "you edited new after it was created") {
		t.Errorf("%q", out.Reason)
	}
	ed.typed("new", "new\n")
	for _, path := range []string{"new", "gone", "moved"} {
		out, err := s.UndoHunks(ctx, ed, hunksOf(s, path, 0)...)
		wantOutcome(t, out, err, StatusUndone)
	}
	if got := ed.all(); len(got) != 2 || got["gone"] != "gone\n" || got["old"] != "a, mine\nB\nc\n" {
		t.Errorf("%q", got)
	}
	wantReview(t, s, ed, "")
	for range 3 {
		out, err := s.Redo(ctx, "", ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	wantReview(t, s, ed, `gone/0 "" moved/0 "" moved/1 "B\n" new/0 "new\n"`)
	out, err = s.UndoHunks(ctx, ed, slices.Concat(hunksOf(s, "moved", 0, 1), hunksOf(s, "new", 0), hunksOf(s, "gone", 0))...)
	wantOutcome(t, out, err, StatusUndone)
	if got := ed.all(); len(got) != 2 || got["gone"] != "gone\n" || got["old"] != "a, mine\nb\nc\n" {
		t.Errorf("%q", got)
	}
}

// A later change may go over the hunks of an earlier one: taken back together, the later one goes first.
func TestReviewOfTwoChanges(t *testing.T) {
	ctx := context.Background()
	ed := newEditor(t, map[string]string{"a": "a\nb\nc\n"})
	s := newStore(t)
	beginReview(t, s, ed, `a/1 "B\n"`, update("a", "a\nb\nc\n", "a\nB\nc\n"))
	p, err := s.Add("turn2", "once more", []edits.Change{update("a", "a\nB\nc\n", "a\nBB\nc\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	s.MarkShown(p.ID, 1)
	out, err := s.ApplyAs(ctx, Selector{Proposal: p.ID}, How{Review: true}, ed)
	wantOutcome(t, out, err, StatusApplied)
	wantReview(t, s, ed, `a/1 "BB\n*" a/1 "BB\n"`)
	r := s.Reviews.Known()
	var refs []HunkRef
	for _, h := range r.Hunks() {
		refs = append(refs, h.HunkRef)
	}
	out, err = s.UndoHunks(ctx, ed, refs...)
	wantOutcome(t, out, err, StatusUndone)
	if ed.text("a") != "a\nb\nc\n" || len(out.Files) != 2 {
		t.Errorf("%q, %+v", ed.text("a"), out)
	}
}

// A hunk keeps its number when what was applied of its proposal before is kept: an editor may still show it by that.
func TestReviewKeepsTheNumbers(t *testing.T) {
	ctx := context.Background()
	before := numbered(9)
	ed := newEditor(t, map[string]string{"a": before})
	s := newStore(t)
	p := add(t, s, update("a", before, strings.NewReplacer("line 2\n", "two\n", "line 8\n", "eight\n").Replace(before)))
	for _, n := range []int{1, 2} {
		out, err := s.ApplyAs(ctx, Selector{Proposal: p.ID, Files: []string{"a"}, Hunks: []int{n}}, How{Review: true}, ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	wantReview(t, s, ed, `a/1 "two\n" a/2 "eight\n"`)
	if _, err := s.Reviews.Keep(ctx, hunksOf(s, "a", 1)...); err != nil {
		t.Fatal(err)
	}
	wantReview(t, s, ed, `a/2 "eight\n"`)
	out, err := s.UndoHunks(ctx, ed, HunkRef{Proposal: p.ID, Path: "a", Number: 2})
	wantOutcome(t, out, err, StatusUndone)
	if want := strings.Replace(before, "line 2\n", "two\n", 1); ed.text("a") != want {
		t.Errorf("%q, want %q", ed.text("a"), want)
	}
}

// Who opens the root next goes on with the review: with what was typed, kept and taken back, and once only.
func TestReviewIsAdopted(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	before := numbered(9)
	after := strings.NewReplacer("line 2\n", "two\n", "line 5\n", "five\n", "line 8\n", "eight\n").Replace(before)
	ed := newEditor(t, map[string]string{"a": before})
	open := func(pid int) (*Store, *Journal) {
		j := openJournal(t, dir, pid)
		j.alive = func(o Owner) bool { return o.PID == pid }
		return NewStore("/root", StoreOptions{Random: &numbers{n: byte(pid * 40)}, Clock: ticks(), Journal: j, KeepPending: true}), j
	}
	s, j := open(1)
	beginReview(t, s, ed, `a/1 "two\n" a/2 "five\n" a/3 "eight\n"`, update("a", before, after))
	if _, err := s.Reviews.Keep(ctx, hunksOf(s, "a", 1)...); err != nil {
		t.Fatal(err)
	}
	out, err := s.UndoHunks(ctx, ed, hunksOf(s, "a", 2)...)
	wantOutcome(t, out, err, StatusUndone)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	ed.typed("a", "mine\n"+ed.text("a"))
	for pid := 2; pid < 5; pid++ { // from one to the next, with the journal written again each time
		s, j = open(pid)
		if n, err := s.book.adopt(); err != nil || n == 0 {
			t.Fatalf("%d adopted, %v", n, err)
		}
		told := 0
		s.Reviews.Watch(func() { told++ })
		if told != 1 {
			t.Errorf("told %d times", told)
		}
		wantReview(t, s, ed, `a/3 "eight\n"`)
		if pid == 4 {
			break
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	other, _ := open(5)
	other.book.o.Journal.alive = func(Owner) bool { return true }
	if n, err := other.book.adopt(); n != 0 || err != nil || len(other.Reviews.At(ed.Current()).Files) != 0 {
		t.Errorf("adopted twice: %d, %v", n, err)
	}
	out, err = s.Redo(ctx, "", ed)
	wantOutcome(t, out, err, StatusApplied)
	wantReview(t, s, ed, `a/2 "five\n" a/3 "eight\n"`)
	out, err = s.UndoHunks(ctx, ed, hunksOf(s, "a", 2, 3)...)
	wantOutcome(t, out, err, StatusUndone)
	if got, want := ed.text("a"), "mine\n"+strings.Replace(before, "line 2\n", "two\n", 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
