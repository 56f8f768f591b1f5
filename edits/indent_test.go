package edits_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"
)

// code makes lines nested by tabs, none of them twice.
func code(r *rand.Rand, n int) []string {
	var out []string
	depth := 0
	for i := range n {
		out = append(out, strings.Repeat("\t", depth)+fmt.Sprintf("call_%d(%c)", i, 'a'+i%26))
		depth = max(0, depth+r.IntN(3)-1)
	}
	return out
}

// indented writes nested lines with another unit, after some blanks.
func indented(lines []string, before, unit string) string {
	var out strings.Builder
	for _, l := range lines {
		text := strings.TrimLeft(l, "\t")
		if text != "" {
			out.WriteString(before + strings.Repeat(unit, len(l)-len(text)) + text)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// A block that was quoted further in or out, or with other blanks, lands as if it had been quoted as it
// is: its new lines are moved as the old ones were.
func TestNewLinesMoveAsTheOldOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	units := []string{"\t", "  ", "    ", "        "}
	landed, tried := 0, 0
	for range 3000 {
		lines := code(r, 24)
		at, n := 4+r.IntN(8), 3+r.IntN(5)
		old := lines[at : at+n]
		var new []string
		for i, l := range old {
			switch {
			case i > 0 && r.IntN(4) == 0: // it goes
			case r.IntN(3) == 0:
				depth := l[:len(l)-len(strings.TrimLeft(l, "\t"))]
				new = append(new, l, depth+fmt.Sprintf("more_%d()", i))
			case r.IntN(5) == 0:
				new = append(new, l, "")
			default:
				new = append(new, l)
			}
		}
		fileUnit, fileBefore := units[r.IntN(len(units))], strings.Repeat(units[r.IntN(3)], r.IntN(2))
		// What is quoted is further in or out by a prefix, or has its own unit.
		quoteUnit, quoteBefore := fileUnit, fileBefore+strings.Repeat(fileUnit, 1+r.IntN(2))
		switch r.IntN(3) {
		case 0:
			if fileUnit != "\t" {
				quoteUnit = "\t"
			} else {
				quoteUnit = "    "
			}
			quoteBefore, fileBefore = "", ""
		case 1:
			if fileBefore != "" {
				quoteBefore = ""
			}
		}
		before := indented(lines[:at], fileBefore, fileUnit) + indented(old, fileBefore, fileUnit) + indented(lines[at+n:], fileBefore, fileUnit)
		want := indented(lines[:at], fileBefore, fileUnit) + indented(new, fileBefore, fileUnit) + indented(lines[at+n:], fileBefore, fileUnit)
		search, replace := indented(old, quoteBefore, quoteUnit), indented(new, quoteBefore, quoteUnit)
		if search == replace {
			continue
		}
		var c edits.Chunk
		for _, h := range hunkEdits(search, replace, 100) {
			c = h.Chunks[0]
		}
		c.Line = 0
		list := []edits.Edit{replaceEdit(search, replace)}
		if len(edits.Diff(search, replace)) == 1 && c.Lines[len(c.Lines)-1].Sign == ' ' { // one that ends in new lines may end a block
			list = append(list, hunk(c))
		}
		for _, e := range list {
			res := edits.Apply(files{"f": before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
			tried++
			if len(res.Failures) > 0 {
				continue // what is as deep as the file already is refused
			}
			landed++
			if len(res.Changes) != 1 || res.Changes[0].After != want {
				t.Fatalf("%s: search\n%s\nreplace\n%s\nbefore\n%s\ngot\n%s\nwant\n%s", e.Kind, search, replace, before, res.Changes[0].After, want)
			}
		}
	}
	if landed*10 < tried*9 {
		t.Errorf("only %d of %d landed", landed, tried)
	}
}

// checkMoved applies a block to a file and checks the result, "" for a refusal.
func checkMoved(t *testing.T, what, before, search, replace, want string) {
	t.Helper()
	r := edits.Apply(files{"f": before}, []edits.Edit{replaceEdit(search, replace)}, nil, edits.Options{Chat: []string{"f"}})
	switch {
	case want == "" && (len(r.Changes) > 0 || len(r.Failures) != 1):
		t.Errorf("%s: want a refusal, got %+v", what, r)
	case want != "" && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != want):
		t.Errorf("%s: want %q, got %+v", what, want, r)
	}
}

// How far in the new lines belong, where the old ones were written too far out or in.
func TestHowDeepNewLinesAre(t *testing.T) {
	const before = "class A:\n    def f(self):\n        one()\n        two()\n"
	for _, c := range []struct{ what, search, replace, want string }{
		{"both too far out", "one()\ntwo()\n", "one()\nthree()\n", "class A:\n    def f(self):\n        one()\n        three()\n"},
		{"the new lines as deep as the file", "one()\ntwo()\n", "        one()\n        three()\n", "class A:\n    def f(self):\n        one()\n        three()\n"},
		{"a deeper line of its own", "one()\ntwo()\n", "if x:\n    one()\n", "class A:\n    def f(self):\n        if x:\n            one()\n"},
		{"some as deep, some not", "one()\ntwo()\n", "        one()\nthree()\n", ""},
		{"deeper than the file", "one()\ntwo()\n", "            one()\n            three()\n", ""},
		{"too far in", "            one()\n            two()\n", "            one()\n            three()\n", "class A:\n    def f(self):\n        one()\n        three()\n"},
		{"one line with a block below it", "one()\n", "if x:\n    one()\n", "class A:\n    def f(self):\n        if x:\n            one()\n        two()\n"},
		{"one line, the second as deep as the file", "one()\n", "zero()\n        one()\n", ""},
		{"one line, two lines", "one()\n", "zero()\none()\n", "class A:\n    def f(self):\n        zero()\n        one()\n        two()\n"},
		{"nothing new", "one()\n", "", "class A:\n    def f(self):\n        two()\n"},
		{"blank lines stay blank", "one()\ntwo()\n", "one()\n\ntwo()\n", "class A:\n    def f(self):\n        one()\n\n        two()\n"},
		{"tabs for blanks", "\tdef f(self):\n\t\tone()\n", "\tdef f(self):\n\t\tif x:\n\t\t\tone()\n", "class A:\n    def f(self):\n        if x:\n            one()\n        two()\n"},
		{"two for four", "def f(self):\n  one()\n", "def f(self):\n  if x:\n    one()\n", "class A:\n    def f(self):\n        if x:\n            one()\n        two()\n"},
		{"three for four", "   def f(self):\n      one()\n", "   def f(self):\n      if x:\n         one()\n", "class A:\n    def f(self):\n        if x:\n            one()\n        two()\n"},
	} {
		checkMoved(t, c.what, before, c.search, c.replace, c.want)
	}
	checkMoved(t, "lines moved by different amounts", "a:\n    b()\n  c()\n", "a:\n  b()\n  c()\n", "a:\n  x()\n  y()\n", "")
}

// A hunk in which the blank before lines that stay was forgotten here and there keeps its new lines as
// they are: those have their sign.
func TestForgottenBlanksMoveNothing(t *testing.T) {
	before := "def f():\n    one()\n    two()\n    three()\n"
	for what, lines := range map[string][]string{
		"one of two": {" def f():", "-    one()", "+    uno()", "    two()"},
		"the other":  {"def f():", "-    one()", "+    uno()", "     two()"},
		"each":       {"def f():", "-    one()", "+    uno()", "    two()"},
		"none":       {" def f():", "-    one()", "+    uno()", "     two()"},
	} {
		var c edits.Chunk
		for _, l := range lines {
			cl := match.Line{Sign: ' ', Text: l, Bare: true}
			if strings.ContainsAny(l[:1], " +-") {
				cl = match.Line{Sign: l[0], Text: l[1:]}
			}
			c.Lines = append(c.Lines, cl)
		}
		r := edits.Apply(files{"f": before}, []edits.Edit{hunk(c)}, nil, edits.Options{})
		if len(r.Failures) > 0 || r.Changes[0].After != strings.Replace(before, "one()", "uno()", 1) {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// One line that was written too far out, and new ones of which the first is as far out and the others as deep
// as the file: that is a block of its own if the first line opens one, and unsure otherwise.
func TestLinesThatOpenABlock(t *testing.T) {
	const before = "def f():\n    one()\nend\n"
	for _, first := range []string{
		"if x:", "f = {", "f(", "f = [", "a <", "a =", "<b>", "a +", "a |", "a &", "a \\", "f:  ",
		"if x; then", "while x; do", "x else", "x begin", "case x of", "for x in", "def g", "class G", "module M", "if x", "unless x", "while x", "for x", "case x", "when x", "function g", "local x", "begin x", "<b", "- item",
	} {
		checkMoved(t, first, before, "one()\n", first+"\n    one()\n", "def f():\n    "+first+"\n        one()\nend\n")
	}
	for _, first := range []string{"zero()", "x = 1", "return", "defx", "iffy", "xthen", "a -", "thento x", "do x"} {
		checkMoved(t, first, before, "one()\n", first+"\n    one()\n", "")
	}
	// With one new line, with old ones that say how deep they are, or with the new ones not as deep as the file,
	// all are moved by the same.
	checkMoved(t, "one new line", before, "one()\n", "zero()\n", "def f():\n    zero()\nend\n")
	checkMoved(t, "further out", before, "one()\n", "zero()\n  one()\n", "def f():\n    zero()\n      one()\nend\n")
	checkMoved(t, "too far in", "def f():\n  one()\nend\n", "    one()\n", "    zero()\n      one()\n", "def f():\n  zero()\n    one()\nend\n")
	checkMoved(t, "blank lines between", before, "one()\n", "zero()\n\n    one()\n", "")
	checkMoved(t, "two old lines", "def f():\n    one()\n    two()\nend\n", "one()\ntwo()\n", "zero()\n    one()\n    two()\n", "def f():\n    zero()\n        one()\n        two()\nend\n")
}

// Depths that the old lines do not have are in proportion, if that gives whole blanks and all others are so.
func TestDepthsInProportion(t *testing.T) {
	const before = "a:\n    b:\n        c()\nend\n"
	for _, c := range []struct{ what, search, replace, want string }{
		{"deeper than all", "a:\n  b:\n", "a:\n  b:\n    d()\n", "a:\n    b:\n        d()\n        c()\nend\n"},
		{"between", "a:\n    b:\n        c()\n", "a:\n    b:\n      d()\n        c()\n", "a:\n    b:\n      d()\n        c()\nend\n"},
		{"half a step", "a:\n  b:\n    c()\n", "a:\n  b:\n   d()\n    c()\n", "a:\n    b:\n      d()\n        c()\nend\n"},
		{"a third of a step", "a:\n      b:\n            c()\n", "a:\n      b:\n        d()\n            c()\n", ""},
		{"out to the first column", " b:\n  c()\n", "d()\n b:\n  c()\n", "a:\nd()\n    b:\n        c()\nend\n"},
		{"blank lines between", "a:\n  b:\n", "a:\n\n  b:\n   \n    d()\n", "a:\n\n    b:\n   \n        d()\n        c()\nend\n"},
		{"not in one line", "a:\n  b:\n      c()\n", "a:\n  b:\n    d()\n      c()\n", ""},
		{"not in one line, no new depth", "a:\n  b:\n      c()\n", "a:\n  d:\n      c()\n", "a:\n    d:\n        c()\nend\n"},
		{"depths in another order", "    a:\n  b:\n      c()\n", "    a:\n  d:\n      c()\n", ""},
		{"two depths that are one", "a:\n  b:\n  c()\n", "a:\n  d:\n  c()\n", ""},
	} {
		checkMoved(t, c.what, before, c.search, c.replace, c.want)
	}
	checkMoved(t, "one depth that is two", "a:\n  b()\n    c()\n", "a:\n\tb()\n\t\tc()\n", "a:\n\tb()\n\t\td()\n", "a:\n  b()\n    d()\n")
	checkMoved(t, "mixed blanks", "a:\n \tb()\n", "a:\n    b()\n", "a:\n    b()\n        c()\n", "")
	checkMoved(t, "mixed blanks, no new depth", "a:\n \tb()\n", "a:\n    b()\n", "a:\n    c()\n", "a:\n \tc()\n")
	checkMoved(t, "left of the first column", "b()\nc()\n", "  b()\n  c()\n", " d()\n  c()\n", "")
}

// In a hunk a few lines that stand further in or out than in the file are slips: the file's own stay, and what goes
// goes. Where as many are wrong as right, or where that makes two places, nothing is taken for one.
func TestUnevenHunks(t *testing.T) {
	const before = "<a>\n  <b>\n    one()\n    two()\n  </b>\n</a>\n"
	for what, c := range map[string]struct {
		before string
		lines  []string
		want   string // "" for refused
	}{
		"the blank of a line that stays": {before, []string{"   <b>", "     one()", "-    two()", "+    zwei()", " </b>"}, "<a>\n  <b>\n    one()\n    zwei()\n  </b>\n</a>\n"},
		"a blank behind the signs":       {before, []string{"   <b>", "     one()", "-     two()", "+     zwei()", "   </b>"}, "<a>\n  <b>\n    one()\n    zwei()\n  </b>\n</a>\n"},
		"a line that goes":               {before, []string{"   <b>", "     one()", "-  two()", "+    zwei()", "   </b>"}, ""},
		"half of the lines":              {before, []string{"   one()", "-    two()", "+    zwei()"}, ""},
		"two places":                     {before + before, []string{"   <b>", "     one()", "-    two()", "+    zwei()", " </b>"}, ""},
		"blank lines do not count":       {"a\n\n\n\n  b\n", []string{"   a", " ", " ", " ", "-  b", "+  c"}, ""},
	} {
		got, rung := try(c.before, hunk(chunk(c.lines...)))
		if c.want == "" && rung != "" || c.want != "" && (got != c.want || rung != match.RungIndent) {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
	// A block that is not a hunk says with its own lines what it replaces.
	if got, rung := try(before, replaceEdit("  <b>\n    one()\n  two()\n  </b>\n", "  <b>\n    one()\n  </b>\n")); rung != "" {
		t.Errorf("by %q, got %q", rung, got)
	}
}
