package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// A folder that was opened for a document elsewhere is let go with the last document in it, and opened
// again with the next.
func TestForeignFoldersCloseWithTheirLastDocument(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.txt": "a\n"}, nil)
	open := func(uri string) {
		t.Helper()
		var p didOpenParams
		p.Document.URI, p.Document.Text, p.Document.Version = uri, "x\n", 1
		if err := d.s.didOpen(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
	}
	shut := func(uri string) {
		t.Helper()
		var p documentParams
		p.Document.URI = uri
		if err := d.s.didClose(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
	}
	inside := d.uri("a.txt")
	open(inside)
	for range 40 {
		dir := t.TempDir()
		one, two := document.URIOfPath(filepath.Join(dir, "one.txt")), document.URIOfPath(filepath.Join(dir, "two.txt"))
		for range 2 {
			open(one)
			open(two)
			shut(one)
			if n := len(d.s.folders.Open()); n != 2 {
				t.Fatalf("%d roots are open beside a document in one of them", n)
			}
			shut(two)
			if n := len(d.s.folders.Open()); n != 1 {
				t.Fatalf("%d roots are open, want the folder alone", n)
			}
		}
	}
	shut(inside)
	if n := len(d.s.folders.Open()); n != 1 {
		t.Errorf("the folder itself was let go: %d roots", n)
	}
	deadline := time.Now().Add(lsptest.Hung)
	for left := 1; left > 0; {
		left = 0
		names, _ := os.ReadDir("/proc/self/fd") // elsewhere there is none, and nothing to count
		for _, f := range names {
			to, err := os.Readlink("/proc/self/fd/" + f.Name())
			if err == nil && strings.Contains(to, t.Name()) && !strings.HasPrefix(to, d.root.Dir) {
				left++
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d descriptors stay open", left)
		}
	}
}
