package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// change is what every reply of the table wants: in one file, by a name that a reply may shorten.
type change struct {
	name, path, before, after string
	// The changed lines with the lines around them.
	old, new, head string
}

var tableChanges = []change{
	{
		name: "python", path: "src/shop.py",
		before: "import sys\n\n\ndef total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n\n\ndef main():\n    print(total([1, 2]))\n",
		after:  "import sys\n\n\ndef total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n\n\ndef main():\n    print(total([1, 2]))\n",
		head:   "    for item in items:\n", old: "        result += item\n", new: "        result += item.price\n",
	},
	{
		name: "small", path: "a.txt", before: "x = 1\ny = 1\n", after: "x = 2\ny = 1\n", old: "x = 1\n", new: "x = 2\n",
	},
	{
		name: "insertion", path: "web/app.js",
		before: "const a = 1;\nfunction run() {\n  return a;\n}\nmodule.exports = { run };\n",
		after:  "const a = 1;\nfunction run() {\n  console.log(a);\n  return a;\n}\nmodule.exports = { run };\n",
		head:   "function run() {\n", new: "  console.log(a);\n",
	},
}

// signed puts a sign before each line.
func signed(sign, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(sign + line)
	}
	return out.String()
}

// answeredForms are the ways in which models answer. The words around them are a model's, too.
var answeredForms = []struct {
	name  string
	reply func(c change) string
}{
	{"block, path outside", func(c change) string {
		return "I change it.\n\n" + c.path + "\n```\n" + c.block() + "```\n\nThat is all.\n"
	}},
	{"block, path inside", func(c change) string {
		return "I change it.\n\n```\n" + c.path + "\n" + c.block() + "```\n"
	}},
	{"block, no fence", func(c change) string { return c.path + "\n" + c.block() }},
	{"block, language", func(c change) string { return "`" + c.path + "`:\n\n```python\n" + c.block() + "```\n" }},
	{"whole file", func(c change) string {
		return "Here it is.\n\n" + c.path + "\n```\n" + c.after + "```\n"
	}},
	{"whole file, bold name", func(c change) string {
		return "**" + c.path + "**\n\n```python\n" + c.after + "```\n\nI hope this helps.\n"
	}},
	{"diff with header", func(c change) string {
		return "```diff\n--- " + c.path + "\n+++ " + c.path + "\n" + c.hunk("@@ ... @@\n") + "```\n"
	}},
	{"diff of git, bare", func(c change) string {
		return "diff --git a/" + c.path + " b/" + c.path + "\n--- a/" + c.path + "\n+++ b/" + c.path + "\n" +
			strings.TrimPrefix(edits.Unified(edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.before, After: c.after}, 1),
				"--- a/"+c.path+"\n+++ b/"+c.path+"\n")
	}},
	{"diff without header", func(c change) string { return "The change:\n\n```diff\n" + c.hunk("@@ ... @@\n") + "```\n" }},
	{"diff, only signs", func(c change) string { return c.path + "\n```diff\n" + c.hunk("") + "```\n" }},
	{"V4A bare", func(c change) string { return c.patch() }},
	{"V4A fenced", func(c change) string { return "I patch it.\n\n```\n" + c.patch() + "```\nDone.\n" }},
	{"V4A, path above", func(c change) string { return c.path + "\n```patch\n" + c.patch() + "```\n" }},
	{"tool call", func(c change) string {
		return "```json\n" + fmt.Sprintf(`{"edits": [{"path": %q, "original_lines": [%q], "updated_lines": [%q, %q]}]}`,
			c.path, c.anchor(), c.prefix(), c.new) + "\n```\n"
	}},
}

func (c change) anchor() string {
	if c.head != "" && c.old == "" {
		return c.head
	}
	return c.old
}

func (c change) prefix() string {
	if c.old == "" {
		return c.head
	}
	return ""
}

func (c change) block() string {
	return "<<<<<<< SEARCH\n" + c.head + c.old + "=======\n" + c.head + c.new + ">>>>>>> REPLACE\n"
}

