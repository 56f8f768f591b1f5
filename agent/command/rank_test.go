package command

import (
	"slices"
	"strings"
	"testing"
)

// What fits a piece of a path stands before what only has its letters in order, and the base name before its folders.
func TestRankOfPaths(t *testing.T) {
	paths := []string{"lsp/server.go", "agent/session.go", "cmd/sess/main.go", "agent/sandbox/guess.go", "docs/as/yes/see.md", "README.md", "src/Grün.txt"}
	for typed, want := range map[string]string{
		"sess": "agent/session.go cmd/sess/main.go agent/sandbox/guess.go docs/as/yes/see.md",
		"ses":  "agent/session.go cmd/sess/main.go agent/sandbox/guess.go docs/as/yes/see.md",
		"ssgo": "agent/session.go agent/sandbox/guess.go lsp/server.go cmd/sess/main.go",
		"GRÜ":  "src/Grün.txt",
		"ünx":  "src/Grün.txt",
		"xyz":  "",
	} {
		var found []rankedPath
		for _, p := range paths {
			if rank := rankPath(p, typed); rank > 0 {
				found = append(found, rankedPath{p, rank})
			}
		}
		slices.SortStableFunc(found, func(a, b rankedPath) int { return b.rank - a.rank })
		var got []string
		for _, f := range found {
			got = append(got, f.path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", typed, got, want)
		}
	}
}
