package formats_test

import (
	"path/filepath"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// cutReplies are replies of several files and edits in each format, over the files of cutTree.
var cutReplies = map[string]string{
	"diff":    "Two edits.\n\na.py\n```python\n<<<<<<< SEARCH\n    return 1\n=======\n    x = 1\n    return x\n>>>>>>> REPLACE\n```\n\nn.py\n```python\n<<<<<<< SEARCH\n=======\nx = 1\ny = 2\n>>>>>>> REPLACE\n```\n\nb.txt\n```\n<<<<<<< SEARCH\none\ntwo\n=======\n>>>>>>> REPLACE\n```\nThat is all.\n",
	"whole":   "Both files.\n\na.py\n```python\ndef f():\n    return 2\n\n\ndef g():\n    return 3\n```\n\nn.md\n````\n# Title\n```sh\nmake\n```\nText\n````\nThat is all.\n",
	"udiff":   "A diff.\n```diff\n--- a.py\n+++ a.py\n@@ ... @@\n def f():\n-    return 1\n+    x = 1\n+    return x\n@@ ... @@\n def g():\n-    return 2\n+    y = 2\n+    return y\n--- b.txt\n+++ b.txt\n@@ ... @@\n-one\n-two\n three\n```\nThat is all.\n",
	"gitdiff": "```diff\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@\n def f():\n-    return 1\n+    x = 1\n+    return x\ndiff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n```\n\nAnd a new one:\n```diff\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+x = 1\n+y = 2\n```\n",
	"patch":   "A patch.\n*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-    return 1\n+    x = 1\n+    return x\n@@ def g():\n-    return 2\n+    y = 2\n*** Add File: n.py\n+x = 1\n+y = 2\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-one\n+1\n*** Delete File: d.txt\n*** End Patch\n",
	"func":    `{"explanation": "x", "edits": [{"path": "a.py", "original_lines": ["    return 1"], "updated_lines": ["    x = 1", "    return x"]}, {"path": "b.txt", "original_lines": ["one", "two"], "updated_lines": []}], "files": [{"path": "n.py", "content": "x = 1\ny = 2\n"}]}`,
}

func cutTree() files {
	return files{"a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n", "b.txt": "one\ntwo\nthree\n", "d.txt": "four\n"}
}

// TestACutIsNeverApplied: whichever byte a reply ends at, and whatever the server says of that, each file is as it was
// before some of the edits of the whole reply and after the others. In udiff and gitdiff a diff in no fence ends with the reply.
func TestACutIsNeverApplied(t *testing.T) {
	auto, _ := formats.ByName(formats.Auto)
	for _, f := range append(formats.All(), auto) {
		seen := false
		for name, reply := range cutReplies {
			if f.Name == formats.Auto || formOf(f.Name) == name {
				checkCuts(t, f, reply, cutTree())
				seen = true
			}
		}
		if !seen {
			t.Errorf("there is no reply for %s", f.Name)
		}
	}
}

// formOf is the format whose reply a format can read.
func formOf(format string) string {
	format = strings.TrimPrefix(format, "editor-")
	switch format {
	case "diff-fenced":
		return "diff"
	case "files":
		return "whole"
	case "udiff-simple":
		return "udiff"
	}
	return format
}

// TestNoScenarioAppliesACut does the same with the replies of the scenarios, but for bare diffs, fences in fences and replies that are wrong themselves.
func TestNoScenarioAppliesACut(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		s := editstest.LoadScenario(t, name)
		if fenced := strings.Count(s.Reply, "```"); fenced > 2 || s.Failures != "" || strings.Contains(s.Format, "diff") && !strings.HasPrefix(s.Format, "diff") && fenced < 2 {
			continue
		}
		f, _ := parser(t, s)
		checkCuts(t, f, s.Reply, files(s.Before))
	}
}

// checkCuts applies all beginnings of a reply.
func checkCuts(t *testing.T, f edits.Format, reply string, tree files) {
	t.Helper()
	o := edits.ParseOptions{Chat: chatOf(tree), Files: tree}
	list, _ := edits.Parse(f, reply, edits.Ended, o)
	parts := map[string]bool{}
	for _, e := range list {
		parts[body(e)] = true
	}
	for n := range 2 * len(reply) {
		cut, how := n/2, []edits.Ending{edits.Ended, edits.Cut}[n%2]
		got, _ := edits.Parse(f, reply[:cut], how, o)
		for _, e := range got {
			if !parts[body(e)] {
				t.Fatalf("%s, %s at %q: an edit that the whole reply does not have:\n%s", f.Name, how, reply[max(0, cut-30):cut], editstest.Describe(e))
			}
		}
	}
}

// body is what an edit does, without where it stands in the reply.
func body(e edits.Edit) string {
	e.Index, e.First, e.Last, e.Note = 0, 1, 1, ""
	e.Chunks = append([]edits.Chunk(nil), e.Chunks...)
	for i := range e.Chunks {
		e.Chunks[i].First = 1
	}
	return editstest.Describe(e)
}

func chatOf(tree files) []string {
	var out []string
	for path := range tree {
		out = append(out, path)
	}
	return out
}
