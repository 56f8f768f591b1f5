package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// TestLaidIsWhatTheDiskLacks: changes, unsaved documents and what a change took away, in the file's own
// encoding; what is as on disk is left out.
func TestLaidIsWhatTheDiskLacks(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"same.txt": "same\n", "typed.txt": "old\n", "latin.txt": "caf\xe9\n", "gone.txt": "x\n", "from.txt": "y\n", "changed.txt": "1\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{Encoding: "windows-1252"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	ws.DidOpen("same.txt", "same\n", 1)
	ws.DidOpen("typed.txt", "typed\n", 1)
	ws.DidOpen("latin.txt", "café!\n", 1)
	snap := ws.Snapshot().With([]edits.Change{
		{Path: "changed.txt", Op: edits.OpUpdate, Before: "1\n", After: "2\n"},
		{Path: "gone.txt", Op: edits.OpDelete, Before: "x\n"},
		{Path: "new/file.txt", Op: edits.OpCreate, After: "new\n"},
		{Path: "from.txt", To: "to.txt", Op: edits.OpRename, Before: "y\n", After: "y\n"},
	})
	list, err := snap.Laid(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, l := range list {
		got[l.Path] = string(l.Data)
		if l.Gone {
			got[l.Path] = "gone"
		}
	}
	want := map[string]string{"typed.txt": "typed\n", "latin.txt": "caf\xe9!\n", "changed.txt": "2\n", "gone.txt": "gone",
		"new/file.txt": "new\n", "from.txt": "gone", "to.txt": "y\n"}
	if len(got) != len(want) {
		t.Errorf("%q", got)
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s is laid as %q, want %q", path, got[path], text)
		}
	}
	if list, err := ws.Snapshot().Laid(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("without the changes: %v, %v", list, err)
	}
}
