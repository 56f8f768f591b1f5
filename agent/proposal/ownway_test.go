package proposal

import (
	"context"
	"strings"
	"testing"

	"coauthor/edits"
)

// half answers with the text that the file has before the last change of an edit has been told.
func half(ed *editor, texts map[string]string) func(Step) (Landed, bool) {
	return func(s Step) (Landed, bool) {
		text := strings.TrimSuffix(s.Change.After, "\n")
		at := place(&s.Change)
		if s.Change.Op == edits.OpRename {
			ed.remove(s.Change.Path)
		}
		ed.put(at, text)
		texts[at] = s.Change.After
		return Landed{State: LandLanded, Text: &text}, true
	}
}

// TestTheRestOfAnEditComesLate: an edit of which the end was told when nobody waited for it any more is no change of the
// user's, and what the user types elsewhere is kept.
func TestTheRestOfAnEditComesLate(t *testing.T) {
	ctx := context.Background()
	before := map[string]string{"a": "one\ntwo\nthree", "moved": "m\n"}
	changes := []edits.Change{
		update("a", before["a"], "one\ntwo\n3\n"), {Path: "new", Op: edits.OpCreate, After: "new\n"},
		{Path: "moved", Op: edits.OpRename, To: "there", Before: "m\n", After: "M\n"},
	}
	for what, c := range map[string]struct {
		typed    string // in front of a
		restarts int
		status   Status
	}{
		"nothing is typed":        {status: StatusUndone},
		"typed elsewhere":         {typed: "typed\n", status: StatusUndone},
		"after a restart":         {restarts: 1, status: StatusUndone},
		"typed, after a restart":  {typed: "typed\n", restarts: 2, status: StatusUndone},
		"typed in the same lines": {typed: "same", status: StatusConflict},
	} {
		ed := newEditor(t, before)
		l := newLife(t)
		l.next()
		whole := map[string]string{}
		ed.answer = half(ed, whole)
		l.apply(ed, "t", changes...)
		ed.answer = nil
		for path, text := range whole {
			switch {
			case path == "a" && c.typed == "same":
				text = strings.Replace(text, "3", "3 and more", 1)
			case path == "a":
				text = c.typed + text
			}
			ed.typed(path, text)
		}
		had := ed.all()
		for range c.restarts {
			l.next()
		}
		out, err := l.s.Undo(ctx, "", ed)
		if err != nil || out.Status != c.status {
			t.Errorf("%s: %+v, %v", what, out, err)
		}
		want := had
		if c.status == StatusUndone {
			want = map[string]string{"a": c.typed + before["a"], "moved": before["moved"]}
		}
		sameFiles(t, what, ed, want)
		if c.status != StatusUndone {
			continue
		}
		out, err = l.s.Redo(ctx, "", ed)
		wantOutcome(t, out, err, StatusApplied)
		sameFiles(t, what+", done again", ed, had)
	}
}

// TestLateRestsAreRewound: the same for several turns at once, of which each has found what the one before left.
func TestLateRestsAreRewound(t *testing.T) {
	before := map[string]string{"a": "one\ntwo\nthree"}
	texts := []string{before["a"], "one\ntwo\n3\n", "one\ntwo\n3\n4\n"}
	ed := newEditor(t, before)
	l := newLife(t)
	l.next()
	for i, turn := range []string{"first", "second"} {
		ed.answer = half(ed, map[string]string{})
		l.apply(ed, turn, update("a", texts[i], texts[i+1]))
		ed.answer = nil
		ed.typed("a", texts[i+1])
	}
	out, err := l.s.Rewind(t.Context(), []string{"first", "second"}, ed)
	wantOutcome(t, out, err, StatusUndone)
	sameFiles(t, "rewound", ed, before)
}

// TestWhatWasSentIsReadOnce: results that repeat how an editor wrote a text leave what was sent as it is.
func TestWhatWasSentIsReadOnce(t *testing.T) {
	own := "a"
	result := Record{Kind: RecordResult, Delivery: "d", Files: []RecordFile{{Path: "a", State: LandLanded, After: recordText{&own}}}}
	change := update("a", "b\n", "a\n")
	list := replay([]Record{{Kind: RecordIntent, Root: "/root", Delivery: "d", Op: opApply, Files: []RecordFile{recordOfChange(&change)}}, result, result}, "/root")
	if len(list) != 1 || list[0].files[0].change.After != own || list[0].takenBack(0).asSent() != edits.Inverse(change) {
		t.Errorf("%+v", list)
	}
}

func sameFiles(t *testing.T, what string, ed *editor, want map[string]string) {
	t.Helper()
	got := ed.all()
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %s reads %q, want %q", what, path, got[path], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: the files are %q", what, got)
	}
}

// TestTheRestOfAnEditIsNoTouch: hunks under review read as they landed when the rest of the edit has come; what the user
// has decided by then stays decided.
func TestTheRestOfAnEditIsNoTouch(t *testing.T) {
	const before, after = "one\ntwo\nthree\nfour\nfive", "1\ntwo\nthree\nfour\n5\n"
	for _, decided := range []bool{false, true} {
		ed := newEditor(t, map[string]string{"a": before})
		s := newStore(t)
		ed.answer = half(ed, map[string]string{})
		beginReview(t, s, ed, `a/1 "1\n" a/2 "5" new/0 "n"`, update("a", before, after), edits.Change{Path: "new", Op: edits.OpCreate, After: "n\n"})
		ed.answer = nil
		if decided {
			if _, err := s.Reviews.Keep(t.Context(), hunksOf(s, "a", 1)...); err != nil {
				t.Fatal(err)
			}
		}
		old := ed.Current()
		told := 0
		s.Reviews.Watch(func() { told++ })
		ed.typed("a", after)
		ed.typed("new", "n\n")
		s.Reviews.Follow("a", ed.Current())
		s.Reviews.Follow("new", ed.Current())
		if told != 3 { // and once at the beginning
			t.Errorf("the review has changed twice, and was told of %d times", told-1)
		}
		s.Reviews.Follow("a", old) // somebody is late
		want := `a/1 "1\n" a/2 "5\n" new/0 "n\n"`
		if decided {
			want = `a/2 "5\n*" new/0 "n\n"`
		}
		if got := reviewOf(s.Reviews.Known()); got != want {
			t.Errorf("after one who is late, under review: %s\nwant %s", got, want)
		}
		wantReview(t, s, ed, want)
	}
}
