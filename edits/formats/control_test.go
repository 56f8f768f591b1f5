package formats_test

import (
	"encoding/json"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
)

// newTexts writes a new line into a.txt, below "one", and into a new file, in each format.
var newTexts = map[string]func(line string) []string{
	"diff": func(l string) []string {
		return []string{"a.txt\n```\n<<<<<<< SEARCH\none\n=======\none\n" + l + "\n>>>>>>> REPLACE\n```\n", "n.txt\n```\n<<<<<<< SEARCH\n=======\nx\n" + l + "\n>>>>>>> REPLACE\n```\n"}
	},
	"whole": func(l string) []string {
		return []string{"a.txt\n```\none\n" + l + "\ntwo\n\fthree\x1b[0m\n```\n", "n.txt\n```\nx\n" + l + "\n```\n"}
	},
	"udiff": func(l string) []string {
		return []string{"```diff\n--- a.txt\n+++ a.txt\n@@ ... @@\n one\n+" + l + "\n```\n", "```diff\n--- /dev/null\n+++ n.txt\n@@ ... @@\n+x\n+" + l + "\n```\n"}
	},
	"gitdiff": func(l string) []string {
		return []string{"```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,2 @@\n one\n+" + l + "\n```\n", "```diff\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+" + l + "\n```\n"}
	},
	"patch": func(l string) []string {
		return []string{"*** Begin Patch\n*** Update File: a.txt\n@@ one\n+" + l + "\n*** End Patch\n", "*** Begin Patch\n*** Add File: n.txt\n+x\n+" + l + "\n*** End Patch\n",
			"*** Begin Patch\n*** Update File: a.txt\n*** Move to: m.txt\n@@\n one\n+" + l + "\n*** End Patch\n"}
	},
	"func": func(l string) []string {
		b, _ := json.Marshal(l)
		return []string{`{"edits": [{"path": "a.txt", "original_lines": ["one"], "updated_lines": ["one", ` + string(b) + `]}]}`,
			`{"files": [{"path": "n.txt", "content": "x\n` + strings.Trim(string(b), `"`) + `\n"}]}`}
	},
}

// TestCharactersThatAreNoText: new text with characters that are no text is refused in every format, whether the file is
// there or new, and nothing is changed; those that the file has may come again.
func TestCharactersThatAreNoText(t *testing.T) {
	tree := files{"a.txt": "one\ntwo\n\fthree\x1b[0m\n"}
	auto, _ := formats.ByName(formats.Auto)
	for _, f := range append(formats.All(), auto) {
		for form, replies := range newTexts {
			if f.Name != formats.Auto && formOf(f.Name) != form {
				continue
			}
			for what, x := range map[string]struct {
				line     string
				old, new bool // it may come in the file that is there, in a new one
			}{
				"tab": {"a\tb", true, true}, "plain": {"é日本🙂\u2028", true, true},
				"form feed": {"\fa", true, false}, "escape": {"\x1b[0m", true, false},
				"NUL": {"a\x00b", false, false}, "bell": {"a\x07", false, false}, "DEL": {"a\x7fb", false, false}, "C1": {"a\u0085b", false, false},
				"return": {"a\rb", false, false}, "lost": {"a\ufffdb", false, false}, "half a pair": {"a\xed\xa0\x80b", false, false}, "no UTF-8": {"caf\xe9", false, false},
			} {
				for i, reply := range replies(x.line) {
					may := x.old
					if i == 1 {
						may = x.new
					}
					o := edits.ParseOptions{Chat: []string{"a.txt"}, Files: tree}
					list, problems := edits.Parse(f, reply, edits.Ended, o)
					r := edits.Apply(tree, list, problems, edits.Options{Chat: o.Chat})
					if done := len(r.Changes) == 1 && len(r.Failures) == 0; done != may {
						t.Errorf("%s, %s, reply %d: %+v", f.Name, what, i, r)
					}
					if !may && (len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonControl) {
						t.Errorf("%s, %s, reply %d: %+v", f.Name, what, i, r.Failures)
					}
					if diff := cmp.Diff(map[string]string(tree), map[string]string(tree.After(r.Changes))); !may && diff != "" {
						t.Errorf("%s, %s, reply %d: %s", f.Name, what, i, diff)
					}
				}
			}
		}
	}
	// Half of a pair as JSON has it is lost when it is decoded.
	f, _ := formats.ByName("func")
	list, problems := edits.Parse(f, `{"files": [{"path": "n.txt", "content": "a\ud83d\n"}]}`, edits.Ended, edits.ParseOptions{})
	if r := edits.Apply(tree, list, problems, edits.Options{}); len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonControl {
		t.Errorf("half a pair in JSON: %+v", r)
	}
}

// TestOldTextOfBlankLines: it says nothing of the place, so it is refused, in every format that has such text; a new file
// needs none.
func TestOldTextOfBlankLines(t *testing.T) {
	tree := files{"a.txt": "one\n\ntwo\n"}
	for name, replies := range map[string][2]string{
		"diff": {"a.txt\n<<<<<<< SEARCH\n\n=======\nnew\n>>>>>>> REPLACE\n", "n.txt\n<<<<<<< SEARCH\n\n=======\nnew\n>>>>>>> REPLACE\n"},
		"func": {`{"edits": [{"path": "a.txt", "original_lines": [" ", ""], "updated_lines": ["new"]}]}`, `{"edits": [{"path": "n.txt", "original_lines": [""], "updated_lines": ["new"]}]}`},
	} {
		for i, reply := range replies {
			f, _ := formats.ByName(name)
			list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: []string{"a.txt"}})
			r := edits.Apply(tree, list, problems, edits.Options{Chat: []string{"a.txt"}})
			if done := len(r.Changes) == 1 && len(r.Failures) == 0; done != (i == 1) || !done && (len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonMalformed) {
				t.Errorf("%s, reply %d: %+v", name, i, r)
			}
		}
	}
}
