package edits_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/edits"
	"coauthor/edits/match"
)

// told is what came of some edits: the reasons of those that were refused, the rungs, and the files.
func told(tree files, r edits.Result) string {
	var out []string
	for _, f := range r.Failures {
		out = append(out, "!"+f.Reason)
	}
	for _, rung := range slices.Sorted(maps.Keys(r.Rungs)) {
		out = append(out, string(rung))
	}
	after := tree.After(r.Changes)
	for _, path := range slices.Sorted(maps.Keys(after)) {
		text := after[path]
		if len(after) > 1 {
			text = path + "=" + text
		}
		out = append(out, text)
	}
	return strings.Join(out, "|")
}

// ruleCase is what a rule of RULES.md does to edits of one file.
type ruleCase struct {
	rule, before string
	list         []edits.Edit
	want         string
}

func (c ruleCase) name() string {
	switch c.rule {
	case "dropped":
		return "f.py"
	}
	return "f"
}

func one(e ...edits.Edit) []edits.Edit { return e }

func swap(search, replace string) []edits.Edit { return one(replaceEdit(search, replace)) }

func lines(l ...string) []edits.Edit { return one(hunk(chunk(l...))) }

func listing(text string) edits.Edit {
	return edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: text}
}

var ruleCases = []ruleCase{
	{"trailing", "one\ntwo\n", lines("-two  ", "+2"), "trailing-space|one\n2\n"},
	{"trailing", "a\n  \nb\n", lines(" ", "+new"), "trailing-space|a\n  \nnew\nb\n"},
	{"indent", "if a:\n    b()\n    c()\n", swap("b()\nc()\n", "d()\n"), "indentation|if a:\n    d()\n"},
	{"units", "if a:\n\tb()\n", swap("if a:\n    b()\n", "if a:\n    b()\n    d()\n"), "indentation|if a:\n\tb()\n\td()\n"},
	{"units", "if a:\n\tb()\n", swap("    b()\n", "    if x:\n        b()\n"), "indentation|if a:\n\tif x:\n\t\tb()\n"},
	{"uneven", "if a:\n    b()\n    c()\n", lines(" if a:", "   b()", "-    c()", "+    d()"), "indentation|if a:\n    b()\n    d()\n"},
	{"uneven-gone", "if a:\n    b()\n    c()\n", lines(" if a:", "-  b()", "     c()"), "indentation|if a:\n    c()\n"},
	{"uneven-gone", "if a:\n    b()\n    c()\n    d()\n    e()\n", lines(" if a:", "-  b()", "-    c()", "-    d()", "+    f()", "     e()"), "indentation|if a:\n    f()\n    e()\n"},
	{"similar-uneven", "begin_it(now)\n    process(everything)\n    finish()\n", lines(" begin_it(now)", "  process(everythinx)", "-    finish()", "+    end()"), "similar|begin_it(now)\n    process(everything)\n    end()\n"},
	{"reordered", "a1\nb1\nc1\n", lines(" b1", " a1", "-c1", "+z1"), "reordered|a1\nb1\nz1\n"},
	{"invented-loose", "one()\n\ntwo()\n", lines(" one()", " # why not", "-two()", "+zwei()"), "blank-lines|one()\n# why not\n\nzwei()\n"},
	{"blank-lines", "a = 1\n\nb = 2\n", swap("a = 1\nb = 2\n", "x = 3\n"), "blank-lines|x = 3\n"},
	{"elision", "a1\nx\nb1\n", swap("a1\n...\nb1\n", "a1\n...\nB1\n"), "elision|a1\nx\nB1\n"},
	{"joined", "one\ntwo\nthree\n", lines(" one", "-three", "+3"), "joined|one\ntwo\n3\n"},
	{"unicode", "x = 'a'\n", swap("x = ‘a’\n", "x = 'b'\n"), "unicode|x = 'b'\n"},
	{"similar", "begin_it(now)\nprocess(everything)\n", swap("begin_it(now)\nprocess(everythinx)\n", "x\n"), "similar|x\n"},
	{"bare-hunk", "def f():\n    one()\n    two()\n", []edits.Edit{hunk(edits.Chunk{Lines: []match.Line{{Sign: ' ', Text: "def f():"}, {Sign: '-', Text: "    one()"}, {Sign: '+', Text: "    uno()"}, {Sign: ' ', Text: "    two()", Bare: true}}})}, "exact|def f():\n    uno()\n    two()\n"},
	{"invented", "one()\ntwo()\n", lines(" one()", " # why not", "-two()", "+zwei()"), "exact|one()\n# why not\nzwei()\n"},
	{"fences", "one\ntwo\n", swap("```\ntwo\n```\n", "```\n2\n```\n"), "exact|one\n2\n"},
	{"signs", "one\ntwo\nthree\n", swap("-two\n-three\n", "+2\n"), "exact|one\n2\n"},
	{"signed", "def f():\n    x()\n    y()\n", swap("     x()\n", "     x()\n+    z()\n"), "exact|def f():\n    x()\n    z()\n    y()\n"},
	{"numbers", "one\ntwo\nthree\n", swap("2: two\n3: three\n", "2: zwei\n3: three\n"), "exact|one\nzwei\nthree\n"},
	{"entities", "if a < b\n", swap("if a &lt; b\n", "if a &lt;= b\n"), "exact|if a <= b\n"},
	{"splits", "title\n=======\nbody\nend\n", one(edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: "title\n", Replace: "body\n=======\nnew\n", Splits: []edits.Split{{Search: "title\n=======\nbody\n", Replace: "new\n"}}}), "exact|new\nend\n"},
	{"at-end", "x\ny\nx\n", one(hunk(edits.Chunk{AtEnd: true, Lines: chunk("-x", "+z").Lines})), "exact|x\ny\nz\n"},
	{"header-line", "x\na\nx\nb\nx\n", one(hunk(chunk("-a", "+A"), edits.Chunk{Line: 1, Lines: chunk("-x", "+z").Lines})), "exact|z\nA\nx\nb\nx\n"},
	{"order", "x\na\nx\n", one(hunk(chunk("-a", "+A"), chunk("-x", "+z"))), "exact|x\nA\nz\n"},
	{"later", "x\na\nx\n", one(hunk(chunk("-x", "+z"), chunk("-a", "+A"))), "exact|z\nA\nx\n"},
	{"scope", "x\na\nx\nx\n", one(hunk(edits.Chunk{Scopes: []string{"a"}, Lines: chunk("-x", "+z").Lines})), "exact|x\na\nz\nx\n"},
	{"nearest", "x\na\nx\nb\nc\nd\ne\nx\n", one(hunk(edits.Chunk{Line: 4, Lines: chunk("-x", "+z").Lines})), "exact|x\na\nz\nb\nc\nd\ne\nx\n"},
	{"top", "a\n", one(hunk(edits.Chunk{AtTop: true, Lines: chunk("+z").Lines})), "!ambiguous|a\n"},
	{"anchor", "anchor\na\nend\n1\n2\n3\n4\n5\nend\n", swap("anchor\n...\nend\n", "anchor\n...\nEND\n"), "elision|anchor\na\nEND\n1\n2\n3\n4\n5\nend\n"},
	{"anchor", "anchor\nkept\na\nend\nb\nend\n", swap("anchor\nkept\n...\nend\n", "ANCHOR\nkept\n...\nend\n"), "elision|ANCHOR\nkept\na\nend\nb\nend\n"},
	{"farther", "anchor\na\nend\nb\nend\n", swap("anchor\n...\nend\n", "anchor\n...\nEND\n"), "!ambiguous|anchor\na\nend\nb\nend\n"},
	{"beyond-dots", "a1\nx\ny\n", swap("a1\n...\n", "a1\n...\nnew\n"), "!no-match|a1\nx\ny\n"},
	{"look-alikes", "x = 'a'\n", swap("x = ‘a’\n", "x = ‘b’\n"), "!no-match|x = 'a'\n"},
	{"recurs", "a1\nx\ny\nb1\n", swap("a1\n...\nb1\n", "A1\nb1\n"), "!no-match|a1\nx\ny\nb1\n"},
	{"cuttable", "a\nx\nb\n", lines(" a", "+new", " b"), "!no-match|a\nx\nb\n"},
	{"like-file", "if a:\n    one()\n    two()\n", swap("one()\ntwo()\n", "    one()\n    three()\n"), "indentation|if a:\n    one()\n    three()\n"},
	{"depth-unsure", "if a:\n    one()\n    two()\n", swap("one()\ntwo()\n", "    one()\nthree()\n"), "!no-match|if a:\n    one()\n    two()\n"},
	{"first-out", "if a:\n    one()\n", swap("one()\n", "zero()\n    one()\n"), "!no-match|if a:\n    one()\n"},
	{"deep-as-search", "    if a:\n        b()\n", swap("if a:\n    b()\n", "    x()\n    b()\n"), "!no-match|    if a:\n        b()\n"},
	{"beside-new", "a\nb\n", swap("a\n\nb\n", "a\n\nnew\nb\n"), "blank-lines|a\n\nnew\nb\n"},
	{"blank-filled", "a\n\nb\n", swap("a\nb\n", "a\n\nb\nc\n"), "blank-lines|a\n\nb\nc\n"},
	{"last-end", "a\nb\n", one(hunk(edits.Chunk{Lines: []match.Line{{Sign: '-', Text: "b"}, {Sign: '+', Text: "c", Open: true}}})), "exact|a\nc"},
	{"other-line", "begin_here()\nvalue = compute(1)\nfinish_here()\nvalue = compute(2)\n", swap("begin_here()\nvalue = compute(2)\nfinish_here()\n", "x\n"), "!no-match|begin_here()\nvalue = compute(1)\nfinish_here()\nvalue = compute(2)\n"},
	{"short-removed", "begin_here()\nx = 1\nfinish_here()\nand_so_on()\n", swap("begin_here()\nx = 2\nfinish_here()\nand_so_on()\n", "y\n"), "!no-match|begin_here()\nx = 1\nfinish_here()\nand_so_on()\n"},
	{"other-name", "begin_here()\naccount.withdraw(amount, currency)\nfinish_here()\ndeposit\n", swap("begin_here()\naccount.deposit(amount, currency)\nfinish_here()\n", "y\n"), "!no-match|begin_here()\naccount.withdraw(amount, currency)\nfinish_here()\ndeposit\n"},
	{"held-by-half", "begin_here()\nfinish_here()\nand_so_on()\n", swap("begin_hero()\nfinish_hero()\nand_so_on()\n", "y\n"), "!no-match|begin_here()\nfinish_here()\nand_so_on()\n"},
	{"line-alike", "begin_here()\nabcdefghijklmnopqrst\nfinish_here()\nand_so_on()\n", swap("begin_here()\nabcdef#########pqrst\nfinish_here()\nand_so_on()\n", "y\n"), "!no-match|begin_here()\nabcdefghijklmnopqrst\nfinish_here()\nand_so_on()\n"},
	{"alike-on-average", "begin_here()\nabcdefghijklmnopqrst\n", swap("begin_here()\nabcdefg#######opqrst\n", "y\n"), "!no-match|begin_here()\nabcdefghijklmnopqrst\n"},
	{"twice", "one\ntwo\n", one(replaceEdit("one\n", "one\nmore\n"), replaceEdit("one\n", "one\nmore\n")), "already|exact|one\nmore\ntwo\n"},
	{"twice", "one\ntwo\n", one(hunk(edits.Chunk{Line: 1, Lines: chunk("+more").Lines}), hunk(edits.Chunk{Line: 1, Lines: chunk("+more").Lines})), "already|exact|one\nmore\ntwo\n"},
	{"two-forms", "one\ntwo\n", one(replaceEdit("two\n", "more\ntwo\n"), hunk(chunk(" one", "+more", " two"))), "already|exact|one\nmore\ntwo\n"},
	{"two-forms", "one\ntwo\n", one(replaceEdit("one\n", "one\nmore\n"), hunk(edits.Chunk{Line: 1, Lines: chunk("+more").Lines})), "already|exact|one\nmore\ntwo\n"},
	{"had", "new line\ntwo\n", swap("something else\n", "new line\n"), "already|new line\ntwo\n"},
	{"within", "if a:\n    b()\n    c()\n", swap("b()\nc()\n", "if a:\n    b()\n    c()\n"), "already|if a:\n    b()\n    c()\n"},
	{"control", "one\ntwo\n", swap("one\n", "1\x07\n"), "!control|one\ntwo\n"},
	{"divider", "one\ntwo\n", swap("one\n", "1\n\n=======\nx\n"), "!malformed|one\ntwo\n"},
	{"markup", "one\ntwo\n", swap("one\n", "*** Begin Patch\n"), "!markup|one\ntwo\n"},
	{"markup", "one\ntwo\n", one(listing("one\n*** Begin Patch\ntwo\n")), "!markup|one\ntwo\n"},
	{"markup", "one\ntwo\n", swap("", "*** Begin Patch\n"), "!markup|one\ntwo\n"},
	{"omitted", "one()\ntwo()\nthree()\n", swap("one()\ntwo()\n", "# ... existing code ...\n"), "!elision|one()\ntwo()\nthree()\n"},
	{"omitted", "one()\ntwo()\nthree()\n", one(listing("# ... existing code ...\nthree()\n")), "!elision|one()\ntwo()\nthree()\n"},
	{"parts", "x = 1\ndef f():\n    one()\n", lines(" x = 1", " def f():", "+def g():", "+    pass"), "!ambiguous|x = 1\ndef f():\n    one()\n"},
	{"dropped", "def load():\n    pass\n\nload()\n", swap("def load():\n    pass\n", ""), "!dropped|def load():\n    pass\n\nload()\n"},
	{"dropped", "def load():\n    pass\n\nload()\n", one(listing("load()\n")), "!dropped|def load():\n    pass\n\nload()\n"},
	{"shared", "one\ntwo\n", swap("", "one\nmore\n"), "!exists|one\ntwo\n"},
	{"empty", "one\n", one(listing("\n")), "!malformed|one\n"},
	{"placeholder", "one\n", one(edits.Edit{Path: "n", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "# ... rest of the code ...\n"}), "!elision|one\n"},
	{"exists", "one\n", one(edits.Edit{Path: "f", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "two\n"}), "!exists|one\n"},
	{"listing-numbers", "one\ntwo\n", one(listing("1: one\n2: two\n3: three\n")), "whole|one\ntwo\nthree\n"},
}

// TestWhatEachRuleDoes: a rule of the page of which nothing is said here is one that no test needs, and one of which
// something is said here stands on the page.
func TestWhatEachRuleDoes(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range ruleCases {
		list := slices.Clone(c.list)
		for k := range list {
			list[k].Index = k
			if list[k].Path == "f" {
				list[k].Path = c.name()
			}
		}
		tree := files{c.name(): c.before}
		r := edits.Apply(tree, list, nil, edits.Options{Chat: []string{c.name()}})
		if got := told(tree, r); got != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
		for _, note := range r.Notes {
			if strings.Contains(note, "%") { // no name or line here has one
				t.Errorf("%s: the note %q is not filled in", c.rule, note)
			}
		}
		seen[c.rule] = true
	}
	page, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	_, table, _ := strings.Cut(string(page), "<!-- table -->")
	table, _, _ = strings.Cut(table, "<!-- end -->")
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); len(cells) == 7 && cells[0] != "| rule" {
			listed[strings.TrimPrefix(cells[0], "| ")] = true
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(seen))); diff != "" {
		t.Errorf("the rules of the page (-) and those of which something is said here (+): %s", diff)
	}
}
