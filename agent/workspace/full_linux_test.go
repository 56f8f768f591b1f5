package workspace_test

import (
	"maps"
	"strings"
	"syscall"
	"testing"

	"coauthor/agent/workspace"
)

// TestAFullDiskLosesNothing: when there is no room for a new text the old one stays, whichever way it is written,
// and no temporary file does.
func TestAFullDiskLosesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("full", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size=64k"); err != nil {
		t.Skip("no small disk can be made here:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	put(t, dir, "a", "old\n")
	w, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	before, large := tree(t, dir), strings.Repeat("x", 1<<20)
	for what, err := range map[string]error{
		"write": w.Door().With(workspace.Agreed()).Write(t.Context(), "a", large, ""), "over": w.Door().With(workspace.Agreed()).WriteOver(t.Context(), "a", "old\n", large, ""),
		"new": w.Door().With(workspace.Agreed()).WriteNew(t.Context(), "b", large, ""), "create": w.Door().With(workspace.Agreed()).Write(t.Context(), "c", large, ""),
	} {
		if err == nil {
			t.Errorf("%s: a disk of 64 KiB took 1 MiB", what)
		}
	}
	if after := tree(t, dir); !maps.Equal(before, after) {
		t.Errorf("left: %d files, a is %.10q", len(after), after["a"])
	}
}
