package edits_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/edits"
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

// ruleCase is what a rule does to edits of one file, and what came of them without it.
type ruleCase struct {
	rule          edits.Rule
	before        string
	list          []edits.Edit
	with, without string
}

func (c ruleCase) name() string {
	switch c.rule {
	case edits.RuleDropped:
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
	{edits.RuleTrailing, "one\ntwo\n", lines("-two  ", "+2"), "trailing-space|one\n2\n", "indentation|one\n2\n"},
	{edits.RuleTrailing, "a\n  \nb\n", lines(" ", "+new"), "trailing-space|a\n  \nnew\nb\n", "indentation|a\n  \nnew\nb\n"},
	{edits.RuleIndent, "if a:\n    b()\n    c()\n", swap("b()\nc()\n", "d()\n"), "indentation|if a:\n    d()\n", "blank-lines|if a:\n    d()\n"},
	{edits.RuleUnits, "if a:\n\tb()\n", swap("if a:\n    b()\n", "if a:\n    b()\n    d()\n"), "indentation|if a:\n\tb()\n\td()\n", "!no-match|if a:\n\tb()\n"},
	{edits.RuleUnits, "if a:\n\tb()\n", swap("    b()\n", "    if x:\n        b()\n"), "indentation|if a:\n\tif x:\n\t\tb()\n", "indentation|if a:\n\tif x:\n\t    b()\n"},
	{edits.RuleUneven, "if a:\n    b()\n    c()\n", lines(" if a:", "   b()", "-    c()", "+    d()"), "indentation|if a:\n    b()\n    d()\n", "!no-match|if a:\n    b()\n    c()\n"},
	{edits.RuleUnevenGone, "if a:\n    b()\n    c()\n", lines(" if a:", "-  b()", "     c()"), "indentation|if a:\n    c()\n", "!no-match|if a:\n    b()\n    c()\n"},
	{edits.RuleUnevenGone, "if a:\n    b()\n    c()\n    d()\n    e()\n", lines(" if a:", "-  b()", "-    c()", "-    d()", "+    f()", "     e()"), "indentation|if a:\n    f()\n    e()\n", "!no-match|if a:\n    b()\n    c()\n    d()\n    e()\n"},
	{edits.RuleSimilarUneven, "begin_it(now)\n    process(everything)\n    finish()\n", lines(" begin_it(now)", "  process(everythinx)", "-    finish()", "+    end()"), "similar|begin_it(now)\n    process(everything)\n    end()\n", "!no-match|begin_it(now)\n    process(everything)\n    finish()\n"},
	{edits.RuleReordered, "a1\nb1\nc1\n", lines(" b1", " a1", "-c1", "+z1"), "reordered|a1\nb1\nz1\n", "!no-match|a1\nb1\nc1\n"},
	{edits.RuleInventedLoose, "one()\n\ntwo()\n", lines(" one()", " # why not", "-two()", "+zwei()"), "blank-lines|one()\n# why not\n\nzwei()\n", "!no-match|one()\n\ntwo()\n"},
	{edits.RuleBlankLines, "a = 1\n\nb = 2\n", swap("a = 1\nb = 2\n", "x = 3\n"), "blank-lines|x = 3\n", "!no-match|a = 1\n\nb = 2\n"},
	{edits.RuleElision, "a1\nx\nb1\n", swap("a1\n...\nb1\n", "a1\n...\nB1\n"), "elision|a1\nx\nB1\n", "!no-match|a1\nx\nb1\n"},
	{edits.RuleJoined, "one\ntwo\nthree\n", lines(" one", "-three", "+3"), "joined|one\ntwo\n3\n", "!no-match|one\ntwo\nthree\n"},
	{edits.RuleUnicode, "x = 'a'\n", swap("x = ‘a’\n", "x = ‘b’\n"), "unicode|x = 'b'\n", "!no-match|x = 'a'\n"},
	{edits.RuleSimilar, "begin_it(now)\nprocess(everything)\n", swap("begin_it(now)\nprocess(everythinx)\n", "x\n"), "similar|x\n", "!no-match|begin_it(now)\nprocess(everything)\n"},
	{edits.RuleBareHunk, "def f():\n    one()\n    two()\n", []edits.Edit{hunk(edits.Chunk{Lines: []edits.ChunkLine{{Sign: ' ', Text: "def f():"}, {Sign: '-', Text: "    one()"}, {Sign: '+', Text: "    uno()"}, {Sign: ' ', Text: "    two()", Bare: true}}})}, "exact|def f():\n    uno()\n    two()\n", "indentation|def f():\n    uno()\n    two()\n"},
	{edits.RuleInvented, "one()\ntwo()\n", lines(" one()", " # why not", "-two()", "+zwei()"), "exact|one()\n# why not\nzwei()\n", "!no-match|one()\ntwo()\n"},
	{edits.RuleFences, "one\ntwo\n", swap("```\ntwo\n```\n", "```\n2\n```\n"), "exact|one\n2\n", "!no-match|one\ntwo\n"},
	{edits.RuleSigns, "one\ntwo\nthree\n", swap("-two\n-three\n", "+2\n"), "exact|one\n2\n", "!no-match|one\ntwo\nthree\n"},
	{edits.RuleSigned, "def f():\n    x()\n    y()\n", swap("     x()\n", "     x()\n+    z()\n"), "exact|def f():\n    x()\n    z()\n    y()\n", "indentation|def f():\n    x()\n+    z()\n    y()\n"},
	{edits.RuleNumbers, "one\ntwo\nthree\n", swap("2: two\n3: three\n", "2: zwei\n3: three\n"), "exact|one\nzwei\nthree\n", "!no-match|one\ntwo\nthree\n"},
	{edits.RuleEntities, "if a < b\n", swap("if a &lt; b\n", "if a &lt;= b\n"), "exact|if a <= b\n", "!no-match|if a < b\n"},
	{edits.RuleSplits, "title\n=======\nbody\nend\n", one(edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: "title\n", Replace: "body\n=======\nnew\n", Splits: []edits.Split{{Search: "title\n=======\nbody\n", Replace: "new\n"}}}), "exact|new\nend\n", "exact|body\n=======\nnew\n=======\nbody\nend\n"},
	{edits.RuleAtEnd, "x\ny\nx\n", one(hunk(edits.Chunk{AtEnd: true, Lines: chunk("-x", "+z").Lines})), "exact|x\ny\nz\n", "!ambiguous|x\ny\nx\n"},
	{edits.RuleHeader, "x\na\nx\nb\nx\n", one(hunk(chunk("-a", "+A"), edits.Chunk{Line: 1, Lines: chunk("-x", "+z").Lines})), "exact|z\nA\nx\nb\nx\n", "!ambiguous|exact|x\nA\nx\nb\nx\n"},
	{edits.RuleOrder, "x\na\nx\n", one(hunk(chunk("-a", "+A"), chunk("-x", "+z"))), "exact|x\nA\nz\n", "!ambiguous|exact|x\nA\nx\n"},
	{edits.RuleLater, "x\na\nx\n", one(hunk(chunk("-x", "+z"), chunk("-a", "+A"))), "exact|z\nA\nx\n", "!ambiguous|exact|x\nA\nx\n"},
	{edits.RuleScope, "x\na\nx\nx\n", one(hunk(edits.Chunk{Scopes: []string{"a"}, Lines: chunk("-x", "+z").Lines})), "exact|x\na\nz\nx\n", "!ambiguous|x\na\nx\nx\n"},
	{edits.RuleNearest, "x\na\nx\nb\nc\nd\ne\nx\n", one(hunk(edits.Chunk{Line: 4, Lines: chunk("-x", "+z").Lines})), "exact|x\na\nz\nb\nc\nd\ne\nx\n", "!ambiguous|x\na\nx\nb\nc\nd\ne\nx\n"},
	{edits.RuleTop, "a\n", one(hunk(edits.Chunk{AtTop: true, Lines: chunk("+z").Lines})), "!ambiguous|a\n", "exact|a\nz\n"},
	{edits.RuleAnchor, "anchor\na\nend\n1\n2\n3\n4\n5\nend\n", swap("anchor\n...\nend\n", "anchor\n...\nEND\n"), "elision|anchor\na\nEND\n1\n2\n3\n4\n5\nend\n", "!ambiguous|anchor\na\nend\n1\n2\n3\n4\n5\nend\n"},
	{edits.RuleAnchor, "anchor\nkept\na\nend\nb\nend\n", swap("anchor\nkept\n...\nend\n", "ANCHOR\nkept\n...\nend\n"), "elision|ANCHOR\nkept\na\nend\nb\nend\n", "!ambiguous|anchor\nkept\na\nend\nb\nend\n"},
	{edits.RuleFarther, "anchor\na\nend\nb\nend\n", swap("anchor\n...\nend\n", "anchor\n...\nEND\n"), "!ambiguous|anchor\na\nend\nb\nend\n", "elision|anchor\na\nEND\nb\nend\n"},
	{edits.RuleBeyond, "a1\nx\ny\n", swap("a1\n...\n", "a1\n...\nnew\n"), "!no-match|a1\nx\ny\n", "elision|a1\nnew\nx\ny\n"},
	{edits.RuleRecurs, "a1\nx\ny\nb1\n", swap("a1\n...\nb1\n", "A1\nb1\n"), "!no-match|a1\nx\ny\nb1\n", "elision|A1\nb1\n"},
	{edits.RuleSpells, "def f():\n    a()\n    return 1\n", swap("def f():\n    ...\n\n    return 1\n", "def f():\n\n    a()\n    return 2\n"), "elision|def f():\n\n    a()\n    return 2\n", "elision|def f():\n    a()\n    return 2\n"},
	{edits.RuleCuttable, "a\nx\nb\n", lines(" a", "+new", " b"), "!no-match|a\nx\nb\n", "joined|a\nnew\nx\nb\n"},
	{edits.RuleLikeFile, "if a:\n    one()\n    two()\n", swap("one()\ntwo()\n", "    one()\n    three()\n"), "indentation|if a:\n    one()\n    three()\n", "indentation|if a:\n        one()\n        three()\n"},
	{edits.RuleDepth, "if a:\n    one()\n    two()\n", swap("one()\ntwo()\n", "    one()\nthree()\n"), "!no-match|if a:\n    one()\n    two()\n", "indentation|if a:\n        one()\n    three()\n"},
	{edits.RuleFirstOut, "if a:\n    one()\n", swap("one()\n", "zero()\n    one()\n"), "!no-match|if a:\n    one()\n", "indentation|if a:\n    zero()\n        one()\n"},
	{edits.RuleDeep, "    if a:\n        b()\n", swap("if a:\n    b()\n", "    x()\n    b()\n"), "!no-match|    if a:\n        b()\n", "indentation|    x()\n    b()\n"},
	{edits.RuleMapped, "x = 'a'\n", swap("x = ‘a’\n", "x = ‘b’\n"), "unicode|x = 'b'\n", "unicode|x = ‘b’\n"},
	{edits.RuleBeside, "a\nb\n", swap("a\n\nb\n", "a\n\nnew\nb\n"), "blank-lines|a\n\nnew\nb\n", "blank-lines|a\nnew\nb\n"},
	{edits.RuleFilledIn, "a\n\nb\n", swap("a\nb\n", "a\n\nb\nc\n"), "blank-lines|a\n\nb\nc\n", "blank-lines|a\n\n\nb\nc\n"},
	{edits.RuleLastEnd, "a\nb\n", one(hunk(edits.Chunk{Lines: []edits.ChunkLine{{Sign: '-', Text: "b"}, {Sign: '+', Text: "c", Open: true}}})), "exact|a\nc", "exact|a\nc\n"},
	{edits.RuleOtherLine, "begin_here()\nvalue = compute(1)\nfinish_here()\nvalue = compute(2)\n", swap("begin_here()\nvalue = compute(2)\nfinish_here()\n", "x\n"), "!no-match|begin_here()\nvalue = compute(1)\nfinish_here()\nvalue = compute(2)\n", "similar|x\nvalue = compute(2)\n"},
	{edits.RuleShortGone, "begin_here()\nx = 1\nfinish_here()\nand_so_on()\n", swap("begin_here()\nx = 2\nfinish_here()\nand_so_on()\n", "y\n"), "!no-match|begin_here()\nx = 1\nfinish_here()\nand_so_on()\n", "similar|y\n"},
	{edits.RuleOtherName, "begin_here()\naccount.withdraw(amount, currency)\nfinish_here()\ndeposit\n", swap("begin_here()\naccount.deposit(amount, currency)\nfinish_here()\n", "y\n"), "!no-match|begin_here()\naccount.withdraw(amount, currency)\nfinish_here()\ndeposit\n", "similar|y\ndeposit\n"},
	{edits.RuleHalf, "begin_here()\nfinish_here()\nand_so_on()\n", swap("begin_hero()\nfinish_hero()\nand_so_on()\n", "y\n"), "!no-match|begin_here()\nfinish_here()\nand_so_on()\n", "similar|y\n"},
	{edits.RuleLine, "begin_here()\nabcdefghijklmnopqrst\nfinish_here()\nand_so_on()\n", swap("begin_here()\nabcdef#########pqrst\nfinish_here()\nand_so_on()\n", "y\n"), "!no-match|begin_here()\nabcdefghijklmnopqrst\nfinish_here()\nand_so_on()\n", "similar|y\n"},
	{edits.RuleAverage, "begin_here()\nabcdefghijklmnopqrst\n", swap("begin_here()\nabcdefg#######opqrst\n", "y\n"), "!no-match|begin_here()\nabcdefghijklmnopqrst\n", "similar|y\n"},
	{edits.RuleTwice, "one\ntwo\n", one(replaceEdit("one\n", "one\nmore\n"), replaceEdit("one\n", "one\nmore\n")), "already|exact|one\nmore\ntwo\n", "exact|one\nmore\nmore\ntwo\n"},
	{edits.RuleTwice, "one\ntwo\n", one(hunk(edits.Chunk{Line: 1, Lines: chunk("+more").Lines}), hunk(edits.Chunk{Line: 1, Lines: chunk("+more").Lines})), "already|exact|one\nmore\ntwo\n", "exact|one\nmore\nmore\ntwo\n"},
	{edits.RuleForms, "one\ntwo\n", one(replaceEdit("two\n", "more\ntwo\n"), hunk(chunk(" one", "+more", " two"))), "already|exact|one\nmore\ntwo\n", "!no-match|exact|one\nmore\ntwo\n"},
	{edits.RuleForms, "one\ntwo\n", one(replaceEdit("one\n", "one\nmore\n"), hunk(edits.Chunk{Line: 1, Lines: chunk("+more").Lines})), "already|exact|one\nmore\ntwo\n", "exact|one\nmore\nmore\ntwo\n"},
	{edits.RuleHad, "new line\ntwo\n", swap("something else\n", "new line\n"), "already|new line\ntwo\n", "!no-match|new line\ntwo\n"},
	{edits.RuleWithin, "if a:\n    b()\n    c()\n", swap("b()\nc()\n", "if a:\n    b()\n    c()\n"), "already|if a:\n    b()\n    c()\n", "indentation|if a:\n    if a:\n        b()\n        c()\n"},
	{edits.RuleControl, "one\ntwo\n", swap("one\n", "1\x07\n"), "!control|one\ntwo\n", "exact|1\x07\ntwo\n"},
	{edits.RuleDivider, "one\ntwo\n", swap("one\n", "1\n\n=======\nx\n"), "!malformed|one\ntwo\n", "exact|1\n\n=======\nx\ntwo\n"},
	{edits.RuleMarkup, "one\ntwo\n", swap("one\n", "*** Begin Patch\n"), "!markup|one\ntwo\n", "exact|*** Begin Patch\ntwo\n"},
	{edits.RuleMarkup, "one\ntwo\n", one(listing("one\n*** Begin Patch\ntwo\n")), "!markup|one\ntwo\n", "whole|one\n*** Begin Patch\ntwo\n"},
	{edits.RuleMarkup, "one\ntwo\n", swap("", "*** Begin Patch\n"), "!markup|one\ntwo\n", "exact|one\ntwo\n*** Begin Patch\n"},
	{edits.RuleOmitted, "one()\ntwo()\nthree()\n", swap("one()\ntwo()\n", "# ... existing code ...\n"), "!elision|one()\ntwo()\nthree()\n", "exact|# ... existing code ...\nthree()\n"},
	{edits.RuleOmitted, "one()\ntwo()\nthree()\n", one(listing("# ... existing code ...\nthree()\n")), "!elision|one()\ntwo()\nthree()\n", "whole|# ... existing code ...\nthree()\n"},
	{edits.RuleParts, "x = 1\ndef f():\n    one()\n", lines(" x = 1", " def f():", "+def g():", "+    pass"), "!ambiguous|x = 1\ndef f():\n    one()\n", "exact|x = 1\ndef f():\ndef g():\n    pass\n    one()\n"},
	{edits.RuleDropped, "def load():\n    pass\n\nload()\n", swap("def load():\n    pass\n", ""), "!dropped|def load():\n    pass\n\nload()\n", "exact|\nload()\n"},
	{edits.RuleDropped, "def load():\n    pass\n\nload()\n", one(listing("load()\n")), "!dropped|def load():\n    pass\n\nload()\n", "whole|load()\n"},
	{edits.RuleShared, "one\ntwo\n", swap("", "one\nmore\n"), "!exists|one\ntwo\n", "exact|one\ntwo\none\nmore\n"},
	{edits.RuleEmpty, "one\n", one(listing("\n")), "!malformed|one\n", "whole|\n"},
	{edits.RuleStands, "one\n", one(edits.Edit{Path: "n", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "# ... rest of the code ...\n"}), "!elision|one\n", "create|f=one\n|n=# ... rest of the code ...\n"},
	{edits.RuleExists, "one\n", one(edits.Edit{Path: "f", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "two\n"}), "!exists|one\n", "whole|two\n"},
	{edits.RuleListNumbers, "one\ntwo\n", one(listing("1: one\n2: two\n3: three\n")), "whole|one\ntwo\nthree\n", "whole|1: one\n2: two\n3: three\n"},
}

