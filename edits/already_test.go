package edits_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"

	"github.com/google/go-cmp/cmp"
)

// inForms writes the replacement of lines as a block, as a hunk, and as a hunk of V4A.
func inForms(old, new string) map[string]edits.Edit {
	c := edits.Chunk{}
	for l := range strings.Lines(old) {
		c.Lines = append(c.Lines, match.Line{Sign: '-', Text: strings.TrimSuffix(l, "\n")})
	}
	for l := range strings.Lines(new) {
		c.Lines = append(c.Lines, match.Line{Sign: '+', Text: strings.TrimSuffix(l, "\n")})
	}
	ends := c
	ends.Ends = true
	return map[string]edits.Edit{"block": replaceEdit(old, new), "hunk": hunk(c), "patch": hunk(ends)}
}

// checkAlready applies edits and checks that some of them, and no others, were no change.
func checkAlready(t *testing.T, what, before, want string, already int, o edits.Options, list ...edits.Edit) edits.Result {
	t.Helper()
	list = slices.Clone(list)
	for i := range list {
		list[i].Index = i
	}
	o.Chat = []string{"f"}
	r := edits.Apply(files{"f": before}, list, nil, o)
	got := files{"f": before}.After(r.Changes)["f"]
	if got != want || r.Rungs[edits.RungAlready] != already || len(r.Failures) > 0 {
		t.Errorf("%s: %d of %d edits were there already, want %d; the file is %q, want %q; %+v", what, r.Rungs[edits.RungAlready], len(list), already, got, want, r)
	}
	if told := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "already") }); told != (already > 0) {
		t.Errorf("%s: the notes are %q", what, r.Notes)
	}
	return r
}

// New lines that stand in the file before the reply, while the old ones do not, are there already.
func TestWhatTheFileHadIsThereAlready(t *testing.T) {
	const before = "import os\n\ndef total(items):\n    return sum(item.price for item in items)\n\nprint(total([]))\n"
	for what, c := range map[string]struct{ old, new string }{
		"one line":            {"    return sum(items)\n", "    return sum(item.price for item in items)\n"},
		"several":             {"def total():\n    return 0\n", "def total(items):\n    return sum(item.price for item in items)\n"},
		"blanks at line ends": {"    return sum(items)\n", "    return sum(item.price for item in items)  \n"},
	} {
		for form, e := range inForms(c.old, c.new) {
			checkAlready(t, what+" as a "+form, before, before, 1, edits.Options{}, e)
		}
	}
	// Lines that stay around one that is gone tell as much.
	gone := hunk(chunk(" import os", "-import sys_and_more", " ", " def total(items):"))
	checkAlready(t, "a line that is gone", before, before, 1, edits.Options{}, gone)
	checkAlready(t, "a block whose line is gone", before, before, 1, edits.Options{}, replaceEdit("import os\nimport sys_and_more\n\ndef total(items):\n", "import os\n\ndef total(items):\n"))
}

