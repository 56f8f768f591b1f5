package index

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
)

// commit makes the files and a commit of them.
func commit(t *testing.T, root, message string, files map[string]string) {
	t.Helper()
	write(t, root, files)
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", message)
}

// The history is the newest commits without merges, each with its files.
func TestHistoryOfARepository(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	h := history{root: root}
	if got, err := h.Commits(t.Context(), 10); err != nil || len(got) != 0 {
		t.Errorf("no commit: %v %v", got, err)
	}
	body := "\tone()\n\ttwo()\n\tthree()\n\tfour()\n\tfive()\n"
	commit(t, root, "first", map[string]string{"a.go": "package a\n\nfunc Alpha() {\n" + body + "}\n\nfunc Beta() {\n" + body + "}\n", "b.go": "package a\n"})
	git(t, root, "checkout", "-q", "-b", "side")
	commit(t, root, "aside", map[string]string{"b.go": "package b\n"})
	git(t, root, "checkout", "-q", "main")
	commit(t, root, "second", map[string]string{"a.go": "package a\n\nfunc Alpha() {\n" + body + "}\n\nfunc Beta() {\n" + body + "\tsix()\n}\n"})
	git(t, root, "merge", "-q", "-m", "merge", "side")
	want := []repomap.Commit{{Paths: []string{"a.go"}}, {Paths: []string{"b.go"}},
		{Paths: []string{"a.go", "b.go"}}}
	got, err := h.Commits(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) == 3 && len(got[0].Paths) == 1 && got[0].Paths[0] == "b.go" { // both were made within one second
		got[0], got[1] = got[1], got[0]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for limit := range 4 {
		if got, err := h.Commits(t.Context(), limit); err != nil || len(got) != limit && limit > 0 {
			t.Errorf("at most %d: %d, %v", limit, len(got), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Commits(ctx, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := h.read(ctx, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while it is read: %v", err)
	}

	// A shallow clone has no past worth learning from, and a folder without git has none.
	shallow := t.TempDir()
	git(t, shallow, "clone", "-q", "--depth", "1", "file://"+root, "clone")
	for what, dir := range map[string]string{"shallow": filepath.Join(shallow, "clone"), "no git": t.TempDir()} {
		h := history{root: dir}
		if key, err := h.Key(t.Context()); key != "" || err != nil {
			t.Errorf("%s: key %q, %v", what, key, err)
		}
		if got, err := h.Commits(t.Context(), 10); len(got) != 0 || err != nil {
			t.Errorf("%s: %v %v", what, got, err)
		}
		if _, err := h.Key(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", what, err)
		}
	}
}

// What is kept of a history serves for the same commit and at least as many commits, written by this version.
func TestKeptHistory(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	commit(t, root, "first", map[string]string{"a.go": "package a\n"})
	h := history{root: root, kept: newStore(t.TempDir(), root, ".log")}
	key, err := h.Key(t.Context())
	if err != nil || key == "" {
		t.Fatalf("%q %v", key, err)
	}
	good := log{Version: logVersion, Key: key, Limit: 10, Commits: []repomap.Commit{{Paths: []string{"kept"}}}}
	for what, c := range map[string]struct {
		change func(l *log)
		want   string
	}{
		"as it was":       {func(*log) {}, "kept"},
		"another version": {func(l *log) { l.Version++ }, "a.go"},
		"another commit":  {func(l *log) { l.Key += "0" }, "a.go"},
		"another limit":   {func(l *log) { l.Limit = 5 }, "a.go"},
	} {
		l := good
		c.change(&l)
		if err := h.kept.Save(func(w io.Writer) error { return gob.NewEncoder(w).Encode(l) }); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from what the first one kept
			if got, err := h.Commits(t.Context(), 10); err != nil || len(got) != 1 || got[0].Paths[0] != c.want {
				t.Errorf("%s: %v %v", what, got, err)
			}
		}
		if kept, ok := h.recall(); !ok || kept.Key != key || kept.Limit != 10 || fmt.Sprint(kept.Commits[0].Paths) != "["+c.want+"]" {
			t.Errorf("%s: kept %v %v", what, kept, ok)
		}
	}
	// Without a place to keep it, it is read every time.
	h.kept = store{}
	if got, err := h.Commits(t.Context(), 10); err != nil || len(got) != 1 || got[0].Paths[0] != "a.go" {
		t.Errorf("%v %v", got, err)
	}
}
