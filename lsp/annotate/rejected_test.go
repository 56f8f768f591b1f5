package annotate

import (
	"testing"

	"coauthor/edits"
	"coauthor/lsp/document"
)

// A refused edit is marked where the text stands that is nearest to what it looked for, else where it says itself, and never
// outside of the file.
func TestMeantLine(t *testing.T) {
	lines := document.SplitLines("one\r\ntwo\r\n\r\ntwo\r\nfive\r\n")
	near := func(line int, text string) edits.Failure {
		return edits.Failure{Path: "a", Line: 1, Nearest: []edits.Candidate{{Path: "a", Line: line, Text: text}}}
	}
	for name, x := range map[string]struct {
		f    edits.Failure
		want int
	}{
		"nothing is known":          {edits.Failure{Path: "a"}, 0},
		"its own line":              {edits.Failure{Path: "a", Line: 4}, 3},
		"a line behind the end":     {edits.Failure{Path: "a", Line: 40}, 4},
		"a candidate":               {near(5, "five\n"), 4},
		"the nearer of two":         {near(4, "two\n"), 3},
		"the other of two":          {near(1, "two\n"), 1},
		"it begins with blanks":     {near(3, "\ntwo\nfive\n"), 3},
		"a text that is not there":  {near(3, "six\n"), 0},
		"without a line of its own": {edits.Failure{Path: "a", Nearest: []edits.Candidate{{Path: "a", Line: 3, Text: "six\n"}}}, 2},
		"one of another file":       {edits.Failure{Path: "a", Line: 2, Nearest: []edits.Candidate{{Path: "b", Line: 5, Text: "five\n"}}}, 1},
	} {
		if got := meantLine(lines, x.f); got != x.want {
			t.Errorf("%s: line %d, want %d", name, got, x.want)
		}
	}
	if got := meantLine(document.SplitLines(""), near(7, "x\n")); got != 0 {
		t.Errorf("in an empty file: line %d", got)
	}
}

// Marks follow their line while the user types elsewhere, and go when the user changes it; what the server changes moves
// them at most.
func TestMarksFollowTheText(t *testing.T) {
	m := New(Options{})
	m.add([]Rejected{{Turn: "t", Number: 1, Path: "a", Line: 2, anchor: "three"}, {Turn: "t", Number: 2, Path: "b", Line: 0, anchor: "x"}})
	lineOf := func(n int) int {
		for _, one := range m.Rejected(nil) {
			if one.Number == n {
				return one.Line
			}
		}
		return -1
	}
	for i, x := range []struct {
		text   string
		byUser bool
		moved  bool
		line   int
	}{
		{"one\ntwo\nthree\n", true, false, 2},
		{"zero\none\ntwo\nthree\n", true, true, 3},
		{"zero\nthree\none\nthree\n", true, false, 3},
		{"three\n", true, true, 0},
		{"one\ntwo\nthree\n", false, true, 2},
		{"one\ntwo\nTHREE\n", false, false, 2}, // the server's own change keeps it
		{"zero\none\ntwo\nTHREE\n", true, true, 3},
		{"short\n", false, true, 0},
		{"other\n", true, true, -1},
	} {
		if moved := m.follow("a", x.text, x.byUser); moved != x.moved || lineOf(1) != x.line || lineOf(2) != 0 {
			t.Errorf("%d: moved %v to line %d, want %v and %d; the other is in line %d", i, moved, lineOf(1), x.moved, x.line, lineOf(2))
		}
	}
	if gone := m.drop(func(one *Rejected) bool { return one.Path == "b" }); len(gone) != 1 || len(m.Rejected(nil)) != 0 {
		t.Errorf("dropped %v, left %v", gone, m.Rejected(nil))
	}
}
