package vocab

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A table finds each string by itself, also where many have the same place in it, and nothing else.
func TestHashTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 700, 767, 768, 5000} {
		var list List
		have := map[string]uint32{}
		for len(have) < n {
			text := fmt.Sprintf("word%x", r.Uint32N(1<<20))
			if _, ok := have[text]; ok {
				continue
			}
			have[text] = uint32(len(list.Ends))
			list.Blob = append(list.Blob, text...)
			list.Ends = append(list.Ends, uint32(len(list.Blob)))
		}
		table := HashTable(n, list.bytes)
		for text, at := range have {
			if got := probe(table, &list, text, Hash(text)); got != at+1 {
				t.Fatalf("%d strings: %s is found at %d, not at %d", n, text, int(got)-1, at)
			}
		}
		for range 2000 {
			text := fmt.Sprintf("other%x", r.Uint32())
			if got := probe(table, &list, text, Hash(text)); got != 0 {
				t.Fatalf("%d strings: %s is found at %d", n, text, got-1)
			}
		}
		// Hashes that say the same: the texts decide.
		crowd := make([]uint32, 1024)
		for at := range uint32(min(n, 700)) {
			enter(crowd, 7<<12|1000, at)
		}
		for text, at := range have {
			if got := probe(crowd, &list, text, 7<<12|1000); at < 700 && got != at+1 {
				t.Fatalf("%d strings of one hash: %s is found at %d, not at %d", n, text, int(got)-1, at)
			}
		}
	}
}