// Where it is not sure that the change was made, the edit is refused.
func TestWhatMayNotBeThereIsRefused(t *testing.T) {
	last := replaceEdit("two lines\nold line\n", "two lines\n")
	if r := edits.Apply(files{"f": "one line\ntwo lines\n"}, []edits.Edit{last}, nil, edits.Options{Chat: []string{"f"}}); len(r.Failures) != 1 {
		t.Errorf("a line that goes at the end: %+v", r)
	}
	for what, c := range map[string]struct{ before, old, new string }{
		"too short to tell":                 {"a {\n  x\n}\n", "zzzz zzzz zzzz\n", "}\n"},
		"dots among the new lines":          {"first line\nlast line\n", "something else\n", "first line\n...\nlast line\n"},
		"half of the old lines are there":   {"the new line\nold line one\n", "old line one\nold line two\n", "the new line\n"},
		"only a part of the new lines":      {"new line one\n", "old line\n", "new line one\nnew line two\n"},
		"the new lines in another order":    {"new line two\nnew line one\n", "old line\n", "new line one\nnew line two\n"},
		"the new lines with others between": {"new line one\nother\nnew line two\n", "old line\n", "new line one\nnew line two\n"},
		"a line that only goes":             {"one line\ntwo lines\n", "old line\n", ""},
		"blank new lines":                   {"one line\n\n", "old line\n", "\n"},
	} {
		for form, e := range inForms(c.old, c.new) {
			r := edits.Apply(files{"f": c.before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
			if len(r.Failures) != 1 || len(r.Changes) > 0 || r.Rungs[edits.RungAlready] > 0 {
				t.Errorf("%s as a %s: %+v", what, form, r)
			}
		}
	}
}

// What an earlier edit of the reply made is no reason to pass over a later one that finds no place.
func TestWhatTheReplyMadeIsNotThereAlready(t *testing.T) {
	first := replaceEdit("old line one\n", "the new line of both\n")
	second := replaceEdit("old line two\n", "the new line of both\n")
	second.Index = 1
	r := edits.Apply(files{"f": "old line one\nrest\n"}, []edits.Edit{first, second}, nil, edits.Options{Chat: []string{"f"}})
	if len(r.Failures) != 1 || r.Failures[0].Edit != 1 || !r.Failures[0].Already || r.Rungs[edits.RungAlready] > 0 {
		t.Errorf("%+v", r)
	}
}

// The same edit again counts once, in every form.
func TestTheSameEditCountsOnce(t *testing.T) {
	before, old := "one\ntwo\nthree\n", "two\n"
	for _, new := range []string{"zwei\n", "two\nmore\n", "", "more\ntwo\n", "two\ntwo\n"} {
		want := strings.Replace(before, old, new, 1)
		for form, e := range inForms(old, new) {
			for n := 1; n <= 3; n++ {
				checkAlready(t, fmt.Sprintf("%q %d times as a %s", new, n, form), before, want, n-1, edits.Options{}, slices.Repeat([]edits.Edit{e}, n)...)
			}
		}
	}
}

// With several places the same hunk again means the next one.
func TestTheSameHunkAgainMeansTheNextPlace(t *testing.T) {
	before := "head\nsame\nmid\nsame\ntail\n"
	c := chunk("-same", "+other")
	r := edits.Apply(files{"f": before}, []edits.Edit{hunk(c, c)}, nil, edits.Options{})
	if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != strings.ReplaceAll(before, "same", "other") || r.Rungs[edits.RungAlready] > 0 {
		t.Errorf("%+v", r)
	}
}

// A change that comes once as a hunk and once as a block, or as both kinds of hunk, counts once; so it
// does as a listing. Two changes of one form are two.
func TestAChangeToldInTwoFormsCountsOnce(t *testing.T) {
	before := "start here\nthe middle line\nend here\n"
	after := strings.Replace(before, "the middle line\n", "the middle line\nand one more line\n", 1)
	forms := inForms("the middle line\n", "the middle line\nand one more line\n")
	forms["listing"] = edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: after}
	forms["insertion"] = hunk(edits.Chunk{Scopes: []string{"the middle line"}, Lines: chunk("+and one more line").Lines})
	for one, x := range forms {
		for two, y := range forms {
			same := one == two || one == "hunk" && two == "insertion" || two == "hunk" && one == "insertion"
			if two == "listing" || same {
				continue // a listing is what it is, and what comes twice in one form may be meant twice
			}
			checkAlready(t, one+", then "+two, before, after, 1, edits.Options{}, x, y)
		}
	}
	// A second change of the same kind that makes what stands there already is one of its own.
	more := []edits.Edit{replaceEdit("start here\n", "start here\nand one more line\n"), replaceEdit("end here\n", "end here\nand one more line\n")}
	checkAlready(t, "twice the same new line", before, "start here\nand one more line\nthe middle line\nend here\nand one more line\n", 0, edits.Options{}, more...)
}

// Old lines that stand further in, where the new text stands as it is, are what the edit made already.
func TestOldLinesWithinTheNewTextAreThereAlready(t *testing.T) {
	before := "def f():\n    if ready:\n        begin()\n        finish()\n"
	e := replaceEdit("begin()\nfinish()\n", "    if ready:\n        begin()\n        finish()\n")
	checkAlready(t, "a block that was put into an if", before, before, 1, edits.Options{}, e)
	// As it is, the old text wins.
	plain := "begin()\nfinish()\n"
	checkAlready(t, "the old text as it is", plain, "    if ready:\n        begin()\n        finish()\n", 0, edits.Options{}, e)
}

// A new file that is there already is refused, unless it is the same, or the file there holds nothing.
func TestNewFilesThatAreThere(t *testing.T) {
	before := "package a\n\nfunc F() int { return 1 }\n\nfunc G() int { return 2 }\n"
	create := func(text string) edits.Edit {
		return edits.Edit{Path: "f", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: text}
	}
	for what, text := range map[string]string{"other lines": "something else\nof its own\n", "a line changed": strings.Replace(before, "return 2", "return 3", 1), "one line more": before[:len(before)-27] + "lost = 1\nmore = 2\nother = 3\nlines = 4\nhere = 5\n"} {
		r := edits.Apply(files{"f": before}, []edits.Edit{create(text)}, nil, edits.Options{})
		if len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonExists || len(r.Changes) > 0 {
			t.Errorf("%s: %+v", what, r)
		}
	}
	checkAlready(t, "the same", before, before, 0, edits.Options{}, create(before))
	checkAlready(t, "over nothing", "\n\n", "new\n", 0, edits.Options{}, create("new\n"))
}

// rounds applies replies of one turn one after the other, as a turn does.
func rounds(before files, replies ...[]edits.Edit) (files, []edits.Result) {
	now, earlier := before, []edits.Landing(nil)
	var out []edits.Result
	for _, list := range replies {
		list = slices.Clone(list)
		for i := range list {
			list[i].Index = i
		}
		r := edits.Apply(now, list, nil, edits.Options{Chat: before.Paths(), Earlier: earlier, Remember: true})
		earlier = append(earlier, r.Landings...)
		now = now.After(r.Changes)
		out = append(out, r)
	}
	return now, out
}

// repeatable are edits of "alpha\nbeta\ngamma\n" in f that could land twice, and one that cannot land.
var repeatable = map[string]edits.Edit{
	"a block that adds below": replaceEdit("beta\n", "beta\nmore\n"),
	"a block that adds above": replaceEdit("beta\n", "more\nbeta\n"),
	"a block of two":          replaceEdit("beta\n", "beta\nbeta\n"),
	"an append":               replaceEdit("", "more\n"),
	"a hunk":                  hunk(chunk(" alpha", "+more")),
	"a hunk of new lines":     hunk(chunk("+more")),
	"a hunk with a number":    hunk(edits.Chunk{Line: 1, Lines: chunk("+more").Lines}),
	"a hunk with a scope":     hunk(edits.Chunk{Scopes: []string{"beta"}, Lines: chunk("+more").Lines}),
	"two hunks":               hunk(chunk(" alpha", "+more"), chunk(" gamma", "+more")),
	"a listing":               {Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: "alpha\nbeta\ngamma\nmore\n"},
	"a new file":              {Path: "new", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "text\n"},
	"a new file by a block":   {Path: "new", Op: edits.OpCreate, Kind: edits.KindReplace, Replace: "text\n"},
	"a deletion":              {Path: "f", Op: edits.OpDelete, Kind: edits.KindDelete},
	"a rename":                {Path: "f", To: "g", Op: edits.OpRename, Kind: edits.KindRename},
	"a rename with a hunk":    {Path: "f", To: "g", Op: edits.OpRename, Kind: edits.KindRename, Chunks: []edits.Chunk{chunk(" alpha", "+more")}},
}

// What landed in an earlier reply of the turn and comes again is no change, in each reply that follows.
func TestWhatComesAgainInALaterReplyIsThereAlready(t *testing.T) {
	tree := files{"f": "alpha\nbeta\ngamma\n"}
	bad := replaceEdit("no such line anywhere\n", "x\n")
	for what, e := range repeatable {
		want, first := rounds(tree, []edits.Edit{e})
		if len(first[0].Failures) > 0 || len(first[0].Changes) != 1 || len(first[0].Landings) == 0 {
			t.Fatalf("%s: %+v", what, first[0])
		}
		got, results := rounds(tree, []edits.Edit{e, bad}, []edits.Edit{e}, []edits.Edit{e}, []edits.Edit{e, e}, []edits.Edit{e, e, e})
		if got["f"] != want["f"] || got["new"] != want["new"] || got["g"] != want["g"] || len(got) != len(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
		for i, r := range results[1:] {
			if len(r.Failures) > 0 || len(r.Changes) > 0 || r.Rungs[edits.RungAlready] == 0 || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "already") }) {
				t.Errorf("%s, reply %d: %+v", what, i+2, r)
			}
		}
	}
}

