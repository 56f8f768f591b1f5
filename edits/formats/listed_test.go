package formats_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
)

var place = edits.Place{Root: "/work/project"}

// outcome reads a reply with its files at hand, as a turn and `apply` do.
func outcome(format, reply string, before map[string]string, chat ...string) (map[string]string, edits.Result) {
	f, _ := formats.ByName(format)
	list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: chat, Files: files(before), Place: place, Language: editstest.Language})
	r := edits.Apply(files(before), list, problems, edits.Options{Chat: chat, Place: place})
	return files(before).After(r.Changes), r
}

const (
	oldText = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
	newText = "def f():\n    return 3\n\n\ndef g():\n    return 4\n"
)

func fenced(text string) string { return "```python\n" + text + "```\n" }

// Each of these replies lists src/a.py, and nothing else.
func TestListingsBelowTheirName(t *testing.T) {
	for what, reply := range map[string]string{
		"its path":                   "src/a.py\n" + fenced(newText),
		"backslashes":                "src\\a.py\n" + fenced(newText),
		"dot":                        "./src/a.py\n" + fenced(newText),
		"below the root":             "/work/project/src/a.py\n" + fenced(newText),
		"heading":                    "### 1. `src/a.py` (changed):\n" + fenced(newText),
		"label of another language":  "文件：src/a.py\n" + fenced(newText),
		"on the fence":               "```python src/a.py\n" + newText + "```\n",
		"title on the fence":         "```python title=\"src/a.py\"\n" + newText + "```\n",
		"comment with path":          fenced("# src/a.py\n\n" + newText),
		"comment with label":         fenced("# filename: src/a.py\n" + newText),
		"comment below a name":       "src/a.py\n" + fenced("# File: src/a.py\n"+newText),
		"tag around":                 "<file path=\"src/a.py\">\n" + fenced(newText) + "</file>\n",
		"tag with another attribute": "<file name='src/a.py' lang=\"python\">\n\n" + fenced(newText) + "</file>\n",
		"tag alone":                  "<file path=\"src/a.py\">\n" + newText + "</file>\n",
		"tag with a name in it":      "<path>src/a.py</path>\n" + fenced(newText),
		"further block":              "src/a.py\n" + fenced(newText) + "\nUse it like this:\n" + fenced("f()\n"),
		"block before":               "Before it was:\n" + fenced("return 1\n") + "\nsrc/a.py\n" + fenced(newText),
	} {
		before := map[string]string{"src/a.py": oldText, "b.py": "import src.a\n"}
		want := maps.Clone(before)
		want["src/a.py"] = newText
		for _, format := range []string{"whole", "files", "auto"} {
			got, r := outcome(format, reply, before, "src/a.py", "b.py")
			if diff := cmp.Diff(want, got); diff != "" || len(r.Failures) > 0 {
				t.Errorf("%s in %s: -want +got\n%s%+v", what, format, diff, r.Failures)
			}
		}
	}
}

// Each of these replies may mean src/a.py, and is asked about: nothing changes, and nothing new is made.
func TestListingsThatAreAskedAbout(t *testing.T) {
	for what, c := range map[string]struct{ reply, reason string }{
		"base name":                    {"a.py\n" + fenced(newText), edits.ReasonWrongName},
		"base name, other text":        {"a.py\n" + fenced("x = 1\n"), edits.ReasonWrongName},
		"longer path":                  {"project/src/a.py\n" + fenced(newText), edits.ReasonWrongName},
		"its text under another name":  {"path/to/sample.py\n" + fenced(oldText), edits.ReasonWrongName},
		"absolute path":                {"/work/src/a.py\n" + fenced(newText), edits.ReasonNoFile},
		"above the root":               {"../src/a.py\n" + fenced(newText), edits.ReasonNoFile},
		"home":                         {"~/src/a.py\n" + fenced(newText), edits.ReasonNoFile},
		"prose":                        {"Here is `src/a.py` as it is now:\n" + fenced(newText), edits.ReasonNoName},
		"prose of another language":    {"Voici src/a.py modifié :\n" + fenced(newText), edits.ReasonNoName},
		"a paragraph":                  {"I changed `src/a.py`.\n\nAll of it:\n\n" + fenced(newText), edits.ReasonNoName},
		"comment with a part":          {fenced("# a.py\n" + newText), edits.ReasonNoName},
		"an output":                    {"It is right already. You see:\n" + fenced("hello\n"), edits.ReasonNoName},
		"a tree":                       {"The files:\n```\nsrc/\n  a.py\n```\n", edits.ReasonNoName},
		"an error":                     {"It says:\n```\nTraceback\nValueError: x\n```\n", edits.ReasonNoName},
		"attributes of the fence":      {"```{.python .numberLines}\n" + newText + "```\n", edits.ReasonNoName},
		"a new name on the fence":      {"```python src/new.py\n" + newText + "```\n", edits.ReasonNoName},
		"two blocks":                   {fenced("f()\n") + "\n" + fenced(newText), edits.ReasonNoName},
		"a block with its name before": {fenced("src/a.py\n") + fenced(newText), edits.ReasonNoName},
	} {
		before := map[string]string{"src/a.py": oldText, "b.py": "import src.a\n"}
		for _, format := range []string{"whole", "files", "auto"} {
			got, r := outcome(format, c.reply, before, "src/a.py", "b.py")
			if diff := cmp.Diff(before, got); diff != "" || len(r.Failures) == 0 || r.Failures[0].Reason != c.reason {
				t.Errorf("%s in %s: -want +got\n%s%+v", what, format, diff, r.Failures)
			}
		}
	}
}