func (c change) hunk(header string) string {
	return header + signed(" ", c.head) + signed("-", c.old) + signed("+", c.new)
}

func (c change) patch() string {
	return "*** Begin Patch\n*** Update File: " + c.path + "\n@@\n" + signed(" ", c.head) + signed("-", c.old) + signed("+", c.new) + "*** End Patch\n"
}

// parsers are a format of each parser, and the default of a model that no row knows.
var parsers = []string{"diff", "whole", "udiff", "patch", "func", ""}

// Whatever is asked for, the form that came is read. The table is every format, and the default of a
// model that no row knows, with every way of answering; the model says the same again when it is asked
// again, as weak ones do. Without COAUTHOR_LARGE, which .ci/run sets, a format of each parser is asked for the first
// change, and for each of the others one of these in turn.
func TestEveryFormLandsWhateverWasAsked(t *testing.T) {
	large := os.Getenv("COAUTHOR_LARGE") != ""
	for i, c := range tableChanges {
		for n, answered := range answeredForms {
			asked := parsers
			switch {
			case i == 0 && large:
				asked = append(formats.Names(), "")
			case i > 0 && !large:
				one := (i + n) % len(parsers)
				asked = parsers[one : one+1]
			}
			t.Run(c.name+", "+answered.name, func(t *testing.T) {
				t.Parallel()
				reply := answered.reply(c)
				if answered.name == "tool call" && c.old != "" {
					reply = strings.Replace(reply, `["", `, `[`, 1)
				}
				for _, format := range asked {
					lands(t, c, format, reply)
				}
			})
		}
	}
}

// cutForms are answers without their end.
var cutForms = []struct {
	name  string
	reply func(c change) string
}{
	{"block", func(c change) string {
		return c.path + "\n```python\n" + strings.TrimSuffix(c.block(), ">>>>>>> REPLACE\n") + "```\n"
	}},
	{"block, no fence", func(c change) string {
		return c.path + "\n" + strings.TrimSuffix(c.block(), ">>>>>>> REPLACE\n")
	}},
	{"block, a divider for its end", func(c change) string {
		return c.path + "\n```\n" + strings.Replace(c.block(), ">>>>>>> REPLACE\n", "=======\n", 1) + "```\n"
	}},
	{"whole file", func(c change) string { return c.path + "\n```\n" + c.after }},
	{"diff", func(c change) string {
		return "```diff\n--- " + c.path + "\n+++ " + c.path + "\n" + c.hunk("@@ ... @@\n")
	}},
	{"V4A", func(c change) string { return strings.TrimSuffix(c.patch(), "*** End Patch\n") }},
	{"V4A fenced", func(c change) string {
		return "```\n" + strings.TrimSuffix(c.patch(), "*** End Patch\n") + "```\n"
	}},
}

// TestAnswersWithoutTheirEnd: what has no end is not written, whatever was asked for, though the server says that the reply
// is whole and though it comes again and again.
func TestAnswersWithoutTheirEnd(t *testing.T) {
	c := tableChanges[0]
	for _, cut := range cutForms {
		t.Run(cut.name, func(t *testing.T) {
			t.Parallel()
			for _, format := range []string{"diff", "whole", "udiff", "patch", "func"} {
				h := newShell(t, "-- 1.md --\n"+cut.reply(c)+"-- 1.yaml --\nrepeat: true\n")
				h.put(c.path, c.before)
				code := h.run("edit", "-m", "Make the change.", "--yes", "--format", format, filepath.Join(h.root, c.path))
				if got := h.read(c.path); got != c.before || code == 0 {
					t.Errorf("%s asked: exit %d\n%s\n%s", format, code, got, h.err.String())
				}
				h.server.Close()
			}
		})
	}
}

