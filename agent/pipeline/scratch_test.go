package pipeline

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// The folder holds the files with the changes, also where a program has changed or removed them, and keeps what the
// program has made.
func TestScratch(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a.txt": "a\n", "sub/b.txt": "b\n", "gone.txt": "gone\n", "run.sh": "#!/bin/sh\n", "binary": "\x00\x01"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o600)
		if name == "run.sh" {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ws.Close() }()
	listed := []string{"a.txt", "binary", "gone.txt", "run.sh", "sub/b.txt", "not-there"}
	s, err := newScratch(t.TempDir(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return "error"
		}
		return string(data)
	}
	update := func(changes ...edits.Change) []string {
		t.Helper()
		left, err := s.update(t.Context(), ws, ws.Snapshot().With(changes), listed, nil)
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	changes := []edits.Change{
		{Path: "a.txt", Op: edits.OpUpdate, Before: "a\n", After: "A\n"}, {Path: "gone.txt", Op: edits.OpDelete, Before: "gone\n"},
		{Path: "new/c.txt", Op: edits.OpCreate, After: "c\n"},
	}
	if left := update(changes...); len(left) > 0 {
		t.Error(left)
	}
	for name, want := range map[string]string{"a.txt": "A\n", "gone.txt": "error", "new/c.txt": "c\n", "sub/b.txt": "b\n", "binary": "\x00\x01", "run.sh": "#!/bin/sh\n"} {
		if got := read(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if info, err := os.Stat(filepath.Join(s.dir, "run.sh")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	outside := filepath.Join(t.TempDir(), "outside")
	for name, do := range map[string]func(name string) error{
		"a.txt":     func(n string) error { return os.WriteFile(n, []byte("spoiled"), 0o600) },
		"sub/b.txt": os.Remove,
		"made.txt":  func(n string) error { return os.WriteFile(n, []byte("made"), 0o600) },
		"binary": func(n string) error {
			if err := os.Remove(n); err != nil {
				return err
			}
			return os.Symlink(outside, n)
		},
	} {
		if err := do(filepath.Join(s.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	update(changes[0])
	for name, want := range map[string]string{"a.txt": "A\n", "gone.txt": "gone\n", "new/c.txt": "error", "sub/b.txt": "b\n", "binary": "\x00\x01", "made.txt": "made"} {
		if got := read(name); got != want {
			t.Errorf("later %s is %q", name, got)
		}
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("it was written through a link that the program made")
	}
	if err := os.Chmod(filepath.Join(s.dir, "sub"), 0o500); err != nil {
		t.Fatal(err)
	}
	s.close()
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("the folder is still there")
	}
	if data, err := os.ReadFile(filepath.Join(root, "a.txt")); err != nil || string(data) != "a\n" {
		t.Errorf("the user's own file is %q, %v", data, err)
	}
}

// Folders that a killed program left go after a day, others stay.
func TestScratchIsSwept(t *testing.T) {
	state, now := t.TempDir(), time.Now()
	first, err := newScratch(state, now)
	if err != nil {
		t.Fatal(err)
	}
	second, err := newScratch(state, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first.dir); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(state, "scratch", "other"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	third, err := newScratch(state, now.Add(48*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	entries, err := os.ReadDir(filepath.Join(state, "scratch"))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"other", filepath.Base(third.dir)}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v; %s is gone", names, err, second.dir)
	}
}
