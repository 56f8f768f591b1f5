package workspace_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
)

// open makes a root with files and opens it.
func open(t *testing.T, files map[string]string, o workspace.Options) *workspace.Workspace {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		put(t, root, path, text)
	}
	w, err := workspace.Open(root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() }) // nothing is written through it
	return w
}

// hung is how long only something that hangs takes, also on a machine whose disk is busy with other work.
const hung = time.Minute

// within fails when f has not returned after two seconds. What hangs in open(2) stays behind.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
		t.Fatalf("%s waits for ever", what)
	}
}

// await waits for a channel to be closed or sent to. That it is not means that something hangs.
func await[T any](t *testing.T, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(hung):
		t.Fatalf("hung: %s", what)
	}
	return got
}

func put(t testing.TB, root, path, text string) {
	t.Helper()
	abs := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, s *workspace.Snapshot, path, want string) {
	t.Helper()
	if got, err := s.Read(path); err != nil || got != want {
		t.Errorf("read %s: got %q, %v, want %q", path, got, err, want)
	}
}

func TestSnapshotStaysAsItWas(t *testing.T) {
	w := open(t, map[string]string{"disk": "old", "open": "on disk"}, workspace.Options{})
	w.DidOpen("open", "buffer 1", 1)
	first := w.Snapshot()
	mustRead(t, first, "disk", "old")
	put(t, w.Root(), "disk", "new")
	w.DidChange("open", "buffer 2", 2)
	second := w.Snapshot()
	mustRead(t, first, "disk", "old")
	mustRead(t, first, "open", "buffer 1")
	mustRead(t, second, "disk", "new")
	mustRead(t, second, "open", "buffer 2")
	w.DidClose("open")
	mustRead(t, w.Snapshot(), "open", "on disk")
	if first.Generation() >= second.Generation() {
		t.Error("the generation does not grow")
	}
}

func TestOldVersionIsDropped(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	w.DidOpen("a", "one", 5)
	w.DidChange("a", "stale", 4)
	w.DidChange("b", "never opened", 1)
	mustRead(t, w.Snapshot(), "a", "one")
	if w.Snapshot().Exists("b") {
		t.Error("a document that was not opened exists")
	}
}