// lands asks for a change in a format and expects it whatever form the reply has.
func lands(t *testing.T, c change, format, reply string) {
	t.Helper()
	h := newShell(t, "-- 1.md --\n"+reply+"-- 1.yaml --\nrepeat: true\n")
	h.put(c.path, c.before)
	args := []string{"edit", "-m", "Make the change.", "--yes", filepath.Join(h.root, c.path)}
	if format != "" {
		args = append(args, "--format", format)
	}
	code := h.run(args...)
	switch got := h.read(c.path); {
	case got == c.after && code == 0:
	case got == c.after:
		t.Errorf("%q asked: landed, but exit %d\n%s", format, code, h.err.String())
	case got != c.before:
		t.Errorf("%q asked: destroyed, exit %d:\n%s\nof the reply\n%s", format, code, got, reply)
	case code == 0:
		t.Errorf("%q asked: nothing was done, and exit 0\n%s", format, h.err.String())
	default:
		t.Errorf("%q asked: exit %d\n%s", format, code, h.err.String())
	}
	h.server.Close()
}

// play runs one edit of a folder, where the model always answers the same.
func play(t *testing.T, files map[string]string, message, format, reply string) (*shell, int) {
	t.Helper()
	h := newShell(t, "-- 1.md --\n"+reply+"-- 1.yaml --\nrepeat: true\n")
	args := []string{"edit", "-m", message, "--yes"}
	if format != "" {
		args = append(args, "--format", format)
	}
	for path, text := range files {
		h.put(path, text)
		args = append(args, filepath.Join(h.root, path))
	}
	return h, h.run(args...)
}

// One reply may mix two forms, whatever was asked for.
func TestOneReplyMixesForms(t *testing.T) {
	first := change{path: "one.py", before: "a = 1\nb = 1\n", after: "a = 2\nb = 1\n", old: "a = 1\n", new: "a = 2\n"}
	second := change{path: "two.py", before: "c = 1\nd = 1\n", after: "c = 2\nd = 1\n", old: "c = 1\n", new: "c = 2\n"}
	sure := func(name string) bool {
		return name != "cut block" && name != "cut block, no fence" && name != "tool call"
	}
	for _, format := range append(formats.Names(), "") {
		for _, x := range answeredForms {
			for _, y := range answeredForms {
				if !sure(x.name) || !sure(y.name) || strings.Contains(x.name, "without header") || strings.Contains(y.name, "without header") {
					continue
				}
				if format != "" && format != "diff" && format != "whole" && format != "udiff" && format != "patch" && (len(x.name)+len(y.name))%5 > 0 {
					continue // the others share a parser with one of these
				}
				reply := x.reply(first) + "\nAnd the other file:\n\n" + y.reply(second)
				f, _ := formats.ByName(orDefault(format))
				list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: []string{"one.py", "two.py"}, Files: editstest.Files{"one.py": first.before, "two.py": second.before}})
				files := editstest.Files{"one.py": first.before, "two.py": second.before}
				r := edits.Apply(files, list, problems, edits.Options{Chat: []string{"one.py", "two.py"}})
				if got := files.After(r.Changes); got["one.py"] != first.after || got["two.py"] != second.after || len(r.Failures) > 0 {
					t.Errorf("%q asked, %s and %s: %v %+v\n%s", format, x.name, y.name, got, r.Failures, reply)
				}
			}
		}
	}
}

// A reply that tells one change twice, in two forms, makes it once.
func TestOneChangeInTwoFormsIsOne(t *testing.T) {
	for _, c := range tableChanges {
		for _, format := range []string{"diff", "whole", "udiff", "patch", "func"} {
			for _, x := range answeredForms {
				for _, y := range answeredForms {
					if strings.HasPrefix(x.name, "cut") || strings.HasPrefix(y.name, "cut") || x.name == "tool call" || y.name == "tool call" {
						continue
					}
					if y.name == "diff without header" {
						continue // without a name it belongs to no file, once its old text is gone
					}
					if strings.HasPrefix(x.name, "diff") && strings.HasPrefix(y.name, "diff") {
						continue // within one form, what is written twice may be meant twice
					}
					reply := x.reply(c) + "\nThe same once more:\n\n" + y.reply(c)
					f, _ := formats.ByName(format)
					files := editstest.Files{c.path: c.before}
					list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: []string{c.path}, Files: files})
					r := edits.Apply(files, list, problems, edits.Options{Chat: []string{c.path}})
					if got := files.After(r.Changes); got[c.path] != c.after || len(r.Failures) > 0 {
						t.Errorf("%s, %q asked, %s and %s: %+v\n%s", c.name, format, x.name, y.name, r.Failures, got[c.path])
					}
				}
			}
		}
	}
}

