package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

func TestSync(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\nthree")
	change := func(version int, changes string) {
		r.note("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}`, r.uri("a.txt"), version, changes))
	}
	text := func() string {
		t.Helper()
		r.command("status", "") // everything sent before has been handled
		doc, ok := r.s.docs.Get(r.uri("a.txt"))
		if !ok {
			t.Fatal("not open")
		}
		in, err := doc.Root.Workspace.Snapshot().Read("a.txt")
		if err != nil || in != doc.Text {
			t.Fatalf("the workspace has %q, %v; the document %q", in, err, doc.Text)
		}
		return fmt.Sprintf("%d %q", doc.Version, doc.Text)
	}
	want := func(w string) {
		t.Helper()
		if got := text(); got != w {
			t.Errorf("got %s, want %s", got, w)
		}
	}
	// In the order of the array, each on the result of the one before.
	change(2, `[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"text":"2\n2b"},{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":0}},"rangeLength":99,"text":"x"}]`)
	want(`2 "one\n2\nx2b\nthree"`)
	// A version that goes backwards is dropped; one that jumps is not.
	change(1, `[{"text":"lost"}]`)
	want(`2 "one\n2\nx2b\nthree"`)
	// The end of a range may lie behind the end of the document.
	change(9, `[{"range":{"start":{"line":2,"character":0},"end":{"line":99,"character":0}},"text":""}]`)
	want(`9 "one\n2\n"`)
	// A null range is the whole text, not the first character.
	change(10, `[{"range":null,"text":"whole"}]`)
	want(`10 "whole"`)
	change(11, `[{"range":{"start":{"line":0.0,"character":2147483647},"end":{"line":0,"character":1e12}},"text":"!"}]`)
	want(`11 "whole!"`)
	// What cannot be read makes the text unknown until there is a whole one.
	change(12, `[{"range":{"start":"x"},"text":"?"}]`)
	change(13, `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"?"}]`)
	want(`11 "whole!"`)
	change(14, `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"?"},{"text":"again"}]`)
	want(`14 "again"`)
	// Another spelling of the URI is the same document, and the first spelling is the answer's.
	other := strings.Replace(r.uri("a.txt"), "a.txt", "%61.txt", 1)
	r.note("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":15},"contentChanges":[{"text":"spelled"}]}`, other))
	want(`15 "spelled"`)
	doc, _ := r.s.docs.Get(other)
	if got := r.s.docs.uriOf(doc.Root, "a.txt"); got != r.uri("a.txt") {
		t.Errorf("answers with %s", got)
	}
	// Closed, the disk is the truth again.
	r.note("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, r.uri("a.txt")))
	r.command("status", "")
	if in, err := doc.Root.Workspace.Snapshot().Read("a.txt"); err != nil || in != "one\ntwo\nthree" {
		t.Errorf("after the close %q, %v", in, err)
	}
	for _, bad := range []string{"version 1 came after 2", "opened again", "the document's text is unknown"} {
		mustHold(t, r.log.String(), bad)
	}
}

func TestOnlyLF(t *testing.T) {
	l := document.LinesOf("a\rb\r\nc", true)
	if l.Count() != 2 || l.Offset(l.Position(5, document.UTF16), document.UTF16) != 5 {
		t.Errorf("%v", l)
	}
	if got := l.Replace(1, 2, "\n").Count(); got != 3 {
		t.Errorf("%d lines", got)
	}
}

func TestFolders(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	other := t.TempDir()
	r.initialize(plainCaps, "null")
	r.open("a.txt", "a")
	uri := document.URIOfPath(other + "/b.txt")
	r.didOpen(uri, "b")
	r.command("status", "")
	if doc, _ := r.s.docs.Get(uri); doc.Root.Dir == r.root {
		t.Error("a file elsewhere belongs to the first folder")
	}
	raw, _ := json.Marshal(workspaceFolder{URI: document.URIOfPath(other), Name: "other"})
	r.note("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event":{"added":[%s],"removed":[]}}`, raw))
	r.command("status", "")
	doc, _ := r.s.docs.Get(uri)
	if doc.Root.Dir != other || doc.Path != "b.txt" {
		t.Errorf("root %s, path %q", doc.Root.Dir, doc.Path)
	}
	if in, err := doc.Root.Workspace.Snapshot().Read("b.txt"); err != nil || in != "b" {
		t.Errorf("the new root has %q, %v", in, err)
	}
	if a, _ := r.s.docs.Get(r.uri("a.txt")); a.Root == doc.Root {
		t.Error("two folders share a root")
	}
	r.note("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event":{"added":[],"removed":[%s]}}`, raw))
	r.command("status", "")
	if doc, _ := r.s.docs.Get(uri); doc.Text != "b" {
		t.Error("the document was lost with its folder")
	}
}

// A change that comes before its document is opened is applied when it is, and one of an earlier life
// of the document is not.
func TestChangeBeforeOpen(t *testing.T) {
	d := newBufferHarness(t, nil, func(_ *client.Capabilities, q *client.Quirks) { q.VersionsStep = true })
	now := time.Unix(0, 0)
	d.s.opts.Clock = func() time.Time { return now }
	uri := d.uri("n.py")
	change := func(version float64, text string) {
		t.Helper()
		raw, err := json.Marshal(atTheStart(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.s.didChange(t.Context(), &didChangeParams{Document: documentID{URI: uri, Version: &version}, Changes: raw}); err != nil {
			t.Error(err)
		}
	}
	open := func(want string) {
		t.Helper()
		var p didOpenParams
		p.Document.URI, p.Document.Text = uri, "\n"
		if err := d.s.didOpen(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
		doc, _ := d.s.docs.Get(uri)
		if text, err := d.root.Workspace.Snapshot().Read("n.py"); text != want || err != nil || doc.Uncertain() {
			t.Errorf("%q, %v, uncertain %v; want %q", text, err, doc.Uncertain(), want)
		}
		d.close("n.py")
	}
	change(2, "a")
	change(1, "b")
	open("ab\n")
	open("\n")
	change(7, "late")
	open("\n")
	change(1, "old")
	now = now.Add(time.Minute)
	open("\n")
}