// What comes several times in one reply lands once, at first and in the replies that follow.
func TestWhatComesTwiceLandsOnce(t *testing.T) {
	tree := files{"f": "alpha\nbeta\ngamma\n"}
	for what, e := range repeatable {
		want, _ := rounds(tree, []edits.Edit{e})
		for _, counts := range [][]int{{2}, {3}, {1, 2}, {2, 1}, {1, 3, 2}, {2, 2}} {
			var replies [][]edits.Edit
			for _, n := range counts {
				replies = append(replies, slices.Repeat([]edits.Edit{e}, n))
			}
			got, results := rounds(tree, replies...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %v times: -want +got\n%s", what, counts, diff)
			}
			for i, r := range results {
				gone := i == 0 && (e.Op == edits.OpDelete || e.Op == edits.OpRename) // then there is no such file any more
				if len(r.Failures) > 0 && !gone || i > 0 && (len(r.Changes) > 0 || r.Rungs[edits.RungAlready] < counts[i]) {
					t.Errorf("%s, %v times, reply %d: %+v", what, counts, i+1, r)
				}
			}
		}
		// What was taken back in between lands again, and once.
		r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: tree.Paths(), Remember: true})
		if strings.HasPrefix(what, "a hunk") || strings.HasPrefix(what, "a block that") {
			twice := []edits.Edit{e, e}
			twice[1].Index = 1
			r = edits.Apply(tree, twice, nil, edits.Options{Chat: tree.Paths(), Earlier: r.Landings, Remember: true})
			if diff := cmp.Diff(want, tree.After(r.Changes)); diff != "" || len(r.Failures) > 0 || len(r.Landings) != 1 {
				t.Errorf("%s, taken back: %+v\n%s", what, r, diff)
			}
		}
	}
}

