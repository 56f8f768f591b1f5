package index

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// Files that are asked about together come back as they do one by one, and one that ends its worker takes no other
// with it, wherever it stands among them.
func TestFilesTogether(t *testing.T) {
	texts := []repomap.Text{{Path: "a.go", Src: good}, {Path: "data.bin", Src: []byte("no language")}, {Path: "b.py", Src: []byte("class B:\n    pass\n")},
		{Path: "large.c", Src: bytes.Repeat([]byte("int x;\n"), syntax.MaxSize/7+1)}, {Path: "c.js", Src: []byte(strings.Repeat("function c() {}\n", 9000))},
		{Path: "d.go", Src: []byte("package d\n\nfunc D() {}\n")}, {Path: "last.rs", Src: []byte("fn last() {}\n")}}
	p := workers(t, "fragile", "")
	want := make([]repomap.Tagged, len(texts))
	for i, f := range texts {
		want[i].Tags, want[i].Err = p.Tags(t.Context(), f.Path, f.Src)
	}
	if diff := cmp.Diff(want, p.TagAll(t.Context(), texts)); diff != "" {
		t.Error(diff)
	}
	for at := range texts {
		list := t.TempDir() + "/list"
		p := newPool([]string{os.Args[0], "fragile", list}, "")
		defer p.close()
		some := append([]repomap.Text{}, texts...)
		some[at] = repomap.Text{Path: "bad.go", Src: []byte("package bad // segfault")}
		got := p.TagAll(t.Context(), some)
		if !errors.Is(got[at].Err, errCrashed) || got[at].Tags != nil {
			t.Errorf("place %d: %v", at, got[at])
		}
		got[at] = want[at]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("place %d: %s", at, diff)
		}
		if noted, err := os.ReadFile(list); err != nil || strings.Count(string(noted), "segfault") != 1+tries {
			t.Errorf("place %d: %q, %v", at, noted, err)
		}
		if all, free := p.counts(); all != free || all > 1 {
			t.Errorf("place %d: %d workers, %d free", at, all, free)
		}
	}
}
