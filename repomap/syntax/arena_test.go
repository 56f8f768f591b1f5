//go:build cgo

package syntax

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Runs leave their memory to the ones behind them: whatever the sizes of the texts are, and however many are parsed
// beside each other, each has the tags that it has alone.
func TestRunsShareMemory(t *testing.T) {
	sources := map[string][]byte{"empty.c": nil, "hostile.py": []byte(strings.Repeat("[)", 50_000))}
	for _, n := range []int{1, 10, 300, 4000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "struct s%d { int a[%d]; };\nint f%d(struct s%d *s)\n{\n\treturn s->a[0] + g(%d, \"%d\");\n}\n", i, i+1, i, i, i, i)
		}
		sources[fmt.Sprintf("%d.c", n)] = []byte(b.String())
	}
	type answer struct {
		Tags []string
		Err  string
	}
	ask := func(name string) (a answer) {
		tags, err := Tagger{}.Tags(t.Context(), name, sources[name])
		for _, tag := range tags {
			a.Tags = append(a.Tags, fmt.Sprint(tag))
		}
		a.Err = fmt.Sprint(err)
		return a
	}
	want := map[string]answer{}
	for name := range sources {
		want[name] = ask(name)
	}
	if n := len(want["4000.c"].Tags); n != 8000 {
		t.Fatalf("%d tags", n)
	}
	times := 1
	if os.Getenv("COAUTHOR_LARGE") != "" {
		times = 3
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range times {
				for name := range sources { // in any order
					if diff := cmp.Diff(want[name], ask(name)); diff != "" {
						t.Errorf("%s:\n%s", name, diff)
					}
				}
			}
		})
	}
	group.Wait()
}
