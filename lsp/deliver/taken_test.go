package deliver

import (
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
)

// Only with a text that has some of the hunks a user can have taken some of them.
func TestSomeOfTheHunks(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		line := func() string { return string(rune('a'+r.IntN(4))) + "\n" }
		var before, after strings.Builder
		for range 3 + r.IntN(12) {
			switch r.IntN(6) {
			case 0:
				after.WriteString(line())
			case 1:
				before.WriteString(line())
			case 2:
				before.WriteString(line())
				after.WriteString(line())
			default:
				same := line()
				before.WriteString(same)
				after.WriteString(same)
			}
		}
		base := before.String()
		hunks := edits.Diff(base, after.String())
		some := map[string]bool{}
		for set := range 1 << min(len(hunks), 8) {
			text, at := "", 0
			for i, h := range hunks {
				text += base[at:h.OldStart]
				if at = h.OldEnd; set>>i&1 == 1 {
					text += h.New
				} else {
					text += base[h.OldStart:h.OldEnd]
				}
			}
			some[text+base[at:]] = true
		}
		if len(hunks) > 8 {
			continue
		}
		for text := range some {
			if !someOf(base, hunks, text) {
				t.Fatalf("seed %d: %q is some of %+v in %q", seed, text, hunks, base)
			}
			for _, other := range []string{text + "x", "x" + text, strings.Replace(text, "a", "", 1), strings.Replace(text, "b\n", "c\n", 1), text[:len(text)/2]} {
				if someOf(base, hunks, other) != some[other] {
					t.Fatalf("seed %d: %q is some of %+v in %q: %v", seed, other, hunks, base, !some[other])
				}
			}
		}
	}
}
