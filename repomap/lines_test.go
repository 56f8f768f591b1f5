package repomap

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// plainFields is what appendFields does, one step after the other.
func plainFields(b, line string) string {
	part := strings.Join(strings.Fields(strings.ToValidUTF8(line, "")), " ")
	if b != "" && part != "" && !strings.HasSuffix(b, "(") && part[0] != ')' {
		b += " "
	}
	return b + part
}

func FuzzFields(f *testing.F) {
	for _, b := range []string{"", "int f(", "int f(int a,", "x "} {
		for _, line := range []string{"", " ", "\t)", " ) {", "int  b, \tint c) {\r", "(", "größe\u0085 x\u00a0y", "a\xff b", " \xff", "\u2028"} {
			f.Add(b, line)
		}
	}
	f.Fuzz(func(t *testing.T, b, line string) {
		if got, want := string(appendFields([]byte(b), []byte(line))), plainFields(b, line); got != want {
			t.Errorf("%q and %q: %q, not %q", b, line, got, want)
		}
	})
}

// A table finds each string by itself, also where many have the same place in it, and nothing else.
func TestHashTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 700, 767, 768, 5000} {
		var list symbolList
		have := map[string]uint32{}
		for len(have) < n {
			text := fmt.Sprintf("word%x", r.Uint32N(1<<20))
			if _, ok := have[text]; ok {
				continue
			}
			have[text] = uint32(len(list.ends))
			list.blob = append(list.blob, text...)
			list.ends = append(list.ends, uint32(len(list.blob)))
		}
		table := hashTable(n, list.bytes)
		for text, at := range have {
			if got := probe(table, &list, text, hashString(text)); got != at+1 {
				t.Fatalf("%d strings: %s is found at %d, not at %d", n, text, int(got)-1, at)
			}
		}
		for range 2000 {
			text := fmt.Sprintf("other%x", r.Uint32())
			if got := probe(table, &list, text, hashString(text)); got != 0 {
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