// Where there are several places, what comes more often than it landed means the next one, and where the
// same lines are added below several equal ones as well.
func TestWhatComesAgainMayMeanTheNextPlace(t *testing.T) {
	tree := files{"f": "head\nsame\nmid\nsame\ntail\n"}
	e := hunk(edits.Chunk{Scopes: []string{"same"}, Lines: chunk("+new").Lines})
	got, results := rounds(tree, []edits.Edit{e, e}, []edits.Edit{e, e})
	if got["f"] != "head\nsame\nnew\nmid\nsame\nnew\ntail\n" || results[1].Rungs[edits.RungAlready] != 2 {
		t.Errorf("%v, %+v", got, results)
	}
	got, results = rounds(tree, []edits.Edit{e, e, e})
	if got["f"] != "head\nsame\nnew\nmid\nsame\nnew\ntail\n" || results[0].Rungs[edits.RungAlready] != 1 {
		t.Errorf("%v, %+v", got, results)
	}
	// Another number or another scope is another hunk.
	at := func(line int) edits.Edit { return hunk(edits.Chunk{Line: line, Lines: chunk("+new").Lines}) }
	got, _ = rounds(files{"f": "1\n2\n3\n"}, []edits.Edit{at(1), at(2)})
	if got["f"] != "1\nnew\n2\nnew\n3\n" {
		t.Errorf("%v", got)
	}
}

