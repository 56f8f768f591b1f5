package workspace_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

var operations = []workspace.Operation{workspace.OpSend, workspace.OpRead, workspace.OpEdit, workspace.OpCreate, workspace.OpDelete, workspace.OpRename}

// matrix is what each operation on each kind of file comes to: its code in the order of operations, "-" to allow.
var matrix = map[string]string{
	"plain":      "- - - - - -",
	"new":        "- - - - - -",
	"new/deep":   "- - - - - -",
	"ro":         "- - read-only - read-only read-only",
	"group":      "- - - - - -", // somebody may write it
	"large":      "too-large too-large too-large too-large - -",
	"large-ro":   "too-large too-large too-large too-large read-only read-only",
	"bin":        "binary - binary - - -",
	"bin-late":   "binary - binary - - -", // a NUL wherever it stands
	"latin":      "undecodable - undecodable - - -",
	"sub":        "bad-name bad-name bad-name bad-name bad-name bad-name",
	"plain/x":    "outside outside outside outside outside outside", // below a file
	"a.sql":      "denied - - - - -",
	"legal/a":    "- - protected protected protected protected",
	".env":       "denied - protected protected protected protected",
	"hidden":     "ignored - ignored ignored ignored ignored",
	"h.sql":      "denied - ignored ignored ignored ignored", // secrets come first
	"to-plain":   "- - - - - -",
	"to-new":     "- - - - - -",
	"to-ro":      "- - read-only - read-only read-only",
	"to-large":   "too-large too-large too-large too-large - -",
	"to-bin":     "binary - binary - - -",
	"to-sql":     "denied - - - - -",
	"to-legal":   "- - protected protected protected protected",
	"to-hidden":  "ignored - ignored ignored ignored ignored",
	"b.sql":      "denied - - - - -", // a link that is named so
	"to-sub":     "bad-name bad-name bad-name bad-name bad-name bad-name",
	"to-sub/new": "- - - - - -",
	"out":        "symlink symlink symlink symlink symlink symlink",
	"out/x":      "symlink symlink symlink symlink symlink symlink",
	"loop":       "symlink symlink symlink symlink symlink symlink",
	"../x":       "outside outside outside outside outside outside",
	"con":        "bad-name bad-name bad-name bad-name bad-name bad-name",
}

