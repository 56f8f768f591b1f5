package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/workspace"
)

func TestBelow(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	put := func(dir, name string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	deep := "r/" + strings.Repeat("d/", 7) + "deep.mdc"
	for _, name := range []string{"r/b.mdc", "r/a/c.mdc", "r/a/c.md", "r/folder.mdc/x.mdc", "other.mdc", deep, "r/" + strings.Repeat("d/", 8) + "deeper.mdc"} {
		put(root, name)
	}
	put(outside, "o.mdc")
	want := []string{"r/a/c.mdc", "r/b.mdc", deep, "r/folder.mdc/x.mdc"}
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"r/loop": "../r", "r/out": outside, "r/link.mdc": "b.mdc", "away": outside} {
			if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
				t.Fatal(err)
			}
		}
		want = append(want, "r/link.mdc") // what it leads to the door looks at
	}
	w, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	slices.Sort(want)
	if got := w.Door().Below(t.Context(), "r", ".mdc"); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for _, folder := range []string{"none", "..", "/", "away", "r/b.mdc", ""} {
		if got := w.Door().Below(t.Context(), folder, ".mdc"); len(got) > 0 {
			t.Errorf("%q holds %v", folder, got)
		}
	}
	for name, want := range map[string]bool{"r": true, "r/b.mdc": true, "away": runtime.GOOS != "windows", "r/none": false, "../x": false, "": false} {
		if got := w.Door().Listed(name); got != want {
			t.Errorf("%q is listed: %v", name, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := w.Door().Below(ctx, "r", ".mdc"); len(got) > 0 {
		t.Errorf("after a cancel: %v", got)
	}
	rootless, err := workspace.Open("", workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := rootless.Door().Below(t.Context(), "r", ".mdc"); len(got) > 0 {
		t.Errorf("without a folder: %v", got)
	}
}
