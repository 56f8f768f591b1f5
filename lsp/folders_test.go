package lsp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/lsptest"
)

// folders tells the server which folders came and which went.
func (d *bufferHarness) folders(added, removed []string) {
	d.t.Helper()
	d.reading.Lock()
	defer d.reading.Unlock()
	var p foldersParams
	for _, dir := range added {
		p.Event.Added = append(p.Event.Added, workspaceFolder{URI: document.URIOfPath(dir)})
	}
	for _, dir := range removed {
		p.Event.Removed = append(p.Event.Removed, workspaceFolder{URI: document.URIOfPath(dir) + "/"}) // as some clients spell them
	}
	if err := d.s.didChangeFolders(context.Background(), &p); err != nil {
		d.t.Fatal(err)
	}
}

// Wherever folders come and go, each open document belongs to the innermost folder around it, is known there with its
// unsaved text, and nowhere else. A folder that went is let go.
func TestDocumentsFollowTheFolders(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.txt": "a\n"}, nil)
	d.open("a.txt")
	mine, _ := d.s.docs.Get(d.uri("a.txt"))
	outer := t.TempDir()
	inner := filepath.Join(outer, "in")
	if err := os.MkdirAll(filepath.Join(inner, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(inner, "deep", "x.txt")
	if err := os.WriteFile(file, []byte("on disk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var p didOpenParams
	p.Document.URI, p.Document.Text, p.Document.Version = document.URIOfPath(file), "unsaved\n", 7
	if err := d.s.didOpen(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	own := filepath.Dir(file)
	seen := map[string]*folder.Folder{}
	for i, step := range []struct {
		added, removed []string
		want           string   // the folder of the document
		open           []string // the roots that are open
		folders        []string
	}{
		{nil, nil, own, []string{own}, nil},
		{[]string{outer}, nil, outer, []string{outer}, []string{outer}},
		{[]string{inner, outer}, nil, inner, []string{outer, inner}, []string{outer, inner}},
		{nil, []string{inner}, outer, []string{outer}, []string{outer}},
		{[]string{inner}, []string{inner}, inner, []string{outer, inner}, []string{outer, inner}},
		{[]string{inner}, []string{inner}, inner, []string{outer, inner}, []string{outer, inner}},
		{nil, []string{outer}, inner, []string{inner}, []string{inner}},
		{nil, []string{inner, outer}, own, []string{own}, nil},
	} {
		d.folders(step.added, step.removed)
		doc, open := d.s.docs.Get(document.URIOfPath(file))
		rel, err := filepath.Rel(step.want, file)
		if err != nil {
			t.Fatal(err)
		}
		if !open || doc.Root.Dir != step.want || doc.Path != filepath.ToSlash(rel) || doc.Document.Path != doc.Path || doc.Text != "unsaved\n" || doc.Version != 7 {
			t.Fatalf("step %d: %+v in %s, want it in %s", i, doc, doc.Root.Dir, step.want)
		}
		var dirs []string
		for _, r := range d.s.folders.Open() {
			if r == d.root {
				continue
			}
			dirs = append(dirs, r.Dir)
			in, err := filepath.Rel(r.Dir, file)
			if err != nil || !filepath.IsLocal(in) {
				continue
			}
			text, err := r.Workspace.Snapshot().Read(filepath.ToSlash(in))
			want := "on disk\n"
			if r == doc.Root {
				want = "unsaved\n"
			}
			if err != nil || text != want {
				t.Errorf("step %d: in %s it reads %q, %v, want %q", i, r.Dir, text, err, want)
			}
		}
		slices.Sort(dirs)
		slices.Sort(step.open)
		if !slices.Equal(dirs, step.open) {
			t.Errorf("step %d: open are %q, want %q", i, dirs, step.open)
		}
		if got := d.s.folders.List(); !slices.Equal(got[1:], step.folders) || got[0] != d.root.Dir {
			t.Errorf("step %d: the folders are %q, want %q", i, got, step.folders)
		}
		if i == 5 && doc.Root != seen[inner] {
			t.Error("a folder that went and came in one message was opened again")
		}
		if i == 4 && doc.Root == seen[inner] {
			t.Error("a folder that was let go is still in use")
		}
		seen[doc.Root.Dir] = doc.Root
		if now, _ := d.s.docs.Get(d.uri("a.txt")); now != mine {
			t.Errorf("step %d: a document elsewhere was touched: %+v", i, now)
		}
	}
	// The last edit and the last focus are where the user is, in whichever folder that is by now.
	d.folders([]string{outer}, nil)
	if r := d.s.folders.Default(); r.Dir != outer {
		t.Errorf("what names no file belongs to %s", r.Dir)
	}
	d.folders(nil, []string{outer, d.root.Dir})
	if got := d.s.folders.List(); len(got) != 0 {
		t.Errorf("folders left: %q", got)
	}
	if now, _ := d.s.docs.Get(d.uri("a.txt")); now.Root == d.root || now.Root.Dir != d.root.Dir {
		t.Errorf("the folder went, and its document belongs to %+v", now.Root)
	}
}

// A folder that goes takes its turns along, and those of no other folder.
func TestAFolderThatGoesStopsItsTurns(t *testing.T) {
	hold := func(n int) string {
		return fmt.Sprintf("-- %d.md --\nAn answer that stops half-way.\n-- %d.yaml --\nhold: true\n", n, n)
	}
	s, err := llmtest.Parse([]byte(hold(1) + hold(2)))
	if err != nil {
		t.Fatal(err)
	}
	r := newModelHarness(t, s, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "a\n")
	other := t.TempDir()
	uri := document.URIOfPath(filepath.Join(other, "b.txt"))
	r.note("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event":{"added":[{"uri":%q,"name":"b"}],"removed":[]}}`, document.URIOfPath(other)))
	r.didOpen(uri, "b\n")
	ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
	defer cancel()
	stays := r.start(fmt.Sprintf(`{"uri":%q,"instruction":"stay"}`, r.uri("a.txt")))
	r.start(fmt.Sprintf(`{"uri":%q,"instruction":"go"}`, uri))
	if err := r.model.WaitHeld(ctx, 2); err != nil {
		t.Fatal(err)
	}
	r.note("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event":{"added":[],"removed":[{"uri":%q,"name":"b"}]}}`, document.URIOfPath(other)))
	if err := r.model.WaitClosed(ctx, 1); err != nil {
		t.Fatal(err)
	}
	seen := r.untilEnd()
	mustHold(t, seen[len(seen)-1], "Stopped")
	mustHold(t, r.command("status", fmt.Sprintf(`{"uri":%q}`, r.uri("a.txt"))), `"busy":true`, stays)
	mustHold(t, r.command("status", fmt.Sprintf(`{"uri":%q}`, uri)), `"busy":false`)
	mustHold(t, r.command("cancel", ""), stays)
}
