package proposal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/edits"
)

// TestALazyRecordComesToTheDiskByItself: nothing else is written after it, and nobody asks.
func TestALazyRecordComesToTheDiskByItself(t *testing.T) {
	dir := t.TempDir()
	j := openJournal(t, dir, 1)
	name := filepath.Join(dir, owner(1).Name()+"-1.jsonl")
	for i, id := range []string{"one", "two", "three"} {
		j.appendLazily(Record{Kind: RecordResult, Delivery: id})
		for began := time.Now(); ; time.Sleep(time.Millisecond) {
			raw, _ := os.ReadFile(name)
			if n := strings.Count(string(raw), "\n"); n > i {
				break
			}
			if time.Since(began) > hung {
				t.Fatalf("record %s never came", id)
			}
		}
	}
	journal := readContents(name)
	if journal.err != nil || len(journal.records) != 3 || journal.records[2].Delivery != "three" {
		t.Errorf("%+v, %v", journal.records, journal.err)
	}
}

// TestATempThatCannotBeRemembered is not made: the caller is told, and nothing is left.
func TestATempThatCannotBeRemembered(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for what, temps := range map[string]*Temps{
		"the name is too long": {dir: filepath.Join(dir, "state"), owner: Owner{Host: strings.Repeat("h", 300), PID: 1, Start: "s"}, alive: func(Owner) bool { return true }},
		"the folder is a file": {dir: file, owner: owner(1), alive: func(Owner) bool { return true }},
		"it is below a file":   {dir: filepath.Join(file, "state"), owner: owner(1), alive: func(Owner) bool { return true }},
	} {
		if done, err := temps.Begin(filepath.Join(dir, "x")); err == nil || done != nil {
			t.Errorf("%s: remembered, %v", what, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "state", "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestARenameOntoADocument: what an editor shows under the new name, with a file or without one, is in the
// way unless nothing can be lost by it.
func TestARenameOntoADocument(t *testing.T) {
	const before, after = "one\ntwo\n", "one\n2\n"
	for what, c := range map[string]struct {
		now     string // the text under the old name
		unsaved string // the text of a document without a file under the new name; "-" for none
		disk    string // the text of a file there; "-" for none
		want    Status
		step    edits.Change
	}{
		"nothing":                   {before, "-", "-", StatusApplied, edits.Change{Path: "old", Op: edits.OpRename, To: "new", Before: before, After: after}},
		"an empty buffer":           {before, "", "-", StatusApplied, edits.Change{}},
		"a buffer of one line end":  {before, "\n", "-", StatusApplied, edits.Change{}},
		"a buffer of the old text":  {before, before, "-", StatusApplied, edits.Change{Path: "old", Op: edits.OpRename, To: "new", Before: before, After: after}},
		"a buffer of the new text":  {before, after, "-", StatusApplied, edits.Change{Path: "old", Op: edits.OpRename, To: "new", Before: before, After: after}},
		"a buffer of what is typed": {"zero\n" + before, "zero\n" + before, "-", StatusApplied, edits.Change{Path: "old", Op: edits.OpRename, To: "new", Before: "zero\n" + before, After: "zero\n" + after}},
		"a buffer of another text":  {before, "mine\n", "-", StatusConflict, edits.Change{}},
		"a file of the old text":    {before, "-", before, StatusConflict, edits.Change{}},
		"a file of the new text":    {before, "-", after, StatusConflict, edits.Change{}},
		"an empty file":             {before, "-", "", StatusApplied, edits.Change{}},
		"typed in the same line":    {"one\nzwei\n", "-", "-", StatusConflict, edits.Change{}},
	} {
		ed := newEditor(t, map[string]string{"old": c.now})
		if c.unsaved != "-" {
			ed.ws.DidOpen("new", c.unsaved, 3)
		}
		if c.disk != "-" {
			ed.put("new", c.disk)
		}
		ed.answer = func(Step) (Landed, bool) { return Landed{State: LandLanded}, true }
		s := newStore(t)
		add(t, s, edits.Change{Path: "old", Op: edits.OpRename, To: "new", Before: before, After: after})
		out, err := s.Apply(context.Background(), Selector{}, ed)
		if err != nil || out.Status != c.want {
			t.Errorf("%s: %+v, %v; want %s", what, out, err, c.want)
			continue
		}
		if c.want == StatusConflict && len(ed.plans) > 0 {
			t.Errorf("%s: it was sent all the same: %+v", what, ed.plans)
		}
		if c.step.Path != "" && (len(ed.plans) != 1 || len(ed.plans[0]) != 1 || ed.plans[0][0].Change != c.step) {
			t.Errorf("%s: sent %+v, want %+v", what, ed.plans, c.step)
		}
	}
}

// TestWhatCannotBeClaimedIsTold, and what can is adopted.
func TestWhatCannotBeClaimedIsTold(t *testing.T) {
	dir := t.TempDir()
	good := `{"v":1,"kind":"intent","delivery":"good","root":"/root","turn":"t","op":"apply","files":[{"path":"a","op":"update","before":"a","after":"b"}]}` + "\n"
	for n, text := range []string{good, "not a record\n" + strings.ReplaceAll(good, "good", "better"), `{"v":1,"kind":"intent"` + "\n", ""} {
		if err := os.WriteFile(filepath.Join(dir, owner(7).Name()+"-"+string(rune('1'+n))+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := journalled(t, openJournal(t, dir, 8, 7))
	n, err := s.book.adopt()
	if n != 2 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
	var ids []string
	for _, d := range s.book.sent.list {
		ids = append(ids, d.id)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"better", "good"}) {
		t.Errorf("%q", ids)
	}
}

// TestALookWhileItIsOnItsWay: what the editor answers counts, whatever its documents read until then.
func TestALookWhileItIsOnItsWay(t *testing.T) {
	for _, state := range []LandState{LandLanded, LandAbsent, LandRefused, LandUnknown, LandDiffers} {
		var want string
		for _, look := range []string{"none", "the new text", "the old text", "a snapshot", "the file was told"} {
			ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
			s := newStore(t)
			p := add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"))
			ed.before = func() {
				switch look {
				case "the new text":
					s.Sent.Settle("a", "A\n")
				case "the old text":
					s.Sent.Settle("a", "a\n")
				case "a snapshot":
					s.Sent.SettleFrom(ed.Current())
				case "the file was told":
					s.Sent.Told("a", ed.Current())
				}
			}
			ed.answer = func(Step) (Landed, bool) { return Landed{State: state, Reason: "so it is"}, true }
			out, err := s.Apply(context.Background(), Selector{}, ed)
			now, _ := s.Get(p.ID)
			applied, some := s.Sent.LastApplied("a")
			got := fmt.Sprint(out.Status, out.Reason, out.Files[0].State, out.Files[1].State, err, now.State, applied, some, s.Sent.Unsettled())
			if look == "none" {
				want = got
			} else if got != want {
				t.Errorf("%s, %s: %s, want %s", state, look, got, want)
			}
		}
	}
}

// TestTheNextRequestFindsWhatArrived late, when nobody had looked: that of another proposal, an undo, a redo.
func TestTheNextRequestFindsWhatArrived(t *testing.T) {
	for what, next := range map[string]func(*Store, *editor) error{
		"apply": func(s *Store, ed *editor) error {
			p, err := s.Add("turn2", "another", []edits.Change{update("b", "b\n", "B\n")}, nil, Checked{})
			if err != nil {
				return err
			}
			_, err = s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
			return err
		},
		"undo": func(s *Store, ed *editor) error { _, err := s.Undo(context.Background(), "", ed); return err },
		"redo": func(s *Store, ed *editor) error { _, _ = s.Redo(context.Background(), "turn1", ed); return nil },
	} {
		ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
		s := newStore(t)
		if s.Sent.Unsettled() {
			t.Error("something is not known at the start")
		}
		p := add(t, s, update("a", "a\n", "A\n"))
		ed.answer = func(Step) (Landed, bool) { return Landed{State: LandUnknown}, true }
		if out, err := s.Apply(context.Background(), Selector{}, ed); err != nil || out.Status != StatusUnverified || !s.Sent.Unsettled() {
			t.Fatalf("%+v, %v", out, err)
		}
		ed.answer = nil
		ed.typed("a", "A\n") // it comes
		if err := next(s, ed); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		want := map[string]string{"apply": "A\n", "undo": "a\n", "redo": "A\n"}[what]
		if now, _ := s.Get(p.ID); s.Sent.Unsettled() || ed.text("a") != want || (now.State == event.ProposalUndone) != (what == "undo") || now.State == event.ProposalUnverified {
			t.Errorf("%s: %s, %q, not known: %v", what, now.State, ed.text("a"), s.Sent.Unsettled())
		}
	}
}

// TestOneConflictStopsAll: of a proposal whose one file is in the way nothing is sent, and each file says so.
func TestOneConflictStopsAll(t *testing.T) {
	for _, typed := range []string{"a", "b", "c"} {
		ed := newEditor(t, map[string]string{"a": "1\n", "b": "1\n", "c": "1\n"})
		s := newStore(t)
		add(t, s, update("a", "1\n", "2\n"), update("b", "1\n", "2\n"), update("c", "1\n", "2\n"))
		ed.typed(typed, "mine\n")
		out, err := s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusConflict)
		if len(ed.plans) > 0 || len(out.Files) != 3 || out.Reason == "" {
			t.Errorf("%+v", out)
		}
		for _, f := range out.Files {
			if (f.State == LandRefused) != (f.Path == typed) || f.State != LandRefused && f.State != LandAbsent || f.Reason == "" {
				t.Errorf("%s is in the way: %+v", typed, f)
			}
		}
	}
}

// TestWhatComesLateInTheEditorsOwnWay is taken back to what there was, however the editor wrote it.
func TestWhatComesLateInTheEditorsOwnWay(t *testing.T) {
	const before, after = "one\ntwo\nthree\n", "one\n2\nthree\nfour\n"
	for what, own := range map[string]string{
		"as it was sent": after, "other line ends": strings.ReplaceAll(after, "\n", "\r\n"), "no last line end": strings.TrimSuffix(after, "\n"),
	} {
		for how, look := range map[string]func(*Store, *editor){
			"the document is seen": func(s *Store, _ *editor) { s.Sent.Settle("a", own) },
			"a snapshot is":        func(s *Store, ed *editor) { s.Sent.SettleFrom(ed.Current()) },
		} {
			ed := newEditor(t, map[string]string{"a": before})
			s := newStore(t)
			p := add(t, s, update("a", before, after))
			ed.answer = func(Step) (Landed, bool) { return Landed{State: LandUnknown}, true }
			if out, err := s.Apply(context.Background(), Selector{}, ed); err != nil || out.Status != StatusUnverified {
				t.Fatalf("%+v, %v", out, err)
			}
			ed.answer = nil
			ed.typed("a", own)
			look(s, ed)
			now, _ := s.Get(p.ID)
			if now.State != event.ProposalApplied || !now.Files[0].Landed() {
				t.Errorf("%s, %s: %s", what, how, now.State)
			}
			out, err := s.Undo(context.Background(), "", ed)
			if err != nil || out.Status != StatusUndone || ed.text("a") != before {
				t.Errorf("%s, %s, undone: %+v, %v, %q", what, how, out, err, ed.text("a"))
			}
		}
	}
}

// TestWhatIsAwaited: an outcome says so only if all that is not known may still be told.
func TestWhatIsAwaited(t *testing.T) {
	type answer struct {
		state   LandState
		awaited bool
	}
	answers := []answer{{LandLanded, false}, {LandAbsent, false}, {LandUnknown, true}, {LandUnknown, false}, {LandDiffers, true}, {LandDiffers, false}}
	for _, a := range answers {
		for _, b := range answers {
			ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
			s := newStore(t)
			add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"))
			ed.answer = func(step Step) (Landed, bool) {
				if step.Change.Path == "a" {
					return Landed{State: a.state, Awaited: a.awaited}, true
				}
				return Landed{State: b.state, Awaited: b.awaited}, true
			}
			out, err := s.Apply(context.Background(), Selector{}, ed)
			open := func(x answer) bool { return x.state == LandUnknown || x.state == LandDiffers }
			want := (open(a) || open(b)) && (!open(a) || a.awaited) && (!open(b) || b.awaited)
			if err != nil || out.Awaited != want || (out.Status == StatusUnverified) != (open(a) || open(b)) {
				t.Errorf("%+v and %+v: %+v, %v", a, b, out, err)
			}
		}
	}
}