func TestOpenIsMostRecentFirst(t *testing.T) {
	now := time.Unix(0, 0)
	w := open(t, nil, workspace.Options{Clock: func() time.Time { now = now.Add(time.Second); return now }})
	w.DidOpen("a", "", 1)
	w.DidOpen("b", "", 1)
	w.DidChange("a", "x", 2)
	var got []string
	for _, d := range w.Snapshot().Open() {
		got = append(got, d.Path)
	}
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWithAccumulates(t *testing.T) {
	w := open(t, map[string]string{"a": "1", "b": "2", "c": "3"}, workspace.Options{})
	base := w.Snapshot()
	first := base.With([]edits.Change{
		{Path: "a", Op: edits.OpUpdate, Before: "1", After: "one"},
		{Path: "new", Op: edits.OpCreate, After: "n"},
		{Path: "b", Op: edits.OpDelete, Before: "2"},
	})
	second := first.With([]edits.Change{
		{Path: "a", Op: edits.OpRename, To: "moved", Before: "one", After: "uno"},
		{Path: "new", Op: edits.OpDelete, Before: "n"},
		{Path: "b", Op: edits.OpCreate, After: "two"},
	})
	mustRead(t, base, "a", "1")
	mustRead(t, first, "a", "one")
	mustRead(t, second, "moved", "uno")
	mustRead(t, second, "c", "3")
	if _, err := second.Read("a"); !errors.Is(err, fs.ErrNotExist) || second.Exists("new") {
		t.Errorf("removed files are still there: %v", err)
	}
	want := []edits.Change{
		{Path: "a", Op: edits.OpRename, To: "moved", Before: "1", After: "uno"},
		{Path: "b", Op: edits.OpUpdate, Before: "2", After: "two"},
	}
	if diff := cmp.Diff(want, second.Changes()); diff != "" {
		t.Error(diff)
	}
	if len(base.Changes()) != 0 {
		t.Error("the base snapshot has changes")
	}
}

func TestTwoWorkspacesShareNothing(t *testing.T) {
	one := open(t, map[string]string{"f": "one", ".coauthorignore": "f\n"}, workspace.Options{})
	two := open(t, map[string]string{"f": "two"}, workspace.Options{})
	one.DidOpen("f", "one open", 1)
	mustRead(t, one.Snapshot(), "f", "one open")
	mustRead(t, two.Snapshot(), "f", "two")
	if d := two.Door().Check(context.Background(), "f", workspace.OpSend); d.Verdict != workspace.Allow {
		t.Errorf("the other root's ignore file counts: %+v", d)
	}
}

func TestRootless(t *testing.T) {
	w, err := workspace.Open("", workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := w.Door().Check(context.Background(), "a", workspace.OpRead); d.Verdict != workspace.Refuse || d.Code != workspace.CodeNoFolder {
		t.Errorf("got %+v", d)
	}
	if _, err := w.Snapshot().Read("a"); !errors.Is(err, workspace.ErrRefused) {
		t.Errorf("read: %v", err)
	}
	if _, err := w.StateDocument("prompt.md", "x"); !errors.Is(err, workspace.ErrRefused) {
		t.Errorf("state document: %v", err)
	}
}

func TestStateDocument(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	if _, err := os.Stat(filepath.Join(w.Root(), ".coauthor")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(".coauthor is there before it is needed")
	}
	for _, text := range []string{"first", "second"} {
		abs, err := w.StateDocument("prompt.md", text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(abs)
		if err != nil || string(got) != text || abs != filepath.Join(w.Root(), ".coauthor", "prompt.md") {
			t.Errorf("got %s: %q, %v", abs, got, err)
		}
	}
	guard, err := os.ReadFile(filepath.Join(w.Root(), ".coauthor", ".gitignore"))
	if err != nil || string(guard) != "*\n!config.yaml\n!commands/\n!commands/**\n" {
		t.Errorf(".gitignore: %q, %v", guard, err)
	}
	for _, name := range []string{"../x", "a/b", ""} {
		if _, err := w.StateDocument(name, "x"); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
}

// What earlier versions hid from git is shown where nobody has changed their list; one of the user's own stays.
func TestTheGuardOfTheStateFolder(t *testing.T) {
	const now = "*\n!config.yaml\n!commands/\n!commands/**\n"
	for before, want := range map[string]string{"*\n": now, "*\n!config.yaml\n": now, now: now, "*\n!config.yaml\n!mine\n": "*\n!config.yaml\n!mine\n", "": ""} {
		w := open(t, map[string]string{".coauthor/.gitignore": before}, workspace.Options{})
		dir, err := w.StateFolder()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(got) != want {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
}

func TestStateDocumentDoesNotFollowLinks(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(w.Root(), ".coauthor")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := w.StateDocument("prompt.md", "x"); err == nil {
		t.Error("wrote through a link")
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
}

func TestRootOf(t *testing.T) {
	top := t.TempDir()
	put(t, top, "repo/.git/HEAD", "")
	put(t, top, "repo/sub/f", "")
	put(t, top, "plain/f", "")
	in := func(p string) string { return filepath.Join(top, filepath.FromSlash(p)) }
	for _, c := range []struct {
		abs     string
		folders []string
		want    string
	}{
		{"repo/sub/f", []string{in("repo"), in("repo/sub")}, "repo/sub"},
		{"repo/sub/f", []string{in("rep"), in("repo/su")}, "repo"},
		{"repo/sub/f", nil, "repo"},
	} {
		if got := workspace.RootOf(in(c.abs), c.folders); got != in(c.want) {
			t.Errorf("RootOf(%s, %v) = %s, want %s", c.abs, c.folders, got, in(c.want))
		}
	}
	if got := workspace.RootOf(in("plain/f"), nil); got != in("plain") {
		t.Errorf("RootOf without a repository = %s", got)
	}
	if got := workspace.RootOf(in("plain/.coauthor/prompt-1.md"), nil); got != in("plain") {
		t.Errorf("RootOf of our own document = %s", got)
	}
}

func TestVacant(t *testing.T) {
	w := open(t, map[string]string{"saved": ""}, workspace.Options{})
	for path, text := range map[string]string{"saved": "", "none": "", "line": "\n", "crlf": "\r\n", "two": "\n\n", "text": "x"} {
		w.DidOpen(path, text, 1)
	}
	snap := w.Snapshot()
	for path, want := range map[string]bool{"saved": false, "none": true, "line": true, "crlf": true, "two": false, "text": false, "closed": false} {
		if got := snap.Vacant(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