func orDefault(format string) string {
	if format == "" {
		return "whole"
	}
	return format
}

// What is no edit of the file stays out of it, and is told by the exit status.
func TestNothingLandedIsNoSuccess(t *testing.T) {
	const shop = "def total(items):\n    return sum(items)\n"
	for name, reply := range map[string]string{
		"a question":           "Which file do you mean?\n",
		"an illustration":      "I would use it so:\n\n```python\nprint(total([1]))\n```\n",
		"edits that are there": "shop.py\n```\n<<<<<<< SEARCH\n    return sum(items)\n=======\n    return sum(items)\n>>>>>>> REPLACE\n```\n",
		"a head alone":         "shop.py\n```\n<<<<<<< SEARCH\n```\n",
		"markers as a whole":   "shop.py\n```\ndef total(items):\n    return sum(items)\n>>>>>>> REPLACE\n```\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := parsers
			if os.Getenv("COAUTHOR_LARGE") != "" {
				asked = append(formats.Names(), "")
			}
			for _, format := range asked {
				h, code := play(t, map[string]string{"shop.py": shop}, "Make it faster.", format, reply)
				if got := h.read("shop.py"); code != 1 || got != shop {
					t.Errorf("%q asked: exit %d, the file is\n%s\n%s", format, code, got, h.err.String())
				}
				if strings.TrimSpace(h.err.String()) == "" {
					t.Errorf("%q asked: nothing was told", format)
				}
				h.server.Close()
			}
		})
	}
}

// A file about edits may hold their markup where it has it. Elsewhere it is refused, whatever the request says: lines that
// mark edits are seldom meant to stand in a file.
func TestFilesAboutEditsKeepTheirMarkup(t *testing.T) {
	const block = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
	const before = "# Format\n\nWrite this:\n\n" + block + "\nThat is all of it.\nReally.\n"
	after := strings.Replace(before, "Really.", "Surely.", 1)
	h, code := play(t, map[string]string{"doc.md": before}, "Say surely.", "whole", "doc.md\n````\n"+after+"````\n")
	if got := h.read("doc.md"); code != 0 || got != after {
		t.Errorf("a file that has markers: exit %d\n%s\n%s", code, got, h.err.String())
	}
	h, code = play(t, map[string]string{"doc.md": before}, "Say surely.", "whole", "doc.md\n````\n<<<<<<< SEARCH\nReally.\n=======\nSurely.\n>>>>>>> REPLACE\n````\n")
	if got := h.read("doc.md"); code != 0 || got != after {
		t.Errorf("a block for a file that has markers: exit %d\n%s\n%s", code, got, h.err.String())
	}
	const plain = "# Format\n\nThat is all.\n"
	full := plain + "\n" + block
	for _, request := range []string{"Say more.", "Show a SEARCH/REPLACE block at the end."} {
		for _, is := range []string{plain, ""} {
			files := map[string]string{"doc.md": is}
			if is == "" {
				delete(files, "doc.md")
			}
			h, code = play(t, files, request, "whole", "doc.md\n````\n"+full+"````\n")
			if got := h.read("doc.md"); code != 1 || got != is && (is != "" || got != "absent") {
				t.Errorf("%q of %q: exit %d\n%s\n%s", request, is, code, got, h.err.String())
			}
		}
	}
}