// Without a name a listing is the one file that was shown only if it has half of its lines and no other fence stands
// in the reply.
func TestListingsWithoutAName(t *testing.T) {
	half := "def f():\n    return 1\n"
	for what, c := range map[string]struct {
		reply string
		chat  []string
		taken bool
	}{
		"all of it":                {"Like this:\n" + fenced(oldText+"h = 1\n"), []string{"src/a.py"}, true},
		"half of it":               {"Like this:\n" + fenced(half+"h = 1\n"), []string{"src/a.py"}, true},
		"less than half":           {"Like this:\n" + fenced("def f():\nh = 1\n"), []string{"src/a.py"}, false},
		"an output":                {"You see:\n" + fenced("hello\n"), []string{"src/a.py"}, false},
		"two files shown":          {"Like this:\n" + fenced(oldText+"h = 1\n"), []string{"src/a.py", "b.py"}, false},
		"none shown":               {"Like this:\n" + fenced(oldText+"h = 1\n"), nil, false},
		"an other fence":           {"Like this:\n" + fenced(oldText+"h = 1\n") + "Run it:\n```sh\npython a.py\n```\n", []string{"src/a.py"}, false},
		"an other fence before it": {"Was:\n```text\nx\n```\n" + fenced(oldText+"h = 1\n"), []string{"src/a.py"}, false},
		"an empty file":            {"Like this:\n" + fenced("x = 1\n"), []string{"empty.py"}, false},
	} {
		before := map[string]string{"src/a.py": oldText, "b.py": "import src.a\n", "empty.py": ""}
		for _, format := range []string{"whole", "files"} {
			got, r := outcome(format, c.reply, before, c.chat...)
			if taken := len(r.Changes) > 0; taken != c.taken || taken == (len(r.Failures) > 0) || got["b.py"] != before["b.py"] || len(got) != len(before) {
				t.Errorf("%s in %s: %+v", what, format, r)
			}
		}
		for _, format := range []string{"diff", "udiff", "patch", "gitdiff", "func"} { // there it is no edit at all
			if got, _ := outcome(format, c.reply, before, c.chat...); !c.taken && !maps.Equal(got, before) {
				t.Errorf("%s in %s: %v", what, format, got)
			}
		}
	}
}

// Beside a named listing one without a name is an illustration, unless the line above speaks of a path, or there is none.
func TestListingsBesideNamedOnes(t *testing.T) {
	before := map[string]string{"src/a.py": oldText, "b.py": "x = 1\n"}
	for between, refused := range map[string]bool{
		"Use it like this:\n": false, "Or so\n": false, "Then `b.py`:\n": true, "And in b.py we need\n": true, "Now docs/new.md follows:\n": true, "": true, "\n\n": true,
	} {
		got, r := outcome("whole", "src/a.py\n"+fenced(newText)+between+fenced("x = 2\n"), before, "src/a.py", "b.py")
		if got["src/a.py"] != newText || got["b.py"] != "x = 1\n" || len(got) != 2 || refused != (len(r.Failures) == 1) {
			t.Errorf("%q: %+v", between, r)
		}
	}
}

// What the file had already, or what only looks like a name, is content.
func TestFirstLinesThatAreContent(t *testing.T) {
	for _, first := range []string{"# a.py", "# b.py", "#!/usr/bin/env a.py", "# a.py: two numbers", "# See b.py", "import a"} {
		before := map[string]string{"src/a.py": oldText}
		if first == "# a.py" {
			before["src/a.py"] = first + "\n" + oldText
		}
		got, r := outcome("whole", "src/a.py\n"+fenced(first+"\n"+newText), before, "src/a.py")
		if got["src/a.py"] != first+"\n"+newText {
			t.Errorf("%q: %+v", first, r)
		}
	}
}

func TestASecondDividerStandsForNoLines(t *testing.T) {
	const head, divider, tail = "a.txt\n<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n"
	for before, c := range map[string]struct{ reply, want string }{
		"a\nb\nc\n":                {head + "b\n" + divider + divider + tail, "a\nc\n"},
		"a\nb1\nb2\nc\n":           {head + "b1\nb2\n" + divider + "\n" + divider + tail, "a\nc\n"},
		"a\nb3\nc\n":               {head + "b3\n" + divider + divider + divider + tail, "a\nc\n"},
		"Title\n=======\ntext\n":   {head + "Title\n=======\n" + divider + tail, "text\n"},
		"Heading\n-------\ntext\n": {head + "-------\n" + divider + divider + tail, "Heading\n-------\ntext\n"}, // refused
	} {
		got, r := outcome("diff", c.reply, map[string]string{"a.txt": before}, "a.txt")
		if got["a.txt"] != c.want {
			t.Errorf("%q: %q, want %q, %+v", c.reply, got["a.txt"], c.want, r.Failures)
		}
		if (c.want == before) != (len(r.Failures) > 0) || strings.Contains(got["a.txt"], "=") {
			t.Errorf("%q: %+v", c.reply, r)
		}
	}
}

