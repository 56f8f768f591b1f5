package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
)

// A listing under a name that examples use is the chat file that it fits, and no file otherwise.
func TestListingsUnderNamesOfExamples(t *testing.T) {
	const old, new = "def one():\n    return 1\n", "def one():\n    return 2\n"
	whole := func(path, text string) edits.Edit {
		return edits.Edit{Path: path, Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: text}
	}
	for _, name := range []string{"path/to/file.py", "some/path/to/x.py", "filename.py", "file_name.py", "file-name.py", "your_file.py", "your-file.py", "yourfile.js", "your-filename", "path_to_file.py",
		"Path/To/A.py", `path\to\file.py`, "`path/to/file.py`", "show_greeting.py", "ours.py"} {
		o := edits.Options{Chat: []string{"src/a.py", "src/b.py"}, Examples: []string{"ours.py"}}
		tree := files{"src/a.py": old, "src/b.py": "import a\n\ndef other():\n    pass\n"}
		if r := edits.Apply(tree, []edits.Edit{whole(name, new)}, nil, o); len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != "src/a.py" || r.Changes[0].After != new || len(r.Notes) == 0 {
			t.Errorf("%s: %+v", name, r)
		}
		nobody := whole(name, "def nobody():\n    nothing = 0\n    return nothing\n")
		if r := edits.Apply(tree, []edits.Edit{nobody}, nil, o); len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoFile || len(r.Changes) > 0 {
			t.Errorf("%s, a text of nobody: %+v", name, r)
		}
		// Beside an edit of a file that is there, it only repeats the example.
		beside := replaceEdit("import a\n", "import b\n")
		beside.Path, beside.Index = "src/b.py", 1
		if r := edits.Apply(tree, []edits.Edit{nobody, beside}, nil, o); len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != "src/b.py" || len(r.Notes) == 0 {
			t.Errorf("%s beside another edit: %+v", name, r)
		}
		// If its text is that of a chat file, it is, whatever other files the reply names.
		r := edits.Apply(tree, []edits.Edit{whole(name, new), beside}, nil, o)
		if got := tree.After(r.Changes); len(r.Failures) > 0 || len(got) != 2 || got["src/a.py"] != new || !strings.HasPrefix(got["src/b.py"], "import b\n") {
			t.Errorf("%s, a text of a file, beside another edit: %+v", name, r)
		}
		// A file that the reply names itself is not meant.
		named := whole("src/a.py", strings.Replace(old, "1", "3", 1))
		named.Index = 1
		if r := edits.Apply(tree, []edits.Edit{whole(name, new), named}, nil, o); len(r.Changes) != 1 || !strings.Contains(r.Changes[0].After, "return 3") {
			t.Errorf("%s beside the file itself: %+v", name, r)
		}
		// An edit block that makes a file of that name is no better.
		made := replaceEdit("", "nobody = 0\n")
		made.Path = name
		if r := edits.Apply(tree, []edits.Edit{made}, nil, o); len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoFile || len(r.Changes) > 0 {
			t.Errorf("%s, made by a block: %+v", name, r)
		}
		if r := edits.Apply(files{}, []edits.Edit{made}, nil, edits.Options{}); len(r.Changes) != 1 || r.Changes[0].Op != edits.OpCreate {
			t.Errorf("%s, made by a block, without chat files: %+v", name, r)
		}
		// Without chat files it is a name like any other.
		if r := edits.Apply(files{}, []edits.Edit{whole(name, new)}, nil, edits.Options{}); len(r.Changes) != 1 || r.Changes[0].Op != edits.OpCreate {
			t.Errorf("%s without chat files: %+v", name, r)
		}
	}
	for _, name := range []string{"files.py", "myfile.py", "path/file.py", "to/path.py", "yours.py"} {
		r := edits.Apply(files{"src/a.py": old}, []edits.Edit{whole(name, new)}, nil, edits.Options{Chat: []string{"src/a.py"}})
		if len(r.Failures) > 0 || r.Changes[0].Path != name || r.Changes[0].Op != edits.OpCreate {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A listing under an example's name is a chat file only if it has something that tells this file from
// others: one of its definitions, or the half of its lines, of which those that any code has do not count.
func TestListingsThatFitAFile(t *testing.T) {
	for what, c := range map[string]struct {
		file, text string
		fits       bool
	}{
		"only pass in common":          {"def one():\n    pass\n", "def two():\n    pass\n", false},
		"only a brace":                 {"func One() {\n}\n", "func Two() {\n}\n", false},
		"braces and a return":          {"int one() {\n  return x;\n}\n", "int two() {\n  return y;\n}\n", false},
		"pass and no definition":       {"pass\n", "pass\nx = 1\n", false},
		"a return that any code has":   {"def one():\n    return None\n", "def two():\n    return None\n", false},
		"else and try":                 {"def one():\n    try:\n        x()\n    except:\n        pass\n    else:\n        y()\n", "def two():\n    try:\n        a()\n    except:\n        pass\n    else:\n        b()\n", false},
		"an end":                       {"def one\n  x\nend\n", "def two\n  y\nend\n", false},
		"its definition":               {"def one():\n    pass\n", "def one():\n    return compute()\n", true},
		"one of its definitions":       {"def one():\n    pass\n\ndef two():\n    pass\n", "def two():\n    x = 1\n", true},
		"a definition with a new name": {"def one(a, b):\n    total = a + b\n    print(total)\n    return total\n", "def two(a, b):\n    total = a + b\n    print(total)\n    return total\n", true},
		"half of the lines":            {"def one(a, b):\n    total = a + b\n    print(total)\n", "def two(a, b):\n    total = a + b\n    x = 5\n", false},
		"settings":                     {"name = demo\nport = 80\nhost = here\n", "name = demo\nport = 81\nhost = there\n", true},
		"other settings":               {"name = demo\nport = 80\nhost = here\n", "color = red\nsize = 2\n", false},
		"words":                        {"The quick brown fox\njumps over the dog.\n", "The quick red fox\njumps over the cat.\n", true},
		"other words":                  {"The quick brown fox\njumps over the dog.\n", "Nothing in here is like it.\nThe end.\n", false},
		"an empty file":                {"", "x = 1\n", true},
	} {
		e := edits.Edit{Path: "path/to/file.py", Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: c.text}
		tree := files{"src/a.py": c.file}
		r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: []string{"src/a.py"}})
		if got := tree.After(r.Changes); c.fits && (got["src/a.py"] != c.text || len(got) != 1 || len(r.Failures) > 0) || !c.fits && (got["src/a.py"] != c.file || len(got) != 1 || len(r.Failures) != 1) {
			t.Errorf("%s: %q, %+v", what, got, r.Failures)
		}
	}
}

// A first line that is only a comment with the file's name is left out, with a blank line below it, if the
// file did not have it.
func TestFirstLinesThatOnlyName(t *testing.T) {
	const old, rest = "x = 1\n", "x = 2\n"
	apply := func(before, text string) string {
		e := edits.Edit{Path: "src/a.py", Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: text}
		tree := files{}
		if before != "" {
			tree["src/a.py"] = before
		}
		r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: []string{"src/a.py"}})
		return tree.After(r.Changes)["src/a.py"]
	}
	for _, first := range []string{"# src/a.py", "# a.py", "// a.py", "/* src/a.py */", "<!-- a.py -->", "# File: a.py", "# filename: src/a.py", "## `a.py`", "# ./src/a.py", "-- path: a.py", "# project/src/a.py", "# A.py"} {
		for _, before := range []string{"", old} {
			for _, gap := range []string{"", "\n"} {
				if got := apply(before, first+"\n"+gap+rest); got != rest {
					t.Errorf("%q before %q: %q", first, before, got)
				}
			}
		}
		if got := apply(first+"\n"+old, first+"\n"+rest); got != first+"\n"+rest {
			t.Errorf("%q that the file had: %q", first, got)
		}
		if got := apply("\n"+old, first+"\n\n"+rest); got != "\n"+rest {
			t.Errorf("%q above a blank line that the file had: %q", first, got)
		}
	}
	for _, first := range []string{"#!/a.py", "# b.py", "a.py", "# about a.py", "# a.py: x", "#", "# " + strings.Repeat("x/", 100) + "a.py"} {
		if got := apply(old, first+"\n"+rest); got != first+"\n"+rest {
			t.Errorf("%q: %q", first, got)
		}
	}
}

