//go:build unix

package workspace_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"coauthor/agent/workspace"
)

func modeOf(t *testing.T, root, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// TestModes: a file that is rewritten keeps its mode whatever the umask, by every way of writing; a new one
// has the mode that the umask leaves of 0644; what we keep for ourselves is nobody else's to read.
func TestModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for _, umask := range []fs.FileMode{0, 0o022, 0o027, 0o077} {
		for _, mode := range []fs.FileMode{0o600, 0o640, 0o644, 0o664, 0o666, 0o700, 0o755, 0o777, 0o200} {
			w := open(t, map[string]string{"f": "a\n", "real": "a\n"}, workspace.Options{})
			for _, name := range []string{"f", "real"} {
				if err := os.Chmod(filepath.Join(w.Root(), name), mode); err != nil {
					t.Fatal(err)
				}
			}
			link(t, w.Root(), "link", "real")
			syscall.Umask(int(umask))
			ctx, door := t.Context(), w.Door()
			if err := door.With(workspace.Agreed()).Write(ctx, "f", "b\n", ""); err != nil {
				t.Error(err)
			}
			if err := door.With(workspace.Agreed()).Write(ctx, "link", "b\n", ""); err != nil {
				t.Error(err)
			}
			if mode&0o400 != 0 {
				if err := door.With(workspace.Agreed()).WriteOver(ctx, "f", "b\n", "c\n", ""); err != nil {
					t.Error(err)
				}
			}
			if err := door.With(workspace.Agreed()).Rename(ctx, "real", "moved"); err != nil {
				t.Error(err)
			}
			for _, name := range []string{"f", "moved"} {
				if got := modeOf(t, w.Root(), name); got != mode {
					t.Errorf("umask %v: %s has %v, had %v", umask, name, got, mode)
				}
			}
			syscall.Umask(0)
		}
		w := open(t, nil, workspace.Options{})
		syscall.Umask(int(umask))
		if err := w.Door().With(workspace.Agreed()).Write(t.Context(), "d/new", "n\n", ""); err != nil {
			t.Error(err)
		}
		if err := w.Door().With(workspace.Agreed()).WriteNew(t.Context(), "e/new", "n\n", ""); err != nil {
			t.Error(err)
		}
		if err := w.Door().With(workspace.Agreed()).Rename(t.Context(), "e/new", "r/new"); err != nil {
			t.Error(err)
		}
		if err := w.Door().With(workspace.Agreed()).MkdirAll(t.Context(), "m/n"); err != nil {
			t.Error(err)
		}
		if _, err := w.StateDocument("prompt.md", "p\n"); err != nil {
			t.Error(err)
		}
		syscall.Umask(0)
		for name, want := range map[string]fs.FileMode{
			"d/new": 0o644 &^ umask, "r/new": 0o644 &^ umask, "d": 0o755 &^ umask, "e": 0o755 &^ umask, "r": 0o755 &^ umask, "m": 0o755 &^ umask, "m/n": 0o755 &^ umask,
			".coauthor": 0o700, ".coauthor/prompt.md": 0o600, ".coauthor/.gitignore": 0o600,
		} {
			if got := modeOf(t, w.Root(), name); got != want {
				t.Errorf("umask %v: %s has %v, want %v", umask, name, got, want)
			}
		}
	}
}
