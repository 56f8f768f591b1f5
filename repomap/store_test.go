package repomap

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax"
)

// ofSnapshot is how many strings of an index lie in a snapshot.
func ofSnapshot(x *Index) int {
	names, _ := x.symbols.Snapshot()
	return len(names.Base.Ends)
}

func TestSnapshotIsAFunctionOfTheTree(t *testing.T) {
	files := project(40)
	one, two := newMemory(files), newMemory(files)
	open(t, one, 1)
	x := open(t, two, 8)
	two.write("pkg1/file1.go", "package p1\n\nfunc Other() {}\n")
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	two.write("pkg1/file1.go", files["pkg1/file1.go"])
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	one.version["pkg1/file1.go"] = two.version["pkg1/file1.go"]
	fresh := newMemory(files)
	fresh.version = one.version
	open(t, fresh, 3)
	if !bytes.Equal(fresh.stored, two.stored) {
		t.Errorf("%d and %d bytes differ", len(fresh.stored), len(two.stored))
	}
}

func TestRestartReadsNothingAgain(t *testing.T) {
	m := newMemory(project(40))
	before := open(t, m, 2)
	r := Request{Budget: 500, Chat: []string{"pkg1/file1.go"}, Message: "visit"}
	want := mapOf(t, before, r)
	m.hold = make(chan struct{}) // a read would wait for ever
	after := open(t, m, 2)
	if diff := cmp.Diff(want.Text, mapOf(t, after, r).Text); diff != "" {
		t.Error(diff)
	}
	close(m.hold)
	m.hold = nil
	m.write("pkg1/new.go", "package p1\n\nfunc BrandNew() { run3(nil, 0) }\n")
	if err := after.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	fresh := open(t, newMemory(m.files), 2)
	r.Message = "brand new"
	if diff := cmp.Diff(mapOf(t, fresh, r).Text, mapOf(t, after, r).Text); diff != "" {
		t.Error(diff)
	}
}

// Whatever lies in the store, the index comes out as if it were empty.
func TestForeignSnapshots(t *testing.T) {
	good := newMemory(project(10))
	want := mapOf(t, open(t, good, 1), Request{Budget: 300}).Text
	damaged := bytes.Clone(good.stored)
	damaged[len(damaged)/2] ^= 1
	newer := bytes.Clone(good.stored)
	newer[len(magic)+4]++
	for name, data := range map[string][]byte{"empty": {}, "short": []byte("x"), "text": bytes.Repeat([]byte("hello "), 1000),
		"cut": good.stored[:len(good.stored)/2], "damaged": damaged, "newer": newer, "header": good.stored[:len(magic)+16]} {
		m := newMemory(project(10))
		m.stored = data
		if got := mapOf(t, open(t, m, 1), Request{Budget: 300}).Text; got != want {
			t.Errorf("%s:\n%s", name, cmp.Diff(want, got))
		}
	}
}

type fullDisk struct{ *memory }

func (fullDisk) Save(write func(io.Writer) error) error {
	return errors.Join(write(io.Discard), errors.New("no space left on device"))
}

func TestFullDiskIsNoted(t *testing.T) {
	m := newMemory(project(5))
	noted := ""
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, Store: fullDisk{m}, Note: func(s string) { noted = s }})
	if err := x.Refresh(t.Context()); err != nil || noted == "" {
		t.Errorf("%v, noted %q", err, noted)
	}
	if mapOf(t, x, Request{Budget: 100}).Text == "" {
		t.Error("no map")
	}
}

func FuzzDecode(f *testing.F) {
	m := newMemory(project(2))
	open(f, m, 1)
	f.Add(m.stored)
	f.Add(m.stored[:100])
	f.Fuzz(func(t *testing.T, data []byte) {
		x := New(Options{})
		_, _ = x.storage.decode(append(make([]byte, 0, len(data)+8), data...), nil) // must not panic
	})
}

// A large first index trades its records for the snapshot; nothing that a user sees may change.
func TestLargeIndexAdoptsItsSnapshot(t *testing.T) {
	files := project(manyFiles + 50)
	m := newMemory(files)
	x := open(t, m, 2)
	r := Request{Budget: 600, Chat: []string{"pkg1/file1.go"}, Message: "visit"}
	plain := New(Options{Source: newMemory(files), Tagger: syntax.Tagger{}, Code: syntax.Code})
	if err := plain.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ofSnapshot(x) == 0 || ofSnapshot(plain) != 0 {
		t.Error("the snapshot was not adopted")
	}
	for _, edit := range []string{"", "package p1\n\nfunc Edited() { run3(nil, 0) }\n"} {
		if edit != "" {
			for _, i := range []*Index{x, plain} {
				if _, err := i.Update(t.Context(), "pkg2/file2.go", edit); err != nil {
					t.Fatal(err)
				}
			}
		}
		if diff := cmp.Diff(mapOf(t, plain, r).Text, mapOf(t, x, r).Text); diff != "" {
			t.Error(diff)
		}
	}
}
