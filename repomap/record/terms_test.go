package record

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/repomap/vocab"
)

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
