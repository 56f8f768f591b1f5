package e2e

import (
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// BenchmarkVSCodeColdStart tells how long a user of VS Code waits for the first code action: from the loading of the
// extension, or the opening of a file where that comes first, in windows in which nothing of it ran before.
func BenchmarkVSCodeColdStart(b *testing.B) {
	vscodeTools(b)
	var all []float64
	for b.Loop() {
		out := playVSCode(b, newWorld(b, "-- 1.md --\nNobody asks.\n"), "coldstart.js")
		for _, found := range regexp.MustCompile(`first code action after (\d+) ms`).FindAllStringSubmatch(out, -1) {
			ms, err := strconv.ParseFloat(found[1], 64)
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, ms)
		}
	}
	if len(all) == 0 {
		b.Fatal("nothing was measured")
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], "ms/median")
	b.ReportMetric(all[len(all)-1], "ms/worst")
	b.ReportMetric(0, "ns/op") // the whole session
}