func matrixRoot(t *testing.T, o workspace.Options) *workspace.Workspace {
	t.Helper()
	o.MaxFileBytes, o.DenyGlobs, o.ProtectedGlobs = 10_000, []string{"*.sql"}, []string{"legal/**"}
	w := open(t, map[string]string{
		"plain": "p\n", "ro": "r\n", "group": "g\n", "large": strings.Repeat("x", 10_001), "large-ro": strings.Repeat("x", 10_001), "bin": "a\x00b", "latin": "caf\xe9\n",
		"bin-late": strings.Repeat("x", 8<<10) + "\x00", "sub/x": "x\n", "a.sql": "s\n", "h.sql": "s\n", "legal/a": "l\n", ".env": "K=1\n", "hidden": "h\n", ".gitignore": "hidden\nh.sql\n",
	}, o)
	for name, mode := range map[string]os.FileMode{"ro": 0o444, "large-ro": 0o555, "group": 0o464} {
		if err := os.Chmod(filepath.Join(w.Root(), name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"to-plain": "plain", "to-new": "no/where", "to-ro": "ro", "to-large": "large", "to-bin": "bin", "to-sql": "a.sql", "to-legal": "legal/a",
		"to-hidden": "hidden", "b.sql": "plain", "to-sub": "sub", "out": t.TempDir(), "loop": "loop"} {
		link(t, w.Root(), name, target)
	}
	return w
}

// TestEveryOperationOnEveryFile holds for one path, for many at once, and for Withheld, which knows no contents.
func TestEveryOperationOnEveryFile(t *testing.T) {
	w := matrixRoot(t, workspace.Options{})
	paths := sortedKeys(matrix)
	for k, op := range operations {
		all := w.Door().CheckAll(t.Context(), paths, op)
		for i, path := range paths {
			want := strings.Fields(matrix[path])[k]
			d := w.Door().Check(t.Context(), path, op)
			if d != all[i] {
				t.Errorf("%s of %s: alone %+v, among others %+v", op, path, d, all[i])
			}
			verdict := workspace.Refuse
			switch want {
			case "-":
				verdict, want = workspace.Allow, ""
			case workspace.CodeDenied, workspace.CodeProtected, workspace.CodeIgnored:
				verdict = workspace.Ask
			}
			if d.Verdict != verdict || d.Code != want || d.Path != path || verdict != workspace.Allow && d.Reason == "" {
				t.Errorf("%s of %s: %+v, want %s %s", op, path, d, verdict, want)
			}
			if linked := strings.HasPrefix(path, "to-") || path == "b.sql"; verdict != workspace.Refuse && (d.Target != "") != linked {
				t.Errorf("%s of %s leads to %q", op, path, d.Target)
			}
		}
	}
	for of, op := range map[edits.Op]workspace.Operation{edits.OpUpdate: workspace.OpEdit, edits.OpCreate: workspace.OpCreate, edits.OpDelete: workspace.OpDelete, edits.OpRename: workspace.OpRename} {
		for i, d := range w.Door().CheckAll(t.Context(), paths, op) {
			if err := w.Door().Guard(t.Context())(paths[i], of); (err == nil) != (d.Verdict == workspace.Allow) {
				t.Errorf("%s of %s: %v, want %s", of, paths[i], err, d.Verdict)
			}
			if err := w.Door().Guard(t.Context(), "x", paths[i])(paths[i], of); (err == nil) != (d.Verdict != workspace.Refuse) {
				t.Errorf("%s of %s with a consent: %v, want %s", of, paths[i], err, d.Verdict)
			}
		}
	}
	var want []string
	for _, path := range paths {
		if code := strings.Fields(matrix[path])[0]; !strings.Contains("- too-large binary undecodable", code) {
			want = append(want, path)
		}
	}
	if got := w.Door().Withheld(t.Context(), paths); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("withheld are %v, want %v", got, want)
	}
	for path, want := range map[string]bool{"plain": true, "bin": true, "ro": true, "to-plain": true, "new": false, "sub": false, "to-sub": false, "to-new": false, "out": false, "plain/x": false} {
		if w.Snapshot().Exists(path) != want || w.Snapshot().Within(t.Context()).Exists(path) != want {
			t.Errorf("%s exists: %v", path, !want)
		}
	}
	for path, want := range map[string]bool{"plain": true, "sub": true, "to-sub": true, "new": false, "to-new": false, "plain/x": false} {
		if w.Door().OnDisk(path) != want {
			t.Errorf("%s is on disk: %v", path, !want)
		}
	}
	// What is open in the editor is looked at as far as a file is.
	for text, code := range map[string]string{strings.Repeat("x", 1<<20) + "\x00": workspace.CodeBinary, "x": "", strings.Repeat("x", 8<<10-1) + "\x00": workspace.CodeBinary} {
		w.DidOpen("plain", text, 1)
		if d := w.Door().Check(t.Context(), "plain", workspace.OpSend); d.Code != code {
			t.Errorf("open, %d bytes: %+v", len(text), d)
		}
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// fading is a context that is cancelled when it is looked at for the n-th time.
type fading struct {
	context.Context
	cancel context.CancelFunc
	left   *atomic.Int64
}

func fadingAfter(ctx context.Context, n int64) fading {
	ctx, cancel := context.WithCancel(ctx)
	f := fading{ctx, cancel, &atomic.Int64{}}
	f.left.Store(n)
	return f
}

func (f fading) look() {
	if f.left.Add(-1) == 0 {
		f.cancel()
	}
}

func (f fading) Err() error            { f.look(); return f.Context.Err() }
func (f fading) Done() <-chan struct{} { f.look(); return f.Context.Done() }

// eachMoment calls f with contexts that end at the first look, the second, and so on, until one does not end.
func eachMoment(t *testing.T, what string, f func(ctx context.Context, n int64)) {
	t.Helper()
	for n := int64(1); n < 2000; n++ {
		ctx := fadingAfter(t.Context(), n)
		f(ctx, n)
		done := ctx.left.Load() > 0
		ctx.cancel()
		if done {
			return
		}
	}
	t.Errorf("%s: it is never done", what)
}

// TestCancelAllowsNothingMore: whenever a check is stopped, nothing comes out that the whole check would not allow.
func TestCancelAllowsNothingMore(t *testing.T) {
	rank := map[workspace.Verdict]int{workspace.Allow: 1, workspace.Ask: 2, workspace.Refuse: 3}
	git := func(ctx context.Context, paths []string) (map[string]bool, error) {
		return map[string]bool{"hidden": true}, ctx.Err()
	}
	paths := sortedKeys(matrix)
	for what, o := range map[string]workspace.Options{"git": {Ignore: git}, "no git": {}} {
		w := matrixRoot(t, o)
		whole := w.Door().CheckAll(t.Context(), paths, workspace.OpSend)
		eachMoment(t, what, func(ctx context.Context, n int64) {
			for i, d := range w.Door().CheckAll(ctx, paths, workspace.OpSend) {
				if rank[d.Verdict] == 0 || rank[d.Verdict] < rank[whole[i].Verdict] || d.Path != whole[i].Path {
					t.Errorf("%s, stopped at look %d: %+v, want %+v", what, n, d, whole[i])
				}
			}
		})
		for _, path := range []string{"plain", "hidden", ".env", "a.sql"} {
			lists, named := w.Door().Lister(t.Context())(path), w.Door().Named(t.Context())(path)
			eachMoment(t, what, func(ctx context.Context, n int64) {
				if w.Door().Lister(ctx)(path) && !lists {
					t.Errorf("%s, stopped at look %d: %s is listed", what, n, path)
				}
				if !w.Door().Named(ctx)(path) && named {
					t.Errorf("%s, stopped at look %d: %s is not named", what, n, path)
				}
				if err := w.Door().Guard(ctx)(path, edits.OpUpdate); err == nil && path != "plain" && path != "a.sql" {
					t.Errorf("%s, stopped at look %d: %s may be changed", what, n, path)
				}
			})
		}
		snap := w.Snapshot()
		eachMoment(t, what, func(ctx context.Context, n int64) {
			if text, err := snap.Within(ctx).Read("plain"); err == nil && text != "p\n" || err != nil && (text != "" || !errors.Is(err, context.Canceled)) {
				t.Errorf("%s, stopped at look %d: read %q, %v", what, n, text, err)
			}
		})
		mustRead(t, snap, "plain", "p\n")
	}
}

// TestCancelWritesAllOrNothing: whenever a write is stopped, the files are as before, and that is an error, or all is done.
func TestCancelWritesAllOrNothing(t *testing.T) {
	for what, c := range map[string]struct {
		do   func(ctx context.Context, d *workspace.Door) error
		want map[string]string
	}{
		"write": {func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Write(ctx, "a", "A\n", "")
		}, map[string]string{"a": "A\n", "b": "b\n"}},
		"write over": {func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).WriteOver(ctx, "a", "a\n", "A\n", "")
		}, map[string]string{"a": "A\n", "b": "b\n"}},
		"write new": {func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).WriteNew(ctx, "c", "c\n", "")
		}, map[string]string{"a": "a\n", "b": "b\n", "c": "c\n"}},
		"remove": {func(ctx context.Context, d *workspace.Door) error { return d.With(workspace.Agreed()).Remove(ctx, "a") }, map[string]string{"b": "b\n"}},
		"remove if": {func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).RemoveIf(ctx, "a", "a\n")
		}, map[string]string{"b": "b\n"}},
		"rename": {func(ctx context.Context, d *workspace.Door) error {
			return d.With(workspace.Agreed()).Rename(ctx, "a", "c")
		}, map[string]string{"c": "a\n", "b": "b\n"}},
	} {
		eachMoment(t, what, func(ctx context.Context, n int64) {
			w := open(t, map[string]string{"a": "a\n", "b": "b\n"}, workspace.Options{})
			want := c.want
			err := c.do(ctx, w.Door())
			if err != nil {
				want = map[string]string{"a": "a\n", "b": "b\n"}
			}
			if got := tree(t, w.Root()); !maps.Equal(got, want) || err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, stopped at look %d: %q, %v", what, n, got, err)
			}
		})
	}
}

// TestAPanicIsTheCallers: what goes wrong beside the caller comes to the caller, who has somebody above.
func TestAPanicIsTheCallers(t *testing.T) {
	w := open(t, map[string]string{"a": "a\n"}, workspace.Options{Ignore: func(context.Context, []string) (map[string]bool, error) { panic("git is broken") }})
	for what, ctx := range map[string]context.Context{"may end": t.Context(), "never ends": context.Background()} {
		func() {
			defer func() {
				if got := recover(); got != "git is broken" {
					t.Errorf("%s: the caller has %v", what, got)
				}
			}()
			d := w.Door().Check(ctx, "a", workspace.OpSend)
			t.Errorf("%s: %+v", what, d)
		}()
	}
}
