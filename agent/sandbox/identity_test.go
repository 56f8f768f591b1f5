package sandbox_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/sandbox"
)

// TestIdentity: a folder is the same one whatever becomes of what is in it and wherever it is moved; one that is made in its
// place is another.
func TestIdentity(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "root")
	identity := func(name string) string {
		t.Helper()
		id, err := sandbox.Identity(name)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	do := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	do(os.Mkdir(root, 0o755))
	first := identity(root)
	if first == "" {
		t.Skip("this system tells folders apart by their paths alone")
	}
	do(os.WriteFile(filepath.Join(root, "a"), []byte("x"), 0o600), os.Mkdir(filepath.Join(root, "sub"), 0o755), os.Chmod(root, 0o700))
	if got := identity(root); got != first {
		t.Errorf("after changes in it: %s, was %s", got, first)
	}
	moved := filepath.Join(base, "moved")
	do(os.Rename(root, moved), os.Symlink("moved", root))
	if got := identity(root); got != first {
		t.Errorf("through a link to where it is: %s, was %s", got, first)
	}
	do(os.Remove(root), os.Mkdir(root, 0o755))
	if got := identity(root); got == first {
		t.Error("a folder beside it has the same identity")
	}
	// The disk tells times in steps of some milliseconds, within which a folder could come and go.
	was, err := os.Stat(moved)
	do(err)
	for clock := filepath.Join(base, "clock"); ; {
		do(os.WriteFile(clock, nil, 0o600))
		now, err := os.Stat(clock)
		do(err)
		if now.ModTime().After(was.ModTime()) {
			break
		}
		do(os.Remove(clock))
	}
	do(os.RemoveAll(root), os.RemoveAll(moved))
	for range 20 { // a disk gives numbers again soon
		do(os.Mkdir(root, 0o755))
		if got := identity(root); got == first {
			t.Error("a folder in its place has the same identity")
		}
		do(os.Remove(root))
	}
	if _, err := sandbox.Identity(root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of none: %v", err)
	}
}
