package settings

import "strings"

// didYouMean returns a hint at the nearest of the names, or nothing.
func didYouMean(wrong string, names []string) string {
	best, distance := "", len(wrong)/3+2
	for _, n := range names {
		if d := editDistance(strings.ToLower(wrong), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// editDistance counts insertions, deletions and replacements of bytes.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64 // no name of ours is so long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
