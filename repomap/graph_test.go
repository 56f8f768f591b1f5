package repomap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A graph that was carried over edits is equal, bit for bit, to one that is made of the result.
func TestCarriedGraphEqualsFresh(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 6 {
		m := newMemory(project(40))
		x := open(t, m, 1)
		x.current().linked().makeNorms()
		carried, norms := 0, 0
		for range 40 {
			change(t, random, x)
			before := x.keeper.last
			s := x.current()
			got, want := s.linked(), newGraph(s)
			if before.carry(s) != nil {
				carried++
			}
			if got.norms.get() != nil {
				norms++
			}
			same(t, s, got, want)
		}
		if carried < 30 || norms < 10 {
			t.Errorf("of 40 graphs only %d were carried over, %d of them with what their files tell", carried, norms)
		}
	}
}

// change lays a text over a file, which may be new, or takes one away. The words of the texts link
// and cease to link files.
func change(t *testing.T, random *rand.Rand, x *Index) {
	t.Helper()
	p := fmt.Sprintf("pkg%d/file%d.go", random.IntN(3), random.IntN(12))
	if random.IntN(4) == 0 {
		x.Forget(p)
		return
	}
	text := "package p\n"
	for range random.IntN(5) {
		text += fmt.Sprintf("\nfunc Late%d() { Late%d(); Node%d(nil) }\n", random.IntN(9), random.IntN(9), random.IntN(40))
	}
	if _, err := x.Update(t.Context(), p, text); err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, s *state, got, want *graph) {
	t.Helper()
	for n := range uint32(s.names.Len()) {
		if got.df.At(n) != want.df.At(n) || got.ndef.At(n) != want.ndef.At(n) {
			t.Fatalf("%q: %d files and %d definers, not %d and %d", s.names.String(n), got.df.At(n), got.ndef.At(n), want.df.At(n), want.ndef.At(n))
		}
	}
	if !slices.Equal(got.out, want.out) || !slices.Equal(got.self, want.self) {
		t.Fatal("the edges of files weigh something else")
	}
	if want.makeNorms(); got.norms.get() == nil {
		got.makeNorms()
	}
	if !slices.Equal(got.norms.get(), want.norms.get()) {
		t.Fatal("files tell something else")
	}
	restart := make([]float64, len(s.files))
	for i := range restart {
		restart[i] = float64(i+1) / float64(len(restart)*(len(restart)+1)/2)
	}
	dirty := &scratch{forward: rubbish(), backward: rubbish()}
	for p := range dirty.parts {
		dirty.parts[p].forward, dirty.parts[p].backward = rubbish(), rubbish()
	}
	if !slices.Equal(got.rank(restart, dirty), want.rank(restart, &scratch{})) {
		t.Fatal("the ranks differ")
	}
	counts, fresh := got.stemCounts(s), want.stemCounts(s)
	if counts.total != fresh.total {
		t.Fatalf("%d words in use, not %d", counts.total, fresh.total)
	}
	for n := range fresh.words {
		if n < len(counts.words) && counts.words[n] != fresh.words[n] || n >= len(counts.words) && fresh.words[n] != 0 {
			t.Fatalf("%q is in another number of words", s.stems.String(uint32(n)))
		}
	}
}

// rubbish is what another map left in memory.
func rubbish() []float32 {
	list := make([]float32, 1<<16)
	for i := range list {
		list[i] = 7
	}
	return list
}
