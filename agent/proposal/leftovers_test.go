package proposal

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/edits"
)

// TestALazyRecordComesToTheDiskByItself: nothing else is written after it, and nobody asks.
func TestALazyRecordComesToTheDiskByItself(t *testing.T) {
	dir := t.TempDir()
	j := openJournal(t, dir, 1)
	name := filepath.Join(dir, owner(1).name()+"-1.jsonl")
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
	records, err := readJournal(name)
	if err != nil || len(records) != 3 || records[2].Delivery != "three" {
		t.Errorf("%+v, %v", records, err)
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
		if err := os.WriteFile(filepath.Join(dir, owner(7).name()+"-"+string(rune('1'+n))+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := journalled(t, openJournal(t, dir, 8, 7))
	n, err := s.Adopt()
	if n != 2 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
	var ids []string
	for _, d := range s.deliveries {
		ids = append(ids, d.id)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"better", "good"}) {
		t.Errorf("%q", ids)
	}
}
