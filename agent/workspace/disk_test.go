package workspace_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coauthor/agent/workspace"
)

// tree is what lies below a root: the text of each file, the target of each link.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			all[rel] = "-> " + target
			return err
		case e.Type().IsRegular():
			raw, err := os.ReadFile(name)
			all[rel] = string(raw)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func link(t *testing.T, root, name, target string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
}

// TestALinkIsRemovedItself: removing and renaming take the link, and leave what it leads to alone.
func TestALinkIsRemovedItself(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "far", "far\n")
	for what, c := range map[string]struct {
		do   func(context.Context, *workspace.Door) error
		bad  bool
		gone []string
		more map[string]string
	}{
		"remove": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "link")
		}, gone: []string{"link"}},
		"remove as read": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).RemoveIf(ctx, "link", "near\n")
		}, gone: []string{"link"}},
		"remove, other": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).RemoveIf(ctx, "link", "other\n")
		}, bad: true},
		"remove, dangling": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "dangling")
		}, gone: []string{"dangling"}},
		"below a link": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "folder/deep")
		}, gone: []string{"sub/deep"}},
		"a link to a link": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "again")
		}, gone: []string{"again"}},
		"out of the root": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "out")
		}, bad: true},
		"out, as read": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).RemoveIf(ctx, "out", "far\n")
		}, bad: true},
		"a folder": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "sub")
		}, bad: true},
		"a link to one": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "folder")
		}, bad: true},
		"nothing": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Remove(ctx, "nothing")
		}, bad: true},
		"rename": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "link", "moved")
		}, gone: []string{"link"}, more: map[string]string{"moved": "-> near"}},
		"rename, deeper": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "near", "a/b/c")
		}, gone: []string{"near"}, more: map[string]string{"a/b/c": "near\n"}},
		"rename over": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "near", "sub/deep")
		}, bad: true},
		"rename over link": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "sub/deep", "link")
		}, bad: true},
		"rename out": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "near", "../near")
		}, bad: true},
		"rename out by it": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "near", "way/near")
		}, bad: true},
		"rename of nothing": {do: func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "nothing", "x")
		}, bad: true},
		"stopped": {do: func(ctx context.Context, d *workspace.Door) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return errors.Join(d.With(workspace.Agreed()).Remove(ctx, "near"), d.With(workspace.Agreed()).Rename(ctx, "near", "x"), d.With(workspace.Agreed()).MkdirAll(ctx, "made"), d.With(workspace.Agreed()).Write(ctx, "near", "x", ""))
		}, bad: true},
	} {
		w := open(t, map[string]string{"near": "near\n", "sub/deep": "deep\n"}, workspace.Options{})
		link(t, w.Root(), "link", "near")
		link(t, w.Root(), "again", "link")
		link(t, w.Root(), "folder", "sub")
		link(t, w.Root(), "dangling", "no/where")
		link(t, w.Root(), "out", filepath.Join(outside, "far"))
		link(t, w.Root(), "way", outside)
		want := tree(t, w.Root())
		for _, name := range c.gone {
			delete(want, name)
		}
		maps.Copy(want, c.more)
		if err := c.do(t.Context(), w.Door()); (err != nil) != c.bad {
			t.Errorf("%s: %v", what, err)
		}
		if got := tree(t, w.Root()); !maps.Equal(got, want) {
			t.Errorf("%s left %v, want %v", what, got, want)
		}
		if got := tree(t, outside); !maps.Equal(got, map[string]string{"far": "far\n"}) {
			t.Errorf("%s reached out: %v", what, got)
		}
	}
}

