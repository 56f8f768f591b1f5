package index

import (
	"encoding/gob"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/repomap"
)

// Where there is no place to keep anything, nothing is written, not for a moment: the folder that the process
// happens to be in is somebody's.
func TestNothingIsKeptWithoutAPlace(t *testing.T) {
	root, here := t.TempDir(), t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	commit(t, root, "first", map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n", "bad.go": "package a // segfault\n"})
	t.Chdir(here)
	long := time.Unix(1_600_000_000, 0)
	if err := os.Chtimes(here, long, long); err != nil {
		t.Fatal(err)
	}
	x := open(t, root, Options{Worker: []string{os.Args[0], "fragile"}})
	there(t, x, "Alpha", true)
	x.Close()
	if commits, err := (history{root: root}).Commits(t.Context(), 10); err != nil || len(commits) != 1 {
		t.Errorf("%v %v", commits, err)
	}
	if info, err := os.Stat(here); err != nil || !info.ModTime().Equal(long) {
		t.Errorf("something was written: %v, %v", contents(t, here), err)
	}
}

// An unsaved text that is new is a key that the user pressed; the same text once more is none.
func TestOverlaysAreKeys(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n"})
	x := open(t, root, Options{})
	if load := x.Load(); load != (Load{Most: 1}) {
		t.Errorf("after the first refresh: %+v", load)
	}
	for _, c := range []struct {
		overlay string
		most    int
	}{{"package one\n", 0}, {"package one\n", 1}, {"package two\n", 0}} {
		text(t, x, repomap.Request{Overlays: map[string]string{"a.go": c.overlay}})
		if load := x.Load(); load != (Load{Most: c.most}) {
			t.Errorf("%q: %+v", c.overlay, load)
		}
		write(t, root, map[string]string{"b.go": strings.Repeat("package a\n", 2+c.most+len(c.overlay)) + c.overlay})
		x.Changed("b.go")
		wait(t, x)
	}
	x.Edited()
	if load := x.Load(); load != (Load{}) {
		t.Errorf("after a key: %+v", load)
	}
	if text(t, x, repomap.Request{}); len(x.overlays) != 0 {
		t.Errorf("all documents are closed, and %v are kept", x.overlays)
	}
}

func TestStoreIsReplacedWhole(t *testing.T) {
	s := newStore(t.TempDir(), "/some/root", ".map")
	if data, err := s.Load(); data != nil || err != nil {
		t.Errorf("nothing was saved: %v %v", data, err)
	}
	for _, want := range []string{"one", "two"} {
		if err := s.Save(func(w io.Writer) error { _, err := io.WriteString(w, want); return err }); err != nil {
			t.Fatal(err)
		}
		if data, err := s.Load(); string(data) != want || err != nil {
			t.Errorf("%q %v", data, err)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(s.file)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestHistoryIsReadOnce(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	write(t, root, map[string]string{"a.go": "package a\n\nfunc A() {\n}\n", "b.go": "package a\n"})
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "first")
	h := history{root: root, kept: newStore(t.TempDir(), root, ".log")}
	want, err := h.Commits(t.Context(), 10)
	if err != nil || len(want) != 1 || len(want[0].Paths) != 2 {
		t.Fatalf("%v %v", want, err)
	}
	forged := log{Version: logVersion, Limit: 10, Commits: []repomap.Commit{{Paths: []string{"kept"}}}}
	if forged.Key, err = h.Key(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.kept.Save(func(w io.Writer) error { return gob.NewEncoder(w).Encode(forged) }); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Commits(t.Context(), 10); err != nil || got[0].Paths[0] != "kept" {
		t.Errorf("it was read again: %v %v", got, err)
	}
	write(t, root, map[string]string{"a.go": "package a\n"})
	git(t, root, "commit", "-q", "-a", "-m", "second")
	if got, err := h.Commits(t.Context(), 10); err != nil || len(got) != 2 {
		t.Errorf("after a commit: %v %v", got, err)
	}
	if err := h.kept.Save(func(w io.Writer) error { _, err := io.WriteString(w, "nonsense"); return err }); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Commits(t.Context(), 10); err != nil || len(got) != 2 {
		t.Errorf("after nonsense: %v %v", got, err)
	}
}