// Markup is what stands outside of literals of several lines.
func TestShowsMarkup(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "x\n": false, "<<<<<<< SEARCH\n": true, "x\r\n@@ -1 +1 @@\r\n": true, "x = \"\"\"\n@@ -1 +1 @@\n\"\"\"\n": false,
		"x = \"\"\"a\"\"\"\n@@ -1 +1 @@\n": true, "x = '''\n*** Begin Patch\n": false, "x = `\n*** Begin Patch\n`\n>>>>>>> REPLACE\n": true, "```\n@@ -1 +1 @@\n": true,
		"x = \"\"\" '''\n@@ -1 +1 @@\n\"\"\"\n": false, "x = \"\"\" '''\n\"\"\"\n@@ -1 +1 @@\n": true,
	} {
		if got := edits.ShowsMarkup(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"": false, "x = `": true, "x = `a`": false, "'''": true, "''": false, "\"\"\" \"\"\"": false, "f(`a`, `": true, "```go": false, "a `\nb\n": true, "a `\nb`\n": false, "a `\n```\n`": false} {
		if got := edits.OpensLiteral(text); got != want {
			t.Errorf("%q opens: %v", text, got)
		}
	}
	for name, want := range map[string]bool{"a.diff": true, "a.PATCH": true, "x/a.rej": true, "a.py": false, "diff": false} {
		if got := edits.HoldsMarkup(name, edits.MarkupDiff); got != want || edits.HoldsMarkup(name, edits.MarkupBlock) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !edits.HasMarkup("x\n@@ -1 +1 @@\r\n", edits.MarkupDiff) || edits.HasMarkup("x\n@@ -1 +1 @@\n", edits.MarkupPatch) {
		t.Error("HasMarkup")
	}
}
