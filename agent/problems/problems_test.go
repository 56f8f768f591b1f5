package problems

import (
	"testing"
	"time"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// TestProblemsOfAChange: those on changed lines that were not there before and come soon, as often as they are new.
func TestProblemsOfAChange(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	n := New(Options{Clock: func() time.Time { return now }})
	const before, after = "one\ntwo\nthree\n", "one\nTWO\nthree\n"
	at := func(line int, message string) Diagnostic {
		return Diagnostic{Path: "a.go", Line: line, Message: message, Source: "vet", Severity: "error"}
	}
	says := func(text string, list ...Diagnostic) bool {
		return n.Diagnosed(Told{Path: "a.go", Text: text, List: list})
	}
	expect := func(what string, lines ...int) {
		t.Helper()
		got := n.Now()
		if len(got.List) != len(lines) || (got.Turn == "t1") != (len(lines) > 0) {
			t.Fatalf("%s: %+v, want those of lines %v", what, got, lines)
		}
		for i, line := range lines {
			if got.List[i].Line != line {
				t.Errorf("%s: %+v, want those of lines %v", what, got, lines)
			}
		}
	}

	if says(before, at(2, "old"), at(1, "elsewhere")) {
		t.Error("nothing was changed yet")
	}
	n.Landed(proposal.Landing{Turn: "t1", Proposal: "p1", Op: "apply", Files: []edits.Change{{Path: "a.go", Op: edits.OpUpdate, Before: before, After: after}}})
	if says(after, at(2, "old"), at(1, "new, and elsewhere")) {
		t.Error("what was there before, or is on another line, is no new problem")
	}
	expect("nothing new")
	hint := at(2, "a hint")
	hint.Severity = "hint"
	if !says(after, at(2, "old"), at(2, "old"), hint) {
		t.Error("the same for the second time is new")
	}
	expect("once more", 2)
	if says(after, at(2, "undefined: TWO")) {
		t.Error("somebody sees to them already")
	}
	if says("zero\n"+after, at(3, "undefined: TWO")) {
		t.Error("claimed twice")
	}
	expect("the lines have moved", 3)

	now = now.Add(problemsAppear + time.Second)
	says("zero\n"+after, at(3, "undefined: TWO"), at(3, "late"))
	expect("too late for another one", 3)
	if n.unclaim() {
		t.Error("there is one still")
	}
	says("zero\n" + after)
	if !n.unclaim() {
		t.Error("there is none any more")
	}
	expect("none is left")
}

// TestUndoForgetsProblems: what is taken back has none.
func TestUndoForgetsProblems(t *testing.T) {
	n := New(Options{Clock: time.Now})
	l := proposal.Landing{Turn: "t1", Proposal: "p1", Op: "apply", Files: []edits.Change{{Path: "a.go", Op: edits.OpCreate, After: "x\n"}}}
	n.Diagnosed(Told{Path: "a.go", Text: "x\n", List: nil})
	n.Landed(l)
	if !n.Diagnosed(Told{Path: "a.go", Text: "x\n", List: []Diagnostic{{Path: "a.go", Line: 1, Message: "m"}}}) || n.Now().Count() != "1 new problem" {
		t.Errorf("a new file: %+v", n.Now())
	}
	l.Op = "undo"
	n.Landed(l)
	if got := n.Now(); len(got.List) != 0 {
		t.Errorf("taken back: %+v", got)
	}
}

// TestFedBack counts the turns that were begun unasked, in a row.
func TestFedBack(t *testing.T) {
	n := New(Options{Clock: time.Now})
	n.Begun("t2", "t1")
	n.Begun("t3", "t2")
	if n.inRow("t3") != 2 || n.inRow("t2") != 0 {
		t.Errorf("%d and %d", n.inRow("t3"), n.inRow("t2"))
	}
	n.Begun("t5", "t4")
	if n.inRow("t5") != 1 {
		t.Errorf("after another turn of the user: %d", n.inRow("t5"))
	}
}
