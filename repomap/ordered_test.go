package repomap

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"coauthor/repomap/record"
)

// The list of an index is that of its records in order of path, however they came and went.
func TestOrdered(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		var o ordered
		known := map[string]*record.Record{}
		for range random.IntN(60) {
			switch random.IntN(8) {
			case 0:
				var listed, read []File
				before := len(known)
				for n := range 25 { // of which the list knows 20
					f := File{Path: fmt.Sprintf("f%02d", n), ID: fmt.Sprint(random.IntN(2))}
					switch r := known[f.Path]; {
					case random.IntN(3) == 0:
						delete(known, f.Path)
						continue
					case r == nil || r.ID != f.ID:
						read = append(read, f)
						if r == nil {
							before++
						}
					}
					listed = append(listed, f)
				}
				stale, gone := o.follow(listed)
				if left := before - len(listed); gone != left || !slices.Equal(stale, read) {
					t.Fatalf("%d are gone and %v to be read; want %d and %v", gone, stale, left, read)
				}
			case 1:
				o.merge()
			default:
				r := &record.Record{Path: fmt.Sprintf("f%02d", random.IntN(20)), ID: fmt.Sprint(random.IntN(2))}
				known[r.Path] = r
				o.add(r)
			}
		}
		before := o.files
		shown := slices.Clone(before)
		o.merge()
		var want []*record.Record
		for _, p := range slices.Sorted(maps.Keys(known)) {
			want = append(want, known[p])
		}
		if !slices.Equal(o.files, want) || o.sum != listing(want) {
			t.Fatalf("%d records, want %d; or their sum is wrong", len(o.files), len(want))
		}
		if !slices.Equal(before, shown) {
			t.Fatal("a published list was written to")
		}
	}
}
