package formats_test

import (
	"maps"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
)

// outcome reads a reply with its files at hand, as a turn and `apply` do.
func outcome(format, reply string, before map[string]string, chat ...string) (map[string]string, edits.Result) {
	f, _ := formats.ByName(format)
	list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: chat, Files: files(before)})
	r := edits.Apply(files(before), list, problems, edits.Options{Chat: chat})
	return files(before).After(r.Changes), r
}

const (
	oldText = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
	newText = "def f():\n    return 3\n\n\ndef g():\n    return 4\n"
)

func fenced(text string) string { return "```python\n" + text + "```\n" }

// Each of these replies means the new text of src/a.py, and nothing else.
func TestListingsThatMeanTheChatFile(t *testing.T) {
	for what, reply := range map[string]string{
		"its path":                   "src/a.py\n" + fenced(newText),
		"base name":                  "a.py\n" + fenced(newText),
		"longer path":                "project/src/a.py\n" + fenced(newText),
		"absolute path":              "/work/project/src/a.py\n" + fenced(newText),
		"other case":                 "SRC/A.py\n" + fenced(newText),
		"backslashes":                "src\\a.py\n" + fenced(newText),
		"dot":                        "./src/a.py\n" + fenced(newText),
		"prompt's example":           "path/to/sample.py\n" + fenced(newText),
		"prompt's example's name":    "filename.py\n" + fenced(newText),
		"paragraph":                  "I changed both functions.\n\nHere is `src/a.py` as it is now,\nwith other numbers:\n" + fenced(newText),
		"paragraph, a blank line":    "Here is `a.py` with other `return` values:\n\n" + fenced(newText),
		"paragraph with another":     "As b.py needs it, `a.py` becomes\n" + fenced(newText),
		"comment":                    fenced("# a.py\n" + newText),
		"comment with path":          fenced("# src/a.py\n\n" + newText),
		"comment with label":         fenced("# filename: a.py\n" + newText),
		"comment below a name":       "src/a.py\n" + fenced("# File: src/a.py\n"+newText),
		"comment below a base name":  "a.py\n" + fenced("# a.py\n"+newText),
		"tag around":                 "<file path=\"src/a.py\">\n" + fenced(newText) + "</file>\n",
		"tag with another attribute": "<file name='a.py' lang=\"python\">\n\n" + fenced(newText) + "</file>\n",
		"tag alone":                  "<file path=\"a.py\">\n" + newText + "</file>\n",
		"tag with a name in it":      "<path>src/a.py</path>\n" + fenced(newText),
		"further block":              "src/a.py\n" + fenced(newText) + "\nUse it like this:\n" + fenced("f()\n"),
		"block before":               "Before it was:\n" + fenced("return 1\n") + "\nsrc/a.py\n" + fenced(newText),
		"example beside it":          "show_greeting.py\n" + fenced("import sys\n\ndef greeting(name):\n    print(f\"Hey {name}\")\n") + "src/a.py\n" + fenced(newText),
	} {
		before := map[string]string{"src/a.py": oldText, "b.py": "import src.a\n"}
		want := maps.Clone(before)
		want["src/a.py"] = newText
		for _, format := range []string{"whole", "auto"} {
			got, r := outcome(format, reply, before, "src/a.py", "b.py")
			if diff := cmp.Diff(want, got); diff != "" || len(r.Failures) > 0 {
				t.Errorf("%s in %s: -want +got\n%s%+v", what, format, diff, r.Failures)
			}
		}
	}
}

// What the file had already, or what only looks like a name, is content.
func TestFirstLinesThatAreContent(t *testing.T) {
	for _, first := range []string{"# a.py", "#!/usr/bin/env a.py", "# a.py: two numbers", "# See b.py", "import a"} {
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

// A new file keeps its name, and an example's listing that fits no file makes none.
func TestListingsThatMeanNoChatFile(t *testing.T) {
	other := "class Other:\n    pass\n"
	before := map[string]string{"src/a.py": oldText}
	for reply, want := range map[string]string{
		"tests/a.py\n" + fenced("import unittest\n\n\nclass T(unittest.TestCase):\n    def test_f(self):\n        assert f() == 1\n"): "tests/a.py",
		"src/b.py\n" + fenced(other):                               "src/b.py",
		"src/copy.py\n" + fenced(oldText):                          "src/copy.py",
		fenced("# src/b.py\n" + other):                             "src/b.py",
		"path/to/sample.py\n" + fenced(other):                      "",
		"path/to/sample.py\n" + fenced("def x():\n    return 1\n"): "", // a line in common, and most of the file is not in it
		"<file path=\"src/b.py\">\n" + other:                       "", // the tag never closes
	} {
		got, r := outcome("whole", reply, before, "src/a.py")
		if got["src/a.py"] != oldText || want == "" && (len(got) != 1 || len(r.Failures) == 0) || want != "" && (got[want] == "" || len(got) != 2 || len(r.Failures) > 0) {
			t.Errorf("%q: %+v", reply, r)
		}
	}
	if got, _ := outcome("whole", fenced("# src/b.py\n"+other), before, "src/a.py"); got["src/b.py"] != other {
		t.Errorf("the name stayed: %q", got["src/b.py"])
	}
}

// A name of the prompt's own example is no file, unless the request uses it.
func TestListingsUnderTheNameOfThePromptsExample(t *testing.T) {
	f, _ := formats.ByName("whole")
	names := f.ExampleFiles()
	if len(names) == 0 {
		t.Fatal("no examples")
	}
	for _, name := range names {
		before := files{"src/a.py": oldText}
		for text, want := range map[string]files{
			newText:                    {"src/a.py": newText},
			f.Examples[0].Before[name]: {"src/a.py": oldText},
		} {
			list, problems := edits.Parse(f, name+"\n"+fenced(text), edits.Ended, edits.ParseOptions{Chat: before.Paths(), Files: before})
			r := edits.Apply(before, list, problems, edits.Options{Chat: before.Paths(), Examples: names})
			if diff := cmp.Diff(want, before.After(r.Changes)); diff != "" {
				t.Errorf("%s: -want +got\n%s%+v", name, diff, r.Failures)
			}
			r = edits.Apply(before, list, problems, edits.Options{Chat: before.Paths()})
			if got := before.After(r.Changes); got[name] != text || got["src/a.py"] != oldText {
				t.Errorf("%s: the request asks for it, and got %v %+v", name, got, r.Failures)
			}
		}
	}
}

// Each listing takes the file that its own paragraph names.
func TestListingsBelowTheirParagraphs(t *testing.T) {
	before := map[string]string{"a.py": oldText, "b.py": "x = 1\n"}
	reply := "First `a.py`:\n\n" + fenced(newText) + "\nThen `b.py`:\n\n" + fenced("x = 2\n")
	got, r := outcome("whole", reply, before, "a.py", "b.py")
	if got["a.py"] != newText || got["b.py"] != "x = 2\n" || len(r.Failures) > 0 {
		t.Errorf("%+v", r)
	}
	// Two names in one paragraph name none.
	if _, r := outcome("whole", "For `a.py` and `b.py`:\n"+fenced(newText), before, "a.py", "b.py"); len(r.Changes) > 0 {
		t.Errorf("%+v", r)
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
