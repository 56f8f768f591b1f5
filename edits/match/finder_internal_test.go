package match

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The finder gives what trying every index gives, whatever repeats, also when it is used again.
func TestFinderFindsEveryPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	var f finder
	for range 4000 {
		list := func(n int) []int32 {
			out := make([]int32, r.IntN(n))
			for i := range out {
				out[i] = int32(r.IntN(2 + r.IntN(2)))
			}
			return out
		}
		hay, needle := list(24), list(5)
		if len(needle) > 0 && r.IntN(20) == 0 {
			needle[r.IntN(len(needle))] = unknown
		}
		var want []int
		for i := 0; len(needle) > 0 && i+len(needle) <= len(hay); i++ {
			if slices.Equal(hay[i:i+len(needle)], needle) {
				want = append(want, i)
			}
		}
		if slices.Contains(needle, unknown) {
			want = nil
		}
		if got := occurrences(hay, needle); !slices.Equal(got, want) {
			t.Fatalf("%v in %v: at %v, want %v", needle, hay, got, want)
		}
		from, limit := r.IntN(len(hay)+2), r.IntN(len(hay)+1)
		first, last := -1, -1
		for _, at := range want {
			if at >= from && first < 0 {
				first = at
			}
			if at+len(needle) <= limit {
				last = at
			}
		}
		if got := f.first(hay, needle, from); got != first {
			t.Fatalf("%v in %v from %d: %d, want %d", needle, hay, from, got, first)
		}
		if got := f.last(hay, needle, limit); got != last {
			t.Fatalf("%v in %v before %d: %d, want %d", needle, hay, limit, got, last)
		}
	}
}
