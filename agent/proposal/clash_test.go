package proposal

import (
	"context"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
)

// What clashes is named by file and hunk, and nothing else; what the user then takes stands in those lines alone.
func TestClashes(t *testing.T) {
	base := numbered(30)
	goal := strings.NewReplacer("line 3\n", "three\n", "line 13\n", "thirteen\n", "line 23\n", "").Replace(base)
	typed := strings.NewReplacer("line 1\n", "line 1\nnew\n", "line 13\n", "mine\n").Replace(base)
	for name, test := range map[string]struct {
		change edits.Change
		now    string // of the file; gone is none
		hunks  []int
		lines  string // of the first place
		theirs string // what the file reads with the model's side; gone is none
		mark   string // what it reads with markers in it holds
	}{
		"one hunk of three": {update("a", base, goal), typed, []int{2}, "line 14",
			strings.NewReplacer("line 1\n", "line 1\nnew\n").Replace(goal), "<<<<<<< yours\nmine\n||||||| before\nline 13\n=======\nthirteen\n>>>>>>> the model's\n"},
		"deleted here": {update("a", base, goal), strings.Replace(base, "line 13\n", "", 1), []int{2}, "line 13", goal,
			"<<<<<<< yours\n||||||| before\nline 13\n=======\nthirteen\n>>>>>>>"},
		"deleted there": {update("a", base, goal), strings.Replace(base, "line 23\n", "mine\n", 1), []int{3}, "line 23", goal,
			"<<<<<<< yours\nmine\n||||||| before\nline 23\n=======\n>>>>>>> the model's\n"},
		"all of it":                {update("a", base, goal), strings.ReplaceAll(base, "line", "row"), []int{1, 2, 3}, "lines 1 to 30", goal, "=======\nline 1\nline 2\nthree\n"},
		"no file":                  {update("a", base, goal), gone, nil, "", goal, ""},
		"a new file that there is": {edits.Change{Path: "a", Op: edits.OpCreate, After: "made\n"}, "mine\n", nil, "", "made\n", ""},
		"deleted and changed":      {edits.Change{Path: "a", Op: edits.OpDelete, Before: base}, typed, nil, "", gone, ""},
	} {
		t.Run(name, func(t *testing.T) {
			start := func() (*Store, *editor, *Proposal) {
				files := map[string]string{"b": "b\n"}
				if test.now != gone {
					files["a"] = test.now
				}
				s := newStore(t)
				return s, newEditor(t, files), add(t, s, test.change, update("b", "b\n", "B\n"))
			}
			s, ed, p := start()
			out, err := s.Apply(context.Background(), Selector{}, ed)
			wantOutcome(t, out, err, StatusConflict)
			if out.Meant.Proposal != p.ID || out.Meant.Revision != 1 {
				t.Errorf("meant is %+v", out.Meant)
			}
			_, list, err := s.Clashes(out.Meant, ed.Current())
			if err != nil || len(list) != 1 || list[0].Path != "a" || list[0].Reason == "" || !slices.Equal(list[0].Hunks, test.hunks) || len(list[0].Places) > 0 != (test.lines != "") {
				t.Fatalf("%+v, %v", list, err)
			}
			if test.lines != "" && list[0].Lines(0) != test.lines {
				t.Errorf("the place is %s", list[0].Lines(0))
			}
			out, err = s.ApplyAs(context.Background(), Selector{}, How{Take: TakeTheirs}, ed)
			wantOutcome(t, out, err, StatusApplied)
			if got, there := ed.files["a"]; there != (test.theirs != gone) || there && got != test.theirs || ed.files["b"] != "B\n" {
				t.Errorf("%q, %v", got, there)
			}
			out, err = s.Undo(context.Background(), "", ed)
			wantOutcome(t, out, err, StatusUndone)
			if got, there := ed.files["a"]; there != (test.now != gone) || there && got != test.now {
				t.Errorf("taken back: %q, %v", got, there)
			}
			if test.mark == "" {
				return
			}
			s, ed, _ = start()
			out, err = s.ApplyAs(context.Background(), Selector{}, How{Take: TakeMarkers}, ed)
			wantOutcome(t, out, err, StatusApplied)
			if !strings.Contains(ed.files["a"], test.mark) {
				t.Errorf("%s", ed.files["a"])
			}
		})
	}
}

// What the user types after they have chosen a side is not what they have chosen by: it is a conflict again.
func TestTakenOnce(t *testing.T) {
	s, ed := newStore(t), newEditor(t, map[string]string{"a": "mine\n"})
	add(t, s, update("a", "a\n", "A\n"))
	ed.before = func() {
		ed.before = nil
		ed.put("a", "mine, and more\n")
	}
	out, err := s.ApplyAs(context.Background(), Selector{}, How{Take: TakeTheirs}, ed)
	wantOutcome(t, out, err, StatusConflict)
	if ed.files["a"] != "mine, and more\n" {
		t.Errorf("%q", ed.files["a"])
	}
}

// Where the file moved on in another way than its line ends, markers end as its lines do.
func TestMarkersEndAsTheFileDoes(t *testing.T) {
	s, ed := newStore(t), newEditor(t, map[string]string{"a": "1\r\nmine\r\n3"})
	add(t, s, update("a", "1\r\n2\r\n3", "1\r\ntwo\r\n3"))
	out, err := s.ApplyAs(context.Background(), Selector{}, How{Take: TakeMarkers}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if want := "1\r\n<<<<<<< yours\r\nmine\r\n||||||| before\r\n2\r\n=======\r\ntwo\r\n>>>>>>> the model's\r\n3"; ed.files["a"] != want {
		t.Errorf("%q", ed.files["a"])
	}
}
