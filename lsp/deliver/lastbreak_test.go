package deliver

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
)

// TestKeepLastBreak: whatever changes, no edit takes in or follows the last line break, none touches another, and what
// they make is what was meant but for a line break at the end.
func TestKeepLastBreak(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 10))
		end := []string{"\n", "\r\n"}[r.IntN(2)]
		text := func() string {
			var b strings.Builder
			for range r.IntN(6) {
				b.WriteString([]string{"", "a", "b", "c"}[r.IntN(4)] + end)
			}
			return b.String()
		}
		before, after := text(), text()
		if r.IntN(4) == 0 {
			after = strings.TrimSuffix(after, end)
		}
		what := fmt.Sprintf("seed %d, %q to %q", seed, before, after)
		list := keepLastBreak(before, replacementsOf(edits.Diff(before, after)))
		bare := len(strings.TrimSuffix(before, end))
		if before == "" {
			bare = 0 // nothing to keep
		}
		got, last := "", 0
		for i, s := range list {
			if s.start > s.end || s.end > bare {
				t.Fatalf("%s: the edit %+v reaches the last line break", what, s)
			}
			if i > 0 && s.start <= list[i-1].end {
				t.Fatalf("%s: %+v touches the edit before it", what, s)
			}
			got += before[last:s.start] + s.text
			last = s.end
		}
		got += before[last:]
		if trimmed := strings.TrimSuffix(after, end); strings.TrimSuffix(got, end) != trimmed {
			t.Fatalf("%s: %+v make %q", what, list, got)
		}
	}
}
