package match

import (
	"math/rand/v2"
	"testing"
)

// Both ways of counting give the same, for texts up to the longest that fits in a word.
func TestDistanceInBits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 64))
	for range 4000 {
		letters := []byte("ab\xffz")[:2+r.IntN(3)]
		text := func(n int) string {
			out := make([]byte, n)
			for i := range out {
				out[i] = letters[r.IntN(len(letters))]
			}
			return string(out)
		}
		x := text(1 + r.IntN(64))
		y := text(r.IntN(90))
		if got, want := distanceInBits(x, y), distanceInRows(x, y); got != want {
			t.Fatalf("%q and %q: %d, want %d", x, y, got, want)
		}
	}
}