// What each rule does that nothing else would. A rule of which nothing is said here is one that no test
// needs.
func TestWhatEachRuleDoes(t *testing.T) {
	seen := map[edits.Rule]bool{}
	for _, c := range ruleCases {
		list := slices.Clone(c.list)
		for k := range list {
			list[k].Index = k
			if list[k].Path == "f" {
				list[k].Path = c.name()
			}
		}
		tree := files{c.name(): c.before}
		with := edits.Apply(tree, list, nil, edits.Options{Chat: []string{c.name()}})
		without := edits.Apply(tree, list, nil, edits.Options{Chat: []string{c.name()}, Without: c.rule})
		if got := told(tree, with); got != c.with {
			t.Errorf("%s: %q, want %q", c.rule, got, c.with)
		}
		if got := told(tree, without); got != c.without {
			t.Errorf("without %s: %q, want %q", c.rule, got, c.without)
		}
		if c.with == c.without {
			t.Errorf("%s does nothing here", c.rule)
		}
		for _, note := range slices.Concat(with.Notes, without.Notes) {
			if strings.Contains(note, "%") { // no name or line here has one
				t.Errorf("%s: the note %q is not filled in", c.rule, note)
			}
		}
		seen[c.rule] = true
	}
	for _, row := range edits.Rules {
		if !seen[row.Rule] {
			t.Errorf("nothing is said of %s", row.Rule)
		}
	}
}

// TestThePageOfRules: RULES.md counts every rule, and says of each what the table here says.
func TestThePageOfRules(t *testing.T) {
	text, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range edits.Rules {
		want = append(want, fmt.Sprintf("%s | %s | %s", r.Rule, r.Why, r.What))
	}
	_, table, _ := strings.Cut(string(text), "<!-- table -->")
	for line := range strings.Lines(table) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); len(cells) == 7 && !strings.HasPrefix(line, "| rule ") {
			got = append(got, strings.TrimPrefix(cells[0], "| ")+" | "+cells[5]+" | "+strings.TrimSuffix(cells[6], " |"))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("make it again by cmd/bench/edit_rules.py: %s", diff)
	}
}