// A rename of which one hunk is refused leaves nothing behind: the next one does all of it.
func TestARenameThatIsRefusedLeavesNothing(t *testing.T) {
	tree := files{"f": "alpha\nbeta\ngamma\n"}
	move := func(chunks ...edits.Chunk) edits.Edit {
		return edits.Edit{Path: "f", To: "g", Op: edits.OpRename, Kind: edits.KindRename, Chunks: chunks}
	}
	bad := chunk("-no such line anywhere", "+x")
	for what, c := range map[string]edits.Chunk{"lines": chunk(" alpha", "+more"), "new lines": chunk("+more"), "below a scope": {Scopes: []string{"alpha"}, Lines: chunk("+more").Lines}} {
		want, _ := rounds(tree, []edits.Edit{move(c, chunk("-gamma", "+GAMMA"))})
		for how, replies := range map[string][][]edits.Edit{
			"in one reply":                 {{move(c, bad), move(c, chunk("-gamma", "+GAMMA"))}},
			"in two":                       {{move(c, bad)}, {move(c, chunk("-gamma", "+GAMMA"))}},
			"a hunk that came before":      {{hunk(c)}, {move(c, bad), move(c, chunk("-gamma", "+GAMMA"))}},
			"as a block before":            {{move(c, bad), replaceEdit("beta\n", "beta\n\n"), replaceEdit("beta\n\n", "beta\n"), move(c, chunk("-gamma", "+GAMMA"))}},
			"with the good one at the end": {{move(bad, c), move(c, chunk("-gamma", "+GAMMA"))}},
		} {
			if got, results := rounds(tree, replies...); got["g"] != want["g"] || len(got) != 1 {
				t.Errorf("%s, %s: %v, want %v, %+v", what, how, got, want, results)
			}
		}
	}
}

// Without Remember nothing is kept.
func TestNothingIsRememberedUnasked(t *testing.T) {
	for what, e := range repeatable {
		if r := edits.Apply(files{"f": "alpha\nbeta\ngamma\n"}, []edits.Edit{e}, nil, edits.Options{}); len(r.Landings) > 0 {
			t.Errorf("%s: %+v", what, r.Landings)
		}
	}
}

