package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/workspace"
)

// What another program wrote after the text was read is never written over.
func TestWriteOverLooksAtTheLastMoment(t *testing.T) {
	w := open(t, map[string]string{"same": "a\n", "other": "theirs\n", "there": "theirs\n", "del": "a\n", "del2": "theirs\n"}, workspace.Options{})
	ctx, door := t.Context(), w.Door()
	for what, c := range map[string]struct {
		do      func() error
		changed bool
	}{
		"over, same":    {func() error { return door.With(workspace.Agreed()).WriteOver(ctx, "same", "a\n", "b\n", "") }, false},
		"over, other":   {func() error { return door.With(workspace.Agreed()).WriteOver(ctx, "other", "a\n", "b\n", "") }, true},
		"over, gone":    {func() error { return door.With(workspace.Agreed()).WriteOver(ctx, "gone", "a\n", "b\n", "") }, true},
		"new":           {func() error { return door.With(workspace.Agreed()).WriteNew(ctx, "sub/new", "n\n", "") }, false},
		"new, there":    {func() error { return door.With(workspace.Agreed()).WriteNew(ctx, "there", "n\n", "") }, true},
		"remove, same":  {func() error { return door.With(workspace.Agreed()).RemoveIf(ctx, "del", "a\n") }, false},
		"remove, other": {func() error { return door.With(workspace.Agreed()).RemoveIf(ctx, "del2", "a\n") }, true},
		"remove, gone":  {func() error { return door.With(workspace.Agreed()).RemoveIf(ctx, "gone", "a\n") }, true},
	} {
		if err := c.do(); errors.Is(err, workspace.ErrChanged) != c.changed || !c.changed && err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for name, text := range map[string]string{"same": "b\n", "other": "theirs\n", "there": "theirs\n", "sub/new": "n\n", "del": "", "del2": "theirs\n"} {
		raw, _ := os.ReadFile(filepath.Join(w.Root(), name))
		if string(raw) != text {
			t.Errorf("%s is %q, want %q", name, raw, text)
		}
	}
	if left := temps(t, w.Root()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func temps(t *testing.T, root string) []string {
	t.Helper()
	var list []string
	if err := filepath.WalkDir(root, func(name string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(name, ".coauthor-tmp") {
			list = append(list, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// What we keep in .coauthor is hidden from git; the team's settings there are not.
func TestGitSeesTheTeamsSettings(t *testing.T) {
	for _, before := range []string{"", "*\n", "own\n"} {
		files := map[string]string{".coauthor/config.yaml": "model: x\n"}
		if before != "" {
			files[".coauthor/.gitignore"] = before
		}
		w := open(t, files, workspace.Options{})
		if _, err := w.StateDocument("2001-02-03-04.05.06-a.go.diff", "x"); err != nil {
			t.Fatal(err)
		}
		if before == "own\n" {
			if raw, err := os.ReadFile(filepath.Join(w.Root(), ".coauthor", ".gitignore")); err != nil || string(raw) != before {
				t.Errorf("a file of the user's own is now %q, %v", raw, err)
			}
			continue
		}
		for path, want := range map[string]bool{".coauthor/config.yaml": true, ".coauthor/2001-02-03-04.05.06-a.go.diff": false, ".coauthor/.gitignore": false} {
			d := w.Door().Check(t.Context(), path, workspace.OpSend)
			if seen := d.Code != workspace.CodeIgnored; seen != want {
				t.Errorf("%q before: %s is seen %v", before, path, seen)
			}
		}
	}
}
