package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/match"
)

func TestMarkupOf(t *testing.T) {
	for text, want := range map[string]edits.Markup{
		"<<<<<<< SEARCH": edits.MarkupBlock, ">>>>>>> REPLACE": edits.MarkupBlock, "<<<<< ORIGINAL": edits.MarkupBlock,
		"<<<<<<< HEAD": "", "=======": "", " <<<<<<< SEARCH": "", "<<< SEARCH": "", ">>>> search": "", "<<<<<<< search": edits.MarkupBlock, "<<<<<<< SEARCHED": "",
		"<<<<< search": edits.MarkupBlock, "<<<<<<<<< search": edits.MarkupBlock, "<<<<<<<<<< search": "", "<<<<<<<<<< SEARCH": edits.MarkupBlock, "<<<< SEARCH": edits.MarkupBlock,
		">>>>>>>>>>>> REPLACE": edits.MarkupBlock, ">>>>>>>>>>>>> REPLACE": "", "<<<<<<< UPDATED": edits.MarkupBlock, "<<<<<<<SEARCH": edits.MarkupBlock,
		"*** Begin Patch": edits.MarkupPatch, "*** Update File: a.py": edits.MarkupPatch, "*** note": "",
		"@@ -1,2 +1,3 @@ def f():": edits.MarkupDiff, "@@ -1 +1 @@": edits.MarkupDiff, "@@ ... @@": edits.MarkupDiff,
		"diff --git a/x b/x": edits.MarkupDiff, "@@ -x +1 @@": "", "@decorator": "", "--- a": "", "": "",
	} {
		if got := edits.MarkupOf(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Every kind of edit that would put markup into a file is refused, but where the file has such lines or they stand
// in a literal.
func TestMarkupIsNoContent(t *testing.T) {
	const before = "one\ntwo\nthree\n"
	edit := map[string]func(text string) edits.Edit{
		"replace": func(text string) edits.Edit {
			return edits.Edit{Kind: edits.KindReplace, Search: "two\n", Replace: text}
		},
		"append": func(text string) edits.Edit { return edits.Edit{Kind: edits.KindReplace, Replace: text} },
		"whole": func(text string) edits.Edit {
			return edits.Edit{Kind: edits.KindWhole, Replace: "one\n" + text + "three\n"}
		},
		"hunk": func(text string) edits.Edit {
			return edits.Edit{Kind: edits.KindHunk, Chunks: []edits.Chunk{{Lines: append([]match.Line{{Sign: '-', Text: "two"}}, plus(text)...)}}}
		},
		"insertion": func(text string) edits.Edit {
			return edits.Edit{Kind: edits.KindHunk, Chunks: []edits.Chunk{{Line: 2, Lines: plus(text)}}}
		},
		"new file": func(text string) edits.Edit {
			return edits.Edit{Path: "new.txt", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: text}
		},
		"new by block": func(text string) edits.Edit {
			return edits.Edit{Path: "new.txt", Op: edits.OpCreate, Kind: edits.KindReplace, Replace: text}
		},
	}
	texts := []string{
		"<<<<<<< SEARCH\nx\n", "y\n>>>>>>> REPLACE\n", "*** Begin Patch\nz\n", "x\n*** Update File: a.py\n", "@@ -1,2 +1,2 @@\nq\n", "@@ ... @@\nq\n",
		"diff --git a/x b/x\nq\n", "s = \"\"\"\nquoted\n\"\"\"\n<<<<<<< SEARCH\n",
	}
	try := func(tree editstest.Files, e edits.Edit, o edits.Options) edits.Result {
		if e.Op == "" {
			e.Op = edits.OpUpdate
		}
		if e.Path == "" {
			e.Path = "a.txt"
		}
		return edits.Apply(tree, []edits.Edit{e}, nil, o)
	}
	for name, of := range edit {
		for _, text := range texts {
			r := try(editstest.Files{"a.txt": before}, of(text), edits.Options{})
			if len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonMarkup {
				t.Errorf("%s of %q: %+v %+v", name, text, r.Changes, r.Failures)
			}
			if !strings.HasPrefix(name, "new") {
				if r := try(editstest.Files{"a.txt": before + text}, of(text), edits.Options{}); len(r.Failures) > 0 && r.Failures[0].Reason == edits.ReasonMarkup {
					t.Errorf("%s of %q, which the file has: %+v", name, text, r.Failures)
				}
			}
		}
		quoted := "want = `\n@@ -1,2 +1,2 @@\n`\n"
		if r := try(editstest.Files{"a.txt": before}, of(quoted), edits.Options{}); len(r.Failures) > 0 {
			t.Errorf("%s of a literal: %+v", name, r.Failures)
		}
	}
	if r := try(editstest.Files{}, edits.Edit{Path: "fix.patch", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "@@ -1 +1 @@\n"}, edits.Options{}); len(r.Failures) > 0 {
		t.Errorf("a patch file: %+v", r.Failures)
	}
}

func plus(text string) (out []match.Line) {
	for line := range strings.Lines(text) {
		out = append(out, match.Line{Sign: '+', Text: strings.TrimSuffix(line, "\n")})
	}
	return out
}

// Markup that the file had when the reply began, or that another edit brought in a literal, may come again.
func TestMarkupThatTheFileHas(t *testing.T) {
	add := func(index int, old, text string) edits.Edit {
		return edits.Edit{Index: index, Path: "a.txt", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: old, Replace: old + text}
	}
	const block, patch = "<<<<<<< SEARCH\n", "*** Begin Patch\n"
	for what, c := range map[string]struct {
		before  string
		list    []edits.Edit
		refused int
	}{
		"the kind that it has, twice":     {"one\ntwo\n" + block, []edits.Edit{add(0, "one\n", block), add(1, "two\n", block)}, 0},
		"another kind, twice":             {"one\ntwo\n" + block, []edits.Edit{add(0, "one\n", patch), add(1, "two\n", patch)}, 2},
		"one of each":                     {"one\ntwo\n" + block, []edits.Edit{add(0, "one\n", patch), add(1, "two\n", block)}, 1},
		"gone by the first edit":          {"one\ntwo\n" + block, []edits.Edit{{Path: "a.txt", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: "two\n" + block, Replace: "two\n"}, add(1, "two\n", block)}, 0},
		"first refused, then in literals": {"one\ntwo\n", []edits.Edit{add(0, "one\n", block), add(1, "two\n", "x = `\n"+block+"`\n")}, 1},
	} {
		if r := edits.Apply(editstest.Files{"a.txt": c.before}, c.list, nil, edits.Options{}); len(r.Failures) != c.refused || c.refused > 0 && r.Failures[0].Reason != edits.ReasonMarkup {
			t.Errorf("%s: %+v", what, r)
		}
	}
}
