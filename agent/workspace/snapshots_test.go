package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
)

// seen is a snapshot with what it must read for ever.
type seen struct {
	step  int
	snap  *workspace.Snapshot
	texts map[string]string // by path; of what is open
	order []string          // of the open documents
}

// TestSnapshotsStay goes through random histories of an editor and looks at the end, and after the folder was
// given up, at every snapshot that was taken on the way.
func TestSnapshotsStay(t *testing.T) {
	const seed = 17
	for round := range 30 {
		rnd := rand.New(rand.NewPCG(seed, uint64(round)))
		now := time.Unix(0, 0)
		w := open(t, map[string]string{"a": "disk\n", "b": "disk\n"}, workspace.Options{Clock: func() time.Time { now = now.Add(time.Second); return now }})
		paths := []string{"a", "b", "sub/c", "d"}
		texts, versions, when := map[string]string{}, map[string]int32{}, map[string]int{}
		var all []seen
		for step := range 60 {
			path := paths[rnd.IntN(len(paths))]
			text := fmt.Sprintf("text %d\n", step)
			_, isOpen := texts[path]
			generation := w.Snapshot().Generation()
			moved := true
			switch rnd.IntN(5) {
			case 0:
				w.DidOpen("./"+path, text, int32(step))
				texts[path], versions[path], when[path] = text, int32(step), step
			case 1:
				w.DidChange(path, text, int32(step))
				if moved = isOpen; isOpen {
					texts[path], versions[path], when[path] = text, int32(step), step
				}
			case 2:
				w.DidChange(path, "stale\n", versions[path]-1) // dropped
				moved = false
			case 3:
				w.DidClose(path)
				delete(texts, path)
			case 4:
				w.DidSave(path)
			}
			s := seen{step, w.Snapshot(), maps.Clone(texts), slices.SortedFunc(maps.Keys(texts), func(a, b string) int { return when[b] - when[a] })}
			if moved != (s.snap.Generation() > generation) {
				t.Fatalf("seed %d, round %d, step %d: the generation went from %d to %d", seed, round, step, generation, s.snap.Generation())
			}
			all = append(all, s)
		}
		look := func(when string) {
			for _, s := range all {
				var order []string
				for _, doc := range s.snap.Open() {
					order = append(order, doc.Path)
					if doc.Text != s.texts[doc.Path] || !doc.Open || doc.Size != int64(len(doc.Text)) {
						t.Fatalf("seed %d, round %d, %s: step %d: %+v, want %q", seed, round, when, s.step, doc, s.texts[doc.Path])
					}
				}
				if !slices.Equal(order, s.order) {
					t.Fatalf("seed %d, round %d, %s: step %d: open are %v, want %v", seed, round, when, s.step, order, s.order)
				}
				for path, want := range s.texts {
					if got, err := s.snap.Read(path); err != nil || got != want || !s.snap.Exists(path) {
						t.Fatalf("seed %d, round %d, %s: step %d: %s reads %q, %v, want %q", seed, round, when, s.step, path, got, err, want)
					}
				}
			}
		}
		look("at the end")
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		look("after the folder was given up")
	}
}