// TestMkdirAll makes directories, and nothing outside of the root.
func TestMkdirAll(t *testing.T) {
	outside := t.TempDir()
	w := open(t, map[string]string{"file": "x"}, workspace.Options{})
	link(t, w.Root(), "in", "real")
	link(t, w.Root(), "out", outside)
	for path, good := range map[string]bool{"a/b": true, "in/c": true, "file/x": false, "out/x": false, "../x": false, "": false} {
		if err := w.Door().With(workspace.Agreed()).MkdirAll(t.Context(), path); (err == nil) != good {
			t.Errorf("%q: %v", path, err)
		}
	}
	for name, want := range map[string]bool{"a/b": true, "real/c": true} {
		if info, err := os.Stat(filepath.Join(w.Root(), name)); (err == nil && info.IsDir()) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Door().With(workspace.Agreed()).MkdirAll(stopped, "late"); !errors.Is(err, context.Canceled) || w.Door().OnDisk("late") {
		t.Errorf("stopped: %v", err)
	}
}

// recorder is a Temps that looks at the disk whenever it is told something.
type recorder struct {
	t     *testing.T
	began []string
	open  int
	fail  bool // Begin has an error
	none  bool // and no done
}

func (r *recorder) Begin(abs string) (func(), error) {
	r.began = append(r.began, abs)
	r.open++
	if _, err := os.Lstat(abs); err == nil {
		r.t.Errorf("%s was there before it was told", abs)
	}
	var err error
	if r.fail {
		err = errors.New("the record cannot be written")
	}
	if r.none {
		r.open--
		return nil, err
	}
	return func() {
		r.open--
		if _, err := os.Lstat(abs); err == nil {
			r.t.Errorf("%s is still there when it is told to be gone", abs)
		}
	}, err
}

// TestTemporaryFilesAreToldOfAndGone: whatever comes of a write, its temporary file is recorded before it is
// made, has a name that only we give, lies beside the file, and is gone afterwards.
func TestTemporaryFilesAreToldOfAndGone(t *testing.T) {
	for _, r := range []*recorder{{t: t}, {t: t, fail: true}, {t: t, fail: true, none: true}, nil} {
		o := workspace.Options{}
		if r != nil {
			o.Temps = r
		}
		w := open(t, map[string]string{"a": "a\n", "sub/b": "b\n", "sub/folder/x": "x\n"}, o)
		ctx, door := t.Context(), w.Door()
		want := tree(t, w.Root())
		for i, c := range []struct {
			do   func() error
			dir  string // of the temporary file; "-" when there is none
			good bool
		}{
			{func() error { return door.With(workspace.Agreed()).Write(ctx, "a", "A\n", "") }, ".", true},
			{func() error { return door.With(workspace.Agreed()).Write(ctx, "sub/b", "B\n", "") }, "sub", true},
			{func() error { return door.With(workspace.Agreed()).WriteNew(ctx, "new/c", "C\n", "") }, "new", true},
			{func() error { return door.With(workspace.Agreed()).WriteOver(ctx, "a", "A\n", "AA\n", "") }, ".", true},
			{func() error { return door.With(workspace.Agreed()).WriteOver(ctx, "a", "other\n", "x\n", "") }, ".", false},
			{func() error { return door.With(workspace.Agreed()).WriteNew(ctx, "a", "x\n", "") }, ".", false},
			{func() error { return door.With(workspace.Agreed()).Write(ctx, "a", "日", "windows-1252") }, "-", false},
			{func() error { return door.With(workspace.Agreed()).Write(ctx, "sub/folder", "x", "") }, "-", false},
			{func() error { return door.With(workspace.Agreed()).Write(ctx, "../x", "x", "") }, "-", false},
			{func() error { _, err := w.StateDocument("prompt.md", "p\n"); return err }, ".coauthor", true},
		} {
			before := 0
			if r != nil {
				before = len(r.began)
			}
			if err := c.do(); (err == nil) != c.good {
				t.Errorf("step %d: %v", i, err)
			}
			if r == nil {
				continue
			}
			made := r.began[before:]
			if (len(made) > 0) != (c.dir != "-") || r.open != 0 {
				t.Errorf("step %d: temporary files %v, %d open", i, made, r.open)
			}
			for _, abs := range made {
				if filepath.Dir(abs) != filepath.Join(w.Root(), c.dir) || !workspace.IsTemp(filepath.Base(abs)) {
					t.Errorf("step %d: the temporary file is %s", i, abs)
				}
			}
		}
		maps.Copy(want, map[string]string{"a": "AA\n", "sub/b": "B\n", "new/c": "C\n", ".coauthor/.gitignore": "*\n!config.yaml\n!commands/\n!commands/**\n", ".coauthor/prompt.md": "p\n"})
		if got := tree(t, w.Root()); !maps.Equal(got, want) {
			t.Errorf("left: %v, want %v", got, want)
		}
		if r != nil {
			if all := slices.Compact(slices.Sorted(slices.Values(r.began))); len(all) != len(r.began) {
				t.Errorf("a name was used twice: %v", r.began)
			}
		}
	}
}

// TestIsTemp: a file of the user's is not taken for one of ours, which the next process may remove.
func TestIsTemp(t *testing.T) {
	for name, want := range map[string]bool{
		".0123456789ab.coauthor-tmp": true, ".ffffffffffff.coauthor-tmp": true,
		"": false, ".coauthor-tmp": false, "..coauthor-tmp": false, "0123456789ab.coauthor-tmp": false, "x0123456789ab.coauthor-tmp": false,
		".0123456789.coauthor-tmp": false, ".0123456789abcd.coauthor-tmp": false, ".0123456789xy.coauthor-tmp": false,
		".0123456789ab.coauthor-tmp2": false, ".0123456789ab": false, ".notes.coauthor-tmp": false, "a/.0123456789ab.coauthor-tmp": false,
	} {
		if got := workspace.IsTemp(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
