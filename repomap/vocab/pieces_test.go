package vocab

import (
	"fmt"
	"slices"
	"testing"
)

// Strings keep their numbers, letters and stems however many come after them, and a view keeps those it was made with.
func TestSymbolsInPieces(t *testing.T) {
	s := New()
	word := func(n int) string { return fmt.Sprintf("word%dTail%d", n, n%7) }
	const most = 2*pieceSize + 100
	var views []View
	for n := range most {
		if got := s.AddAll([]string{word(n), word(n / 2)}, nil); got[0] != uint32(n) || got[1] != uint32(n/2) {
			t.Fatalf("%s and %s got the numbers %d", word(n), word(n/2), got)
		}
		if n%pieceSize < 2 || n%pieceSize > pieceSize-3 {
			v, _ := s.Snapshot()
			views = append(views, v)
		}
	}
	names, all := s.Snapshot()
	for _, v := range views {
		last := v.Len() - 1
		for _, n := range []int{0, last / 2, min(last, pieceSize-1), min(last, pieceSize), last} {
			var got, want []string
			for _, stem := range v.StemsOf(uint32(n)) {
				got = append(got, all.String(stem))
			}
			Stems(word(n), func(stem string) { want = append(want, stem) })
			if text := v.String(uint32(n)); text != word(n) || len(want) < 2 || !slices.Equal(got, want) {
				t.Fatalf("of %d strings number %d is %q with the stems %q, not %q with %q", v.Len(), n, text, got, word(n), want)
			}
			if got, ok := v.Find(word(n)); !ok || got != uint32(n) {
				t.Fatalf("of %d strings %s is found at %d", v.Len(), word(n), got)
			}
		}
		if _, ok := v.Find(word(last + 1)); ok {
			t.Errorf("a view of %d strings has one that came later", v.Len())
		}
	}
	met := 0
	names.Added.Each(func(list *List, first int) {
		if first != met {
			t.Errorf("a piece begins with number %d, not %d", first, met)
		}
		met += len(list.Ends)
	})
	if met != most {
		t.Errorf("the pieces have %d strings of %d", met, most)
	}
}
