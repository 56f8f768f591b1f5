package index

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"coauthor/repomap"
)

// Parts of a listing become one list in order, in which each file stands once.
func TestMerged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var got []repomap.File
		all := map[string]bool{}
		for range random.IntN(4) {
			part := map[string]bool{}
			for range random.IntN(9) {
				part[fmt.Sprintf("f%02d", random.IntN(30))] = true
			}
			var files []repomap.File
			for _, p := range slices.Sorted(maps.Keys(part)) {
				files = append(files, repomap.File{Path: p})
			}
			got = merged(got, files)
			maps.Copy(all, part)
		}
		if want := slices.Sorted(maps.Keys(all)); !slices.Equal(pathsOf(got), want) {
			t.Fatalf("%v, want %v", pathsOf(got), want)
		}
	}
}
