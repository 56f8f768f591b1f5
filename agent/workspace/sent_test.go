package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"coauthor/edits"
)

// What an editor was sent and has not told of counts until something is heard or seen of the file.
func TestSentCountsUntilTold(t *testing.T) {
	const before, after = "one\ntwo\n", "one\nthree\n"
	update := edits.Change{Path: "a", Op: edits.OpUpdate, Before: before, After: after}
	for _, test := range []struct {
		name string
		disk string // what the file reads; "" for none
		open string // what the document reads; "" for none
		then func(w *Workspace, disk func(string))
		want string // what is read then; "" for no file
		take *edits.Change
	}{
		{"open", before, before, nil, after, &update},
		{"open, without a file", "", "\n", nil, after, &edits.Change{Path: "a", Op: edits.OpCreate, After: after}},
		{"closed", before, "", nil, after, &update},
		{"closed, without a file", "", "", nil, after, &edits.Change{Path: "a", Op: edits.OpCreate, After: after}},
		{"closed, and made empty", "", "", func(_ *Workspace, disk func(string)) { disk("\n") }, after, &edits.Change{Path: "a", Op: edits.OpCreate, After: after}},
		{"told", before, before, func(w *Workspace, _ func(string)) { w.DidChange("a", "one\ntold\n", 2) }, "one\ntold\n", nil},
		{"told as it was before", before, before, func(w *Workspace, _ func(string)) { w.DidChange("a", before, 2) }, before, nil},
		{"opened", before, "", func(w *Workspace, _ func(string)) { w.DidOpen("a", before, 1) }, before, nil},
		{"closed again", before, before, func(w *Workspace, _ func(string)) { w.DidClose("a") }, before, nil},
		{"saved by the editor", before, "", func(_ *Workspace, disk func(string)) { disk(after) }, after, nil},
		{"changed on disk", before, "", func(_ *Workspace, disk func(string)) { disk("one\nother\n") }, "one\nother\n", nil},
		{"changed on disk, and back", before, "", func(w *Workspace, disk func(string)) {
			disk("one\nother\n")
			_, _ = w.Snapshot().Read("a") // what it reads is asked below
			disk(before)
		}, before, nil},
		{"made by somebody else", "", "", func(_ *Workspace, disk func(string)) { disk("other\n") }, "other\n", nil},
		{"changed on disk under a document", before, before, func(_ *Workspace, disk func(string)) { disk("one\nother\n") }, after, &update},
		{"sent once more", before, before, func(w *Workspace, _ func(string)) { mustSend(t, w, "one\nfour\n") }, "one\nfour\n",
			&edits.Change{Path: "a", Op: edits.OpUpdate, Before: before, After: "one\nfour\n"}},
		{"taken back", before, before, func(w *Workspace, _ func(string)) { mustSend(t, w, before) }, before, nil},
		{"a new document taken back", "", "\n", func(w *Workspace, _ func(string)) { mustSend(t, w, "") }, "\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			disk := func(text string) {
				if err := os.WriteFile(filepath.Join(root, "a"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if test.disk != "" {
				disk(test.disk)
			}
			w, err := Open(root, Options{Clock: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = w.Close() }()
			if test.open != "" {
				w.DidOpen("a", test.open, 1)
			}
			old := w.Snapshot()
			mustSend(t, w, after)
			if old.Generation() == w.Snapshot().Generation() {
				t.Error("the generation is the same")
			}
			if test.then != nil {
				test.then(w, disk)
			}
			snap := w.Snapshot()
			text, err := snap.Read("a")
			if exists := snap.Exists("a"); text != test.want || (err == nil) != (test.want != "") || exists != (test.want != "") {
				t.Errorf("reads %q (%v), exists %v, want %q", text, err, exists, test.want)
			}
			for _, doc := range snap.Open() {
				if doc.Text != test.want || doc.Size != int64(len(test.want)) {
					t.Errorf("open as %q, %d bytes", doc.Text, doc.Size)
				}
			}
			if vacant := snap.Vacant("a"); vacant != (test.disk == "" && test.open != "" && Blank(test.want)) {
				t.Errorf("vacant: %v", vacant)
			}
			if was, err := old.Text("a"); err == nil && was != nil && test.open != "" && *was != test.open {
				t.Errorf("the snapshot of before reads %q", *was)
			}
			change, ok := w.TakeSent("a")
			if ok != (test.take != nil) || ok && change != *test.take {
				t.Errorf("taken %v: %+v", ok, change)
			}
			if _, again := w.TakeSent("a"); again {
				t.Error("taken twice")
			}
		})
	}
}

func mustSend(t *testing.T, w *Workspace, text string) {
	t.Helper()
	if err := w.Sent("a", text); err != nil {
		t.Fatal(err)
	}
}

// Of a file that cannot be read nothing is known.
func TestSentToWhatCannotBeRead(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a"), []byte("\x00\xff\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Open(root, Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if err := w.Sent("a", "text\n"); err == nil {
		t.Error("no error")
	}
	if _, ok := w.TakeSent("a"); ok {
		t.Error("it is taken for known")
	}
}
