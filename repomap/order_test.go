package repomap

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

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
