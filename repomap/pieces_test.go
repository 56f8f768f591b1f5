package repomap

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Strings keep their numbers, letters and stems however many come after them, and a view keeps those it was made with.
func TestSymbolsInPieces(t *testing.T) {
	s := newSymbols()
	word := func(n int) string { return fmt.Sprintf("word%dTail%d", n, n%7) }
	const most = 2*pieceSize + 100
	var views []symbolView
	for n := range most {
		if got := s.addAll([]string{word(n), word(n / 2)}, nil); got[0] != uint32(n) || got[1] != uint32(n/2) {
			t.Fatalf("%s and %s got the numbers %d", word(n), word(n/2), got)
		}
		if n%pieceSize < 2 || n%pieceSize > pieceSize-3 {
			v, _ := s.snapshot()
			views = append(views, v)
		}
	}
	names, all := s.snapshot()
	for _, v := range views {
		last := v.len() - 1
		for _, n := range []int{0, last / 2, min(last, pieceSize-1), min(last, pieceSize), last} {
			var got, want []string
			for _, stem := range v.stemsOf(uint32(n)) {
				got = append(got, all.string(stem))
			}
			stems(word(n), func(stem string) { want = append(want, stem) })
			if text := v.string(uint32(n)); text != word(n) || len(want) < 2 || !slices.Equal(got, want) {
				t.Fatalf("of %d strings number %d is %q with the stems %q, not %q with %q", v.len(), n, text, got, word(n), want)
			}
			if got, ok := v.find(word(n)); !ok || got != uint32(n) {
				t.Fatalf("of %d strings %s is found at %d", v.len(), word(n), got)
			}
		}
		if _, ok := v.find(word(last + 1)); ok {
			t.Errorf("a view of %d strings has one that came later", v.len())
		}
	}
	met := 0
	names.added.each(func(list *symbolList, first int) {
		if first != met {
			t.Errorf("a piece begins with number %d, not %d", first, met)
		}
		met += len(list.ends)
	})
	if met != most {
		t.Errorf("the pieces have %d strings of %d", met, most)
	}
}

func TestOrderByUse(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 1000} {
		df, list := make([]uint32, n), make([]uint32, n)
		for i := range list {
			df[i], list[i] = uint32(random.IntN(n/3+1)), uint32(i)
		}
		random.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(df[b], df[a]) })
		if got := byUse(list, df); !slices.Equal(got, want) {
			t.Errorf("%d in the order %d, not %d", n, got, want)
		}
	}
}

// What reading leaves behind is collected now and then, not with each file.
func TestGarbageOfReading(t *testing.T) {
	in := intake{x: New(Options{Source: newMemory(nil)})}
	collected := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumForcedGC
	}
	before := collected()
	for range 3*garbageAt/(1<<20) + 3 {
		in.leave(1 << 20)
	}
	if n := collected() - before; n != 3 {
		t.Errorf("%d collections", n)
	}
}
