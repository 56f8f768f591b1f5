package sandbox

import (
	"fmt"
	"strings"
	"testing"
)

// TestHeadTail: of much the beginning and the end stay, with a word on the gap.
func TestHeadTail(t *testing.T) {
	for total := range 60 {
		for _, step := range []int{1, 3, 7, 100} {
			text := strings.Repeat("0123456789", 6)[:total]
			h := &headTail{most: 10}
			for rest := text; rest != ""; {
				k := min(step, len(rest))
				if n, err := h.Write([]byte(rest[:k])); n != k || err != nil {
					t.Fatal(n, err)
				}
				rest = rest[k:]
			}
			want := text
			if total > 20 {
				want = text[:10] + fmt.Sprintf("\n[%d bytes left out]\n", total-20) + text[total-10:]
			}
			if got := h.String(); got != want {
				t.Fatalf("%d bytes by %d: %q", total, step, got)
			}
		}
	}
}
