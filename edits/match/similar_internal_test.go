package match

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The windows with the most votes come first, equal ones in the order of the file, and none with less than half of the most.
func TestMostVotes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 3000 {
		count, most := make([]int32, 1+r.IntN(60)), int32(0)
		var voted []int32
		for range r.IntN(2 * len(count)) {
			at := r.IntN(len(count))
			if count[at]++; count[at] == 1 {
				voted = append(voted, int32(at))
			}
			most = max(most, count[at])
		}
		var want []candidate
		for floor := most; floor > 0 && 2*floor >= most; floor-- {
			for at, c := range count {
				if c == floor {
					want = append(want, candidate{at: 7 + at, equal: int(c)})
				}
			}
		}
		want = want[:min(len(want), maxCandidates)]
		if got := mostVotes(count, voted, 7); !slices.Equal(got, want) {
			t.Fatalf("%v: %+v, want %+v", count, got, want)
		}
	}
}