// What tells that a change was made: new lines with more than three letters, or that a line is gone from
// between others; and no half of the lines that were to go is there.
func TestWhatTellsThatAChangeWasMade(t *testing.T) {
	for what, c := range map[string]struct {
		before string
		lines  []string
		made   bool
	}{
		"three letters":                       {"abc\n", []string{"-nowhere", "+abc"}, false},
		"four letters":                        {"abcd\n", []string{"-nowhere", "+abcd"}, true},
		"four with blanks around":             {"    abc\n", []string{"-nowhere", "+    abc"}, false},
		"two lines, one of four":              {"abc\nabcd\n", []string{"-nowhere", "+abc", "+abcd"}, true},
		"other blanks at the end":             {"abcd\n", []string{"-nowhere", "+abcd  "}, true},
		"further in":                          {"  abcd\n", []string{"-nowhere", "+abcd"}, false},
		"gone between lines":                  {"above\nbelow\n", []string{" above", "-nowhere", " below"}, true},
		"gone between a line and a blank one": {"above\n\n", []string{" above", "-nowhere", " "}, false},
		"gone, a blank one and a line":        {"above\n\nbelow\n", []string{" above", "-nowhere", " ", " below"}, true},
		"two gone between lines":              {"above\nbelow\n", []string{" above", "-nowhere", "-nothing", " below"}, true},
		"gone below a new line":               {"above\nnew\nbelow\n", []string{" above", "+new", "-nowhere", " below"}, false},
		"gone above a new line":               {"above\nnew\nbelow\n", []string{" above", "-nowhere", "+new", " below"}, false},
		"gone above the first line":           {"above\nbelow\n", []string{"-nowhere", " above", " below"}, false},
		"gone below the last line":            {"above\nbelow\n", []string{" above", " below", "-nowhere"}, false},
		"one of three is there":               {"line one\nthe new line\n", []string{"-line one", "-line two", "-line three", "+the new line"}, true},
		"one of two is there":                 {"line one\nthe new line\n", []string{"-line one", "-line two", "+the new line"}, false},
		"two of three are there":              {"line one\nthe new line\nline two\n", []string{"-line one", "-line two", "-line three", "+the new line"}, false},
		"a short one of two is there":         {"}\nthe new line\n", []string{"-}", "-line two", "+the new line"}, true},
		"one that stays too":                  {"line one\nthe new line\n", []string{" line one", "-line one", "-line two", "+the new line"}, true},
	} {
		r := edits.Apply(files{"f": c.before}, []edits.Edit{hunk(chunk(c.lines...))}, nil, edits.Options{Chat: []string{"f"}})
		if got := len(r.Failures) == 0 && r.Rungs[edits.RungAlready] == 1; got != c.made || len(r.Changes) > 0 || !got && len(r.Failures) != 1 {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// New text that stands somewhere else is not what the edit made.
func TestNewTextThatStandsElsewhere(t *testing.T) {
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"below it": {"x:\n    b()\nif a:\n    z()\n", "b()\n", "if a:\n    z()\n", "x:\n    if a:\n        z()\nif a:\n    z()\n"},
		"above it": {"if a:\n    z()\nx:\n    b()\n", "b()\n", "if a:\n    z()\n", "if a:\n    z()\nx:\n    if a:\n        z()\n"},
		"half way": {"if a:\n    b()\n    c()\n", "b()\nc()\n", "b()\n", "if a:\n    b()\n"},
	} {
		checkAlready(t, what, c.before, c.want, 0, edits.Options{}, replaceEdit(c.search, c.replace))
	}
}

// A rename that is refused takes back what it did, and nothing else: neither what edits before it made nor
// the selection.
func TestARenameThatIsRefusedKeepsTheRest(t *testing.T) {
	bad := chunk("-no such line anywhere", "+x")
	move := func(chunks ...edits.Chunk) edits.Edit {
		return edits.Edit{Index: 1, Path: "f", To: "g", Op: edits.OpRename, Kind: edits.KindRename, Chunks: chunks}
	}
	last := replaceEdit("old line two\n", "the new line of both\n")
	last.Index = 2
	r := edits.Apply(files{"f": "old line one\nrest\n"}, []edits.Edit{replaceEdit("old line one\n", "the new line of both\n"), move(chunk("-rest", "+more"), bad), last}, nil, edits.Options{Chat: []string{"f"}})
	if len(r.Changes) != 1 || r.Changes[0].After != "the new line of both\nrest\n" || len(r.Failures) != 2 || r.Failures[1].Edit != 2 || r.Rungs[edits.RungAlready] > 0 {
		t.Errorf("%+v", r)
	}
	same := hunk(chunk("-same", "+changed"))
	same.Index = 2
	text := textOf(withSame(9, 2, 6))
	want := textOf(withSame(9, 2, 6)[:6]) + "changed\nline 7\nline 8\n"
	r = edits.Apply(files{"f": text}, []edits.Edit{move(chunk("-line 0", "+a", "+b", "+c", "+d"), bad), same}, nil, edits.Options{Selected: map[string]edits.Lines{"f": {First: 7, Last: 7}}})
	if len(r.Changes) != 1 || r.Changes[0].After != want || len(r.Failures) != 1 {
		t.Errorf("%+v", r)
	}
}
