package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// naiveApply is what a change means, by the letter of the protocol: walk to the line, then to the
// character, one code unit after the other.
func naiveApply(text string, c contentChange, e encoding) string {
	if c.Range == nil {
		return c.Text
	}
	at := func(p wirePosition) int {
		off := 0
		for line := uint32(0); line < uint32(p.Line); line++ {
			i := strings.IndexAny(text[off:], "\r\n")
			if i < 0 {
				return len(text)
			}
			off += i + 1
			if text[off-1] == '\r' && strings.HasPrefix(text[off:], "\n") {
				off++
			}
		}
		units := int64(p.Character)
		for _, r := range text[off:] {
			size := int64(len(string(r)))
			switch e {
			case utf16Units:
				size = int64(len(utf16.Encode([]rune{r})))
			case utf32Units:
				size = 1
			case utf8Units:
			}
			if r == '\r' || r == '\n' || units < size {
				break
			}
			units -= size
			off += len(string(r))
		}
		return off
	}
	start, end := at(c.Range.Start), at(c.Range.End)
	if end < start {
		start, end = end, start
	}
	return text[:start] + c.Text + text[end:]
}

// FuzzChanges checks incremental changes against the naive model, in all encodings.
func FuzzChanges(f *testing.F) {
	f.Add("one\ntwo\r\nthr\U0001F600e\r", uint32(1), uint32(1), uint32(2), uint32(4), "x\ny", uint32(0), uint32(3), uint32(0), uint32(9), "\r")
	f.Add("", uint32(0), uint32(0), uint32(9), uint32(9), "\U0001F600", uint32(0), uint32(1), uint32(0), uint32(1), "\n")
	f.Fuzz(func(t *testing.T, text string, l1, c1, l2, c2 uint32, t1 string, l3, c3, l4, c4 uint32, t2 string) {
		text, t1, t2 = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(t1, "?"), strings.ToValidUTF8(t2, "?")
		pos := func(l, c uint32) wirePosition { return wirePosition{Line: unit(l % 64), Character: unit(c)} }
		changes := []contentChange{
			{Range: &wireRange{Start: pos(l1, c1), End: pos(l2, c2)}, Text: t1},
			{Range: &wireRange{Start: pos(l3, c3), End: pos(l4, c4)}, Text: t2},
		}
		for _, e := range encodings {
			doc := opened(text, 1)
			next, err := doc.changed(2, changes, time.Time{}, e)
			if err != nil {
				t.Fatal(err)
			}
			want := naiveApply(naiveApply(text, changes[0], e), changes[1], e)
			if next.Text != want {
				t.Fatalf("%s: %q became %q, want %q", e, text, next.Text, want)
			}
			if doc.Text != text || doc.Version != 1 {
				t.Fatal("the old document was changed")
			}
		}
	})
}

func TestSync(t *testing.T) {
	r := newRig(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\nthree")
	change := func(version int, changes string) {
		r.note("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}`, r.uri("a.txt"), version, changes))
	}
	text := func() string {
		t.Helper()
		r.command("status", "") // everything sent before has been handled
		doc, ok := r.s.docs.get(r.uri("a.txt"))
		if !ok {
			t.Fatal("not open")
		}
		in, err := doc.root.ws.Snapshot().Read("a.txt")
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
	doc, _ := r.s.docs.get(other)
	if got := r.s.uriOf(doc.root, "a.txt"); got != r.uri("a.txt") {
		t.Errorf("answers with %s", got)
	}
	// Closed, the disk is the truth again.
	r.note("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, r.uri("a.txt")))
	r.command("status", "")
	if in, err := doc.root.ws.Snapshot().Read("a.txt"); err != nil || in != "one\ntwo\nthree" {
		t.Errorf("after the close %q, %v", in, err)
	}
	for _, bad := range []string{"version 1 came after 2", "opened again", "has no base"} {
		mustHold(t, r.log.String(), bad)
	}
}

func TestOnlyLF(t *testing.T) {
	l := linesOf("a\rb\r\nc", true)
	if l.count() != 2 || l.offset(l.position(5, utf16Units), utf16Units) != 5 {
		t.Errorf("%v", l)
	}
	if got := l.replace(1, 2, "\n").count(); got != 3 {
		t.Errorf("%d lines", got)
	}
}

func TestFolders(t *testing.T) {
	r := newRig(t, nil, nil)
	other := t.TempDir()
	r.initialize(plainCaps, "null")
	r.open("a.txt", "a")
	uri := uriOfPath(other + "/b.txt")
	r.didOpen(uri, "b")
	r.command("status", "")
	if doc, _ := r.s.docs.get(uri); doc.root.dir == r.root {
		t.Error("a file elsewhere belongs to the first folder")
	}
	raw, _ := json.Marshal(folder{URI: uriOfPath(other), Name: "other"})
	r.note("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event":{"added":[%s],"removed":[]}}`, raw))
	r.command("status", "")
	doc, _ := r.s.docs.get(uri)
	if doc.root.dir != other || doc.path != "b.txt" {
		t.Errorf("root %s, path %q", doc.root.dir, doc.path)
	}
	if in, err := doc.root.ws.Snapshot().Read("b.txt"); err != nil || in != "b" {
		t.Errorf("the new root has %q, %v", in, err)
	}
	if a, _ := r.s.docs.get(r.uri("a.txt")); a.root == doc.root {
		t.Error("two folders share a root")
	}
	r.note("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event":{"added":[],"removed":[%s]}}`, raw))
	r.command("status", "")
	if doc, _ := r.s.docs.get(uri); doc.Text != "b" {
		t.Error("the document was lost with its folder")
	}
}
