package settings

import (
	"strings"

	"coauthor/edits"
)

// didYouMean returns a hint at the nearest of the names, or nothing.
func didYouMean(wrong string, names []string) string {
	if len(wrong) > 64 {
		return "" // no name of ours is so long
	}
	best, distance := "", len(wrong)/3+2
	for _, n := range names {
		if d := edits.Distance(strings.ToLower(wrong), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}
