//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"coauthor/edits"
)

// What keeps a file from being written is named: itself where it is changed, its folder where it comes or goes, and of
// folders that would be made too the one that is there.
func TestUnwritable(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"open", "locked/deep"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]os.FileMode{"open/locked.go": 0o444, "open/a.go": 0o644, "locked/a.go": 0o644} {
		if err := os.WriteFile(filepath.Join(root, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root, "locked"), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "locked"), 0o755) })
	w, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		op   edits.Op
		want string
	}{
		{"open/a.go", edits.OpUpdate, ""},
		{"open/locked.go", edits.OpUpdate, "open/locked.go"},
		{"open/locked.go", edits.OpDelete, ""},
		{"open/locked.go", edits.OpRename, ""},
		{"open/b.go", edits.OpCreate, ""},
		{"open/far/away/b.go", edits.OpCreate, ""},
		{"open/missing.go", edits.OpUpdate, ""},
		{"locked/a.go", edits.OpUpdate, ""},
		{"locked/a.go", edits.OpDelete, "locked"},
		{"locked/a.go", edits.OpRename, "locked"},
		{"locked/b.go", edits.OpCreate, "locked"},
		{"locked/far/away/b.go", edits.OpCreate, "locked"},
		{"locked/deep/b.go", edits.OpCreate, ""},
		{"b.go", edits.OpCreate, ""},
		{"../b.go", edits.OpCreate, ""},
	} {
		if got := w.Door().Unwritable(c.path, c.op); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.op, c.path, got, c.want)
		}
	}
	if err := os.Chmod(root, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(root, 0o755) })
	for path, want := range map[string]string{"b.go": ".", "new/b.go": ".", "open/b.go": ""} {
		if got := w.Door().Unwritable(path, edits.OpCreate); got != want {
			t.Errorf("%s in a locked root: %q, want %q", path, got, want)
		}
	}
	bare, err := Open("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := bare.Door().Unwritable("b.go", edits.OpCreate); got != "" {
		t.Errorf("without a folder: %q", got)
	}
}
