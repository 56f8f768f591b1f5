package repomap

import (
	"fmt"
	"slices"
	"testing"
)

// Names are looked up in what the index holds now, in a snapshot of the disk as well as in what came since.
func TestLookUp(t *testing.T) {
	m := newMemory(map[string]string{"a.go": "package a\n\nfunc Parse() {}\n\nfunc parseAll() {}\n", "b/b.go": "package b\n\nfunc Parse() {}\n\ntype Party struct{}\n"})
	open(t, m, 1)
	x := open(t, m, 1) // from the snapshot
	if _, err := x.Update(t.Context(), "c.go", "package c\n\nfunc ParseMore() { other() }\n"); err != nil {
		t.Fatal(err)
	}
	say := func(list []Definition) (said []string) {
		for _, d := range list {
			said = append(said, fmt.Sprintf("%s %s %s:%d", d.Kind, d.Name, d.Path, d.Line))
		}
		return said
	}
	for _, c := range []struct {
		got, want []string
	}{
		{say(x.Defined("Parse", 9)), []string{"function Parse a.go:2", "function Parse b/b.go:2"}},
		{say(x.Defined("Parse", 1)), []string{"function Parse a.go:2"}},
		{say(x.Defined("other", 9)), nil}, // used, not defined
		{say(x.Defined("nobody", 9)), nil},
		{say(x.Beginning("pars", 9)), []string{"function Parse a.go:2", "function parseAll a.go:4", "function ParseMore c.go:2"}},
		{say(x.Beginning("PAR", 2)), []string{"function Parse a.go:2", "function parseAll a.go:4"}},
		{say(x.Beginning("zzz", 9)), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	var paths []string
	x.EachPath(func(path string) bool { paths = append(paths, path); return len(paths) < 2 })
	if want := []string{"a.go", "b/b.go"}; !slices.Equal(paths, want) {
		t.Errorf("paths %q, want %q", paths, want)
	}
}

// Who has a name in its text is known of every file, code first, whatever it looks like.
func TestNaming(t *testing.T) {
	m := newMemory(map[string]string{
		"a.md": "Call Parse.\n", "b.go": "package b\n\nfunc Parse() {}\n\nfunc use() { Parse() }\n", "b_test.go": "package b\n\nvar _ = Parse\n",
		"c.go": "package c\n\nvar Parser = 1\n", "vendor/v.go": "package v\n\nfunc Parse() {}\n",
	})
	open(t, m, 1)
	x := open(t, m, 1) // from the snapshot
	if _, err := x.Update(t.Context(), "z.go", "package z\n\nfunc z() { Parse() }\n"); err != nil {
		t.Fatal(err)
	}
	list, complete := NamesOf(x).Naming("Parse")
	var got []string
	for _, n := range list {
		got = append(got, fmt.Sprintf("%s %d %v", n.Path, n.Times, n.Defined))
	}
	want := []string{"b.go 2 [2]", "z.go 1 []", "b_test.go 1 []", "a.md 1 []", "vendor/v.go 1 [2]"}
	if !slices.Equal(got, want) || !complete {
		t.Errorf("got %q %v, want %q", got, complete, want)
	}
	if list, complete := NamesOf(x).Naming("nobody"); len(list) > 0 || !complete {
		t.Errorf("%v %v", list, complete)
	}
	if _, complete := NamesOf(New(Options{Source: m})).Naming("Parse"); complete {
		t.Error("an index that has read nothing knows all files")
	}
}