// TestAReadFileStays: what a snapshot has read of the disk it reads for ever, also when the file is gone or
// the folder was given up; other snapshots see the disk.
func TestAReadFileStays(t *testing.T) {
	w := open(t, map[string]string{"a": "one\n", "late": "x\n"}, workspace.Options{})
	first := w.Snapshot()
	mustRead(t, first, "a", "one\n")
	if _, err := first.Read("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if err := os.Remove(filepath.Join(w.Root(), "a")); err != nil {
		t.Fatal(err)
	}
	put(t, w.Root(), "none", "now\n")
	second := w.Snapshot()
	if _, err := second.Read("a"); !errors.Is(err, fs.ErrNotExist) || second.Exists("a") {
		t.Errorf("a file that is gone: %v", err)
	}
	mustRead(t, second, "none", "now\n")
	if _, err := first.Read("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none turned up in an old snapshot: %v", err)
	}
	derived := first.With([]edits.Change{{Path: "new", Op: edits.OpCreate, After: "n\n"}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	mustRead(t, first, "a", "one\n")
	mustRead(t, derived, "a", "one\n")
	mustRead(t, derived, "new", "n\n")
	if text, err := first.Read("late"); err == nil {
		t.Errorf("a file was read of a folder that was given up: %q", text)
	}
	if w.Door().OnDisk("late") {
		t.Error("a folder that was given up is looked at")
	}
}

// TestWithKeepsWhatAFileIs: changed files keep encoding, version and place among the open ones.
func TestWithKeepsWhatAFileIs(t *testing.T) {
	w := open(t, map[string]string{"latin": "caf\xe9", "gone": "x"}, workspace.Options{Encoding: "windows-1252"})
	w.DidOpen("o1", "one\n", 7)
	w.DidOpen("o2", "two\n", 8)
	base := w.Snapshot()
	next := base.With([]edits.Change{
		{Path: "latin", Op: edits.OpRename, To: "moved", Before: "café", After: "cafés"},
		{Path: "o1", Op: edits.OpUpdate, Before: "one\n", After: "uno\n"},
		{Path: "o2", Op: edits.OpDelete, Before: "two\n"},
		{Path: "gone", Op: edits.OpDelete, Before: "x"},
	})
	doc, err := next.Document("moved")
	if err != nil || doc.Path != "moved" || doc.Encoding != "windows-1252" || doc.Text != "cafés" || doc.Size != int64(len("cafés")) {
		t.Errorf("%+v, %v", doc, err)
	}
	open := next.Open()
	if len(open) != 1 || open[0].Path != "o1" || open[0].Version != 7 || open[0].Text != "uno\n" || !open[0].Open {
		t.Errorf("open are %+v", open)
	}
	if len(base.Open()) != 2 {
		t.Errorf("the base has %d documents", len(base.Open()))
	}
	for path, want := range map[string]bool{"latin": false, "moved": true, "o1": true, "o2": false, "gone": false, "../x": false} {
		if next.Exists(path) != want {
			t.Errorf("%s exists: %v", path, !want)
		}
	}
	for _, path := range []string{"latin", "o2", "gone"} {
		if _, err := next.Read(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	changes := next.Changes()
	changes[0].After = "overwritten"
	if next.Changes()[0].After == "overwritten" {
		t.Error("the changes can be changed from outside")
	}
	if a, b := mustDoc(t, base, "o1").Hash(), mustDoc(t, next, "o1").Hash(); a == b || len(a) != 64 {
		t.Errorf("hashes %s and %s", a, b)
	}
}

func mustDoc(t *testing.T, s *workspace.Snapshot, path string) *workspace.Document {
	t.Helper()
	doc, err := s.Document(path)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestNextFollowsTheVersions is the whole rule of what becomes of a change.
func TestNextFollowsTheVersions(t *testing.T) {
	type state struct {
		Text    string
		Version int32
		Lost    bool
	}
	for _, c := range []struct {
		lost    bool
		version int32
		whole   bool
		want    state
		bad     bool
	}{
		{false, 6, false, state{"new", 6, false}, false},
		{false, 6, true, state{"new", 6, false}, false},
		{false, 5, false, state{"new", 5, false}, false},
		{false, 9, true, state{"new", 9, false}, false},
		{false, 4, true, state{"old", 5, false}, true},
		{false, 4, false, state{"old", 5, true}, true},
		{true, 6, false, state{"old", 5, true}, true},
		{true, 6, true, state{"new", 6, false}, false},
		{true, 4, true, state{"old", 5, true}, true},
		{true, 4, false, state{"old", 5, true}, true},
	} {
		then, now := time.Unix(1, 0), time.Unix(2, 0)
		doc := workspace.NewDocument("a", "old", 5, then)
		if c.lost {
			doc = doc.AsLost()
		}
		asked := false
		next, err := doc.Next(c.version, c.whole, now, func() string { asked = true; return "new" })
		got := state{next.Text, next.Version, next.Lost}
		if diff := cmp.Diff(c.want, got); diff != "" || (err != nil) != c.bad || asked == c.bad {
			t.Errorf("%+v: %s, %v, asked for the text: %v", c, diff, err, asked)
		}
		if changed := next.Changed.Equal(now); changed == c.bad || next.Size != int64(len(next.Text)) || !next.Open {
			t.Errorf("%+v: %+v", c, next)
		}
		if doc.Text != "old" || doc.Version != 5 || doc.Lost != c.lost {
			t.Errorf("%+v: the old document is now %+v", c, doc)
		}
	}
}

// TestTextOfAFileOrNone: a file that is not there is no error, an empty one is there, and one that cannot be
// read is an error.
func TestTextOfAFileOrNone(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"empty": "", "gone": "x\n", "binary": "a\x00b"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s := ws.Snapshot().With([]edits.Change{{Path: "gone", Op: edits.OpDelete, Before: "x\n"}, {Path: "new", Op: edits.OpCreate, After: "n\n"}})
	if text, err := s.Text("empty"); err != nil || text == nil || *text != "" {
		t.Errorf("an empty file: %v, %v", text, err)
	}
	if text, err := s.Text("new"); err != nil || text == nil || *text != "n\n" {
		t.Errorf("a new file: %v, %v", text, err)
	}
	for _, name := range []string{"gone", "never", "none/never"} {
		if text, err := s.Text(name); err != nil || text != nil {
			t.Errorf("%s: %v, %v", name, text, err)
		}
	}
	for _, name := range []string{"binary", "../outside"} {
		if text, err := s.Text(name); err == nil || text != nil {
			t.Errorf("%s: %v, %v", name, text, err)
		}
	}
}