// An edit of another file than the fence around it is shown in that one, and changes nothing of the other, however deep
// it stands there and whatever stands between it and its name.
func TestAnEditShownInAListingIsNoEdit(t *testing.T) {
	const (
		marks = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
		block = "x.py\n" + marks
		patch = "*** Begin Patch\n*** Update File: x.py\n@@\n-a\n+b\n*** End Patch\n"
		diff  = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
		head  = "# Format\n\nIt looks so:\n\n"
	)
	for what, text := range map[string]string{
		"a block in a fence":             head + "```\n" + block + "```\n\nThat is all.\n",
		"in one with a word":             head + "x.py\n```python\n" + marks + "```\n",
		"in none":                        head + block + "\nThat is all.\n",
		"at once":                        block,
		"below a title":                  "# Format\n" + block,
		"a line away from its name":      head + "x.py\n\n" + marks,
		"the name in backquotes":         head + "`x.py`:\n\n" + marks,
		"a patch":                        head + patch,
		"a patch at once":                patch,
		"a diff":                         head + diff,
		"a diff at once":                 diff,
		"a diff in a fence":              head + "```diff\n" + diff + "```\n",
		"blocks of two files":            head + "b.py\n<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE\n\n" + block,
		"a block of whatever was before": head + marks,
	} {
		for _, is := range []string{"", "# Old\n\nText.\n"} {
			before := map[string]string{"x.py": "a\n", "b.py": "b\nq\n", "doc.md": is}
			if is == "" {
				delete(before, "doc.md")
			}
			reply := "doc.md\n````markdown\n" + text + "````\n"
			if strings.Contains(what, "before") {
				reply = "x.py\n```\n<<<<<<< SEARCH\nnot there\nat all\n=======\nb\n>>>>>>> REPLACE\n```\n\n" + reply
			}
			for _, format := range []string{"auto", "whole", "files", "diff", "udiff", "gitdiff", "patch", "func"} {
				got, _ := outcome(format, reply, before, slices.Sorted(maps.Keys(before))...)
				for path, text := range map[string]string{"x.py": "a\n", "b.py": "b\nq\n"} {
					if got[path] != text {
						t.Errorf("%s in %s, doc.md %q: %s is %q", what, format, is, path, got[path])
					}
				}
			}
		}
	}
	// Below no other name, below a part of its own, in a fence that announces a diff, or behind one of the fence's own file,
	// an edit is what it says.
	for _, text := range []string{
		"````\n" + head + block + "````\n", "x.py\n````\n# It is\n# to be\n" + block + "````\n", "x.py\n```\nsrc/x.py\n" + strings.ReplaceAll(marks, "a\n", "z\n") + "```\n" + block,
		"`b.py`\n```diff\n" + diff + "```\n", "b.py\n```\n<<<<<<< SEARCH\nq\n=======\nr\n>>>>>>> REPLACE\n\n" + block + "```\n",
	} {
		for _, format := range []string{"auto", "diff"} {
			if got, r := outcome(format, text, map[string]string{"x.py": "a\n", "b.py": "b\nq\n"}, "x.py", "b.py"); got["x.py"] != "b\n" {
				t.Errorf("%s: %v, %+v\n%s", format, got, r.Failures, text)
			}
		}
	}
}

// What stands outside of such a fence counts, above it and below, and so does what has only more of its name.
func TestEditsBesideAShownOne(t *testing.T) {
	const shown = "doc.md\n````\n# Format\n\nx.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n````\n"
	block := func(name, old, new string) string {
		return name + "\n```\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n```\n"
	}
	before := map[string]string{"x.py": "a\n", "b.py": "b\n", "src/y.py": "y\n"}
	for _, format := range []string{"auto", "diff", "whole", "udiff"} {
		f, _ := formats.ByName(format)
		reply := block("b.py", "b\n", "c\n") + "\n" + shown + "\n" + block("x.py", "a\n", "z\n") + "\ny.py\n```\nsrc/y.py\n<<<<<<< SEARCH\ny\n=======\nyes\n>>>>>>> REPLACE\n```\n"
		got, r := outcome(format, reply, before, "x.py", "b.py", "src/y.py")
		if want := map[string]string{"x.py": "z\n", "b.py": "c\n", "src/y.py": "yes\n"}; !maps.Equal(got, want) || len(r.Failures) != 1 {
			t.Errorf("%s: %v, %+v", format, got, r.Failures)
		}
		list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: []string{"x.py", "b.py", "src/y.py"}, Files: editstest.Files(before)})
		for i, e := range list {
			if e.Index != i {
				t.Errorf("%s: the edit of %s is number %d, not %d", format, e.Path, e.Index, i)
			}
		}
		if len(list) != 3 || len(problems) != 1 {
			t.Errorf("%s: %d edits, %+v", format, len(list), problems)
		}
	}
}
