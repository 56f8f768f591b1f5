package lsp

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/lsptest"
)

// foreign opens a file that lies in no folder of the editor.
func (d *bufferHarness) foreign() *folder.Document {
	d.t.Helper()
	file := filepath.Join(d.t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte("x\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	var p didOpenParams
	p.Document.URI, p.Document.Text, p.Document.Version = document.URIOfPath(file), "x\n", 1
	if err := d.s.didOpen(d.t.Context(), &p); err != nil {
		d.t.Fatal(err)
	}
	doc, open := d.s.docs.Get(document.URIOfPath(file))
	if !open || doc.Root == d.root {
		d.t.Fatalf("%+v", doc)
	}
	return doc
}

func (d *bufferHarness) shut(doc *folder.Document) {
	d.t.Helper()
	var p documentParams
	p.Document.URI = doc.URI
	if err := d.s.didClose(d.t.Context(), &p); err != nil {
		d.t.Fatal(err)
	}
}

// open says how many roots and sessions there are beside the harness's own.
func (d *bufferHarness) besides() (roots, sessions int) {
	return len(d.s.folders.Open()) - 1, len(d.s.folders.Engine.Sessions()) - 1
}

func (d *bufferHarness) alone(what string) {
	d.t.Helper()
	for end := time.Now().Add(lsptest.Hung); ; time.Sleep(time.Millisecond) {
		roots, sessions := d.besides()
		if roots == 0 && sessions == 0 {
			return
		}
		if time.Now().After(end) {
			d.t.Fatalf("%s: %d roots and %d sessions stay", what, roots, sessions)
		}
	}
}

// The root that stands for the folder of a foreign file is closed with its last document, or when nothing of it waits
// for the user any more, whichever comes later.
func TestAForeignFileLeavesNothingBehind(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.txt": "a\n"}, nil)
	d.open("a.txt")
	for range 6 {
		doc := d.foreign()
		if roots, sessions := d.besides(); roots != 1 || sessions != 1 {
			t.Fatalf("%d roots, %d sessions", roots, sessions)
		}
		d.shut(doc)
		d.alone("it was only looked at")
	}
	doc := d.foreign()
	store := doc.Root.Session.Proposals
	p, err := store.Add("t1", "change it", []edits.Change{{Path: "x.txt", Op: edits.OpUpdate, Before: "x\n", After: "y\n"}}, nil, proposal.Checked{})
	if err != nil {
		t.Fatal(err)
	}
	d.shut(doc)
	if roots, sessions := d.besides(); roots != 1 || sessions != 1 {
		t.Fatalf("a change waits for the user: %d roots, %d sessions", roots, sessions)
	}
	if _, err := store.Discard(proposal.Selector{Proposal: p.ID, Revision: 1}); err != nil {
		t.Fatal(err)
	}
	d.alone("the change was discarded")
}

// A folder that is removed and added again has one session, not one for each time.
func TestAFolderThatComesAgainHasOneSession(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.txt": "a\n"}, nil)
	d.open("a.txt")
	dir := t.TempDir()
	for range 6 {
		d.folders([]string{dir}, nil)
		first := d.s.folders.At(dir)
		d.folders(nil, []string{dir})
		d.folders([]string{dir}, nil)
		if again := d.s.folders.At(dir); again == first || again.Session == first.Session || again.Workspace == first.Workspace {
			t.Error("the folder that left is still in use")
		}
		if _, sessions := d.besides(); sessions != 1 {
			t.Errorf("%d sessions of one folder", sessions)
		}
		d.folders(nil, []string{dir})
		d.alone("the folder was removed")
	}
}
