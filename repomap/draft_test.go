package repomap

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/repomap/vocab"
)

// The list of an index is that of its records in order of path, however they came and went.
func TestOrdered(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		var o ordered
		known := map[string]*record{}
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
					case r == nil || r.id != f.ID:
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
				r := &record{path: fmt.Sprintf("f%02d", random.IntN(20)), id: fmt.Sprint(random.IntN(2))}
				known[r.path] = r
				o.add(r)
			}
		}
		before := o.files
		shown := slices.Clone(before)
		o.merge()
		var want []*record
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

// Words get the numbers that a map gives them, and the same memory serves one text after the other.
func TestTermTable(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	var table termTable
	for _, distinct := range []int{0, 1, 40, 3000, maxTerms - 1, maxTerms, maxTerms + 500, 7} {
		var b strings.Builder
		for n := range distinct {
			fmt.Fprintf(&b, "w%d %s ", n, strings.Repeat("x", random.IntN(40))+fmt.Sprint("y", random.IntN(distinct)))
		}
		src := []byte(b.String())
		table.begin(src)
		known := map[string]uint16{}
		var order []string
		vocab.Words(src, func(start, end int) {
			word := string(src[start:end])
			want, ok := known[word]
			if !ok && len(order) < maxTerms {
				want, ok = uint16(len(order)), true
				known[word] = want
				order = append(order, word)
			}
			if got, found := table.number(start, end); found != ok || got != want {
				t.Fatalf("%d words: %q is number %d, %v; want %d, %v", distinct, word, got, found, want, ok)
			}
		})
		if got := table.texts(); !slices.Equal(got, order) {
			t.Errorf("%d words: the texts differ", distinct)
		}
	}
}
