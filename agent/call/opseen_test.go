package call

import (
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/edits/formats"
	"coauthor/repomap/syntax"
)

// TestANewFileIsNew, in whatever format a reply writes it; one that is there is changed, also where its text comes whole.
func TestANewFileIsNew(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.py"), []byte("x = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	ask := Ask{Parse: edits.ParseOptions{Fence: edits.Fences[0], Files: ws.Snapshot(), Place: edits.Place{Root: ws.Snapshot().Root()}, Language: syntax.LanguageOf}}
	for format, x := range map[string]struct{ made, changed string }{
		"whole":        {"b.py\n```\ny = 1\n```\n", "a.py\n```\nx = 2\n```\n"},
		"files":        {"b.py\n```\ny = 1\n```\n", "a.py\n```\nx = 2\n```\n"},
		"diff":         {"b.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n", "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"},
		"diff-fenced":  {"```\nb.py\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n", "```\na.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"},
		"udiff":        {"```diff\n--- /dev/null\n+++ b.py\n@@ @@\n+y = 1\n```\n", "```diff\n--- a.py\n+++ a.py\n@@ @@\n-x = 1\n+x = 2\n```\n"},
		"gitdiff":      {"```diff\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1,1 @@\n+y = 1\n```\n", "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-x = 1\n+x = 2\n```\n"},
		"patch":        {"*** Begin Patch\n*** Add File: b.py\n+y = 1\n*** End Patch\n", "*** Begin Patch\n*** Add File: a.py\n+x = 2\n*** End Patch\n"},
		"editor-whole": {"./b.py\n```\ny = 1\n```\n", "`" + filepath.ToSlash(filepath.Join(root, "a.py")) + "`\n```\nx = 2\n```\n"},
	} {
		f, ok := formats.ByName(format)
		if !ok {
			t.Fatalf("no format %s", format)
		}
		for want, reply := range map[edits.Op]string{edits.OpCreate: x.made, edits.OpUpdate: x.changed} {
			list, problems := edits.Parse(f, reply, edits.Ended, ask.Parse)
			if len(list) != 1 || len(problems) > 0 {
				t.Errorf("%s: %+v, %+v", format, list, problems)
				continue
			}
			if got := ask.opSeen(&list[0]); got != want {
				t.Errorf("%s: %s is %s, want %s", format, list[0].Path, got, want)
			}
		}
	}
	for _, e := range []edits.Edit{{Path: "b.py", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: "x = 1\n"}, {Path: "../b.py", Op: edits.OpUpdate, Kind: edits.KindWhole}} {
		if got := ask.opSeen(&e); got != edits.OpUpdate {
			t.Errorf("%+v is %s", e, got)
		}
	}
}
