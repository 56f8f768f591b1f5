package repomap

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax"
)

// stopping is a counting Tagger that ends everything after so many files.
type stopping struct {
	counting
	left int
	stop func()
}

func (s *stopping) Tags(ctx context.Context, path string, src []byte) ([]Tag, error) {
	tags, err := s.counting.Tags(ctx, path, src)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left--; s.left == 0 {
		s.stop()
	}
	return tags, err
}

// goOn refreshes a new index over a store until it is stopped after so many files, and gives what it has tagged.
func goOn(t *testing.T, j *journaled, files int) (x *Index, tagged []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tagger := &stopping{left: files, stop: cancel}
	x = New(Options{Source: j, Tagger: tagger, Store: j, CoChange: j, Code: syntax.Code, Workers: 2, Note: func(s string) { t.Log(s) }})
	if err := x.Refresh(ctx); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return x, tagger.taken()
}

// sameSnapshot checks that what is stored is what an index that was never interrupted stores.
func sameSnapshot(t *testing.T, when string, j *journaled) {
	t.Helper()
	fresh := newMemory(j.files)
	fresh.version = j.version
	open(t, fresh, 2)
	if !bytes.Equal(fresh.stored, j.stored) {
		t.Errorf("%s: the snapshot differs from a new one's: %d and %d bytes", when, len(j.stored), len(fresh.stored))
	}
	if len(j.parts) != 0 {
		t.Errorf("%s: %d parts are left", when, len(j.parts))
	}
}

// However often a first index is interrupted, no file that was tagged and noted is tagged again.
func TestInterruptedAgainAndAgain(t *testing.T) {
	j := &journaled{memory: newMemory(project(200))}
	times := map[string]int{}
	runs := 0
	for j.stored == nil {
		if runs++; runs > 20 {
			t.Fatal("it does not come to an end")
		}
		_, tagged := goOn(t, j, 30)
		for _, p := range tagged {
			times[p]++
		}
	}
	if len(times) != len(j.files) {
		t.Errorf("%d of %d files were tagged", len(times), len(j.files))
	}
	again := 0
	for _, n := range times {
		again += n - 1
	}
	if most := 2 * runs; again > most { // a worker's file that is being tagged when it is stopped
		t.Errorf("%d files were tagged again in %d runs", again, runs)
	}
	sameSnapshot(t, "in the end", j)
}

// Wherever a part ends, exactly the files whose frames are whole are known, and nothing of the rest is.
func TestPartThatEndsAnywhere(t *testing.T) {
	whole := &journaled{memory: newMemory(project(20))}
	_, tagged := goOn(t, whole, -1)
	sameSnapshot(t, "whole", whole)
	whole.stored = nil
	broken := &unsaved{whole}
	x := New(Options{Source: whole, Tagger: syntax.Tagger{}, Store: broken, Code: syntax.Code, Workers: 1})
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(whole.parts) != 1 || len(whole.parts[0].ends) != len(tagged)+1 {
		t.Fatalf("%d parts", len(whole.parts))
	}
	all := whole.parts[0]
	for cut := 0; cut <= all.Len(); cut += max(1, all.Len()/30) {
		for _, damaged := range []bool{false, true} {
			p := &piece{full: new(bool)}
			p.Buffer.Write(all.Bytes()[:cut])
			n, _ := slices.BinarySearch(all.ends, cut+1)
			want := max(0, n-1) // frames that are whole
			if damaged && cut > 0 {
				p.Bytes()[cut-1] ^= 0x40
				n, _ = slices.BinarySearch(all.ends, cut)
				want = max(0, n-1)
			}
			j := &journaled{memory: newMemory(whole.files), parts: []*piece{p}}
			j.version = whole.version
			if _, got := goOn(t, j, -1); len(got) != len(tagged)-want {
				t.Fatalf("cut at %d, damaged %v: %d of %d files were tagged, %d were whole", cut, damaged, len(got), len(tagged), want)
			}
			if cut%7 == 0 {
				sameSnapshot(t, "cut", j)
			}
		}
	}
}

// unsaved is a store whose snapshots are not kept: its process ends before they are.
type unsaved struct{ *journaled }

func (unsaved) Save(write func(io.Writer) error) error {
	return errors.Join(write(io.Discard), errors.New("killed"))
}

// What the snapshot could not take is still in the journal, and the next index needs to tag nothing.
func TestKilledBeforeItIsSaved(t *testing.T) {
	j := &journaled{memory: newMemory(project(manyFiles + 20))}
	x := New(Options{Source: j, Tagger: syntax.Tagger{}, Store: &unsaved{j}, CoChange: j, Code: syntax.Code, Workers: 2})
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	next, tagged := goOn(t, j, -1)
	if len(tagged) > 0 {
		t.Errorf("%d files were tagged again", len(tagged))
	}
	sameSnapshot(t, "after it", j)
	plain := New(Options{Source: newMemory(j.files), Tagger: syntax.Tagger{}, Code: syntax.Code})
	if err := plain.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := Request{Budget: 600, Chat: []string{"pkg1/file1.go"}, Message: "visit"}
	if diff := cmp.Diff(mapOf(t, plain, r).Text, mapOf(t, next, r).Text); diff != "" {
		t.Error(diff)
	}
}

// What changed, came or went since it was noted is read as it is now; the rest is not read again.
func TestFilesThatChangeMeanwhile(t *testing.T) {
	j := &journaled{memory: newMemory(project(100))}
	goOn(t, j, 60)
	known := map[string]bool{}
	x := New(Options{})
	for _, p := range j.parts {
		if err := x.replay(bytes.NewReader(p.Bytes()), func(r *record) error { known[r.path] = true; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if len(known) < 55 {
		t.Fatalf("%d files are known", len(known))
	}
	paths := slices.Sorted(maps.Keys(known))
	j.write(paths[0], "package p\n\nfunc Changed() {}\n")
	j.remove(paths[1])
	j.write("new.go", "package p\n\nfunc New() {}\n")
	_, tagged := goOn(t, j, -1)
	var want []string
	for p := range j.files {
		if !known[p] || p == paths[0] {
			want = append(want, p)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, tagged); diff != "" {
		t.Error(diff)
	}
	sameSnapshot(t, "after it", j)
}

// Two indexes of one store that are stopped both leave what they have, and what one has saved the other need not.
func TestTwoIndexesAtOnce(t *testing.T) {
	j := &journaled{memory: newMemory(project(100))}
	goOn(t, j, 30)
	left := j.parts
	j.parts = nil
	goOn(t, j, 60) // which did not see the first one's
	j.parts = append(left, j.parts...)
	_, tagged := goOn(t, j, -1)
	if most := len(j.files) - 60 + 2; len(tagged) > most {
		t.Errorf("%d files were tagged, at most %d are not known", len(tagged), most)
	}
	sameSnapshot(t, "after both", j)

	other, _ := j.Append() // of one that still runs when this one has saved
	j.write("pkg1/file1.go", "package p\n")
	goOn(t, j, -1)
	if len(j.parts) != 1 {
		t.Errorf("%d parts, of which one is written to", len(j.parts))
	}
	_ = other.Close()
	goOn(t, j, -1)
	if len(j.parts) != 0 {
		t.Error("what the other one left stays for ever")
	}
}
