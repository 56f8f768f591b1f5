package mention

import (
	"strings"
)

// mostInDiff is how many names of a diff there may be.
const mostInDiff = 500

// IdentifiersInDiff are the identifiers in the changed lines of a diff, each once: of each file in turn the next one, so that a
// large change leaves room for the others.
func IdentifiersInDiff(diff string) (list []string) {
	var files [][]string
	for _, part := range strings.Split("\n"+diff, "\ndiff --git ")[1:] {
		var lines []string
		_, hunks, _ := strings.Cut(part, "\n@@")
		for line := range strings.Lines(hunks) {
			if line[0] == '+' || line[0] == '-' {
				lines = append(lines, line[1:])
			}
		}
		files = append(files, Identifiers(strings.Join(lines, "\n")))
	}
	seen := map[string]bool{}
	for n, more := 0, true; more; n++ {
		more = false
		for _, names := range files {
			if n < len(names) && !seen[names[n]] && len(list) < mostInDiff {
				list, seen[names[n]] = append(list, names[n]), true
			}
			more = more || n+1 < len(names)
		}
	}
	return list
}
