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
		"ssgo": "agent/session.go agent/sandbox/guess.go cmd/sess/main.go lsp/server.go",
		// Letters that stand together count before letters of the base name that stand apart.
		"nt/s": "agent/session.go agent/sandbox/guess.go",
		"cmds": "cmd/sess/main.go",
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

// Names fit by their beginning, then by the beginning of a word, then by letters together, and last by letters in order, of
// which fewer pieces are better.
func TestRankOfNames(t *testing.T) {
	names := []string{"s-o-n-n-x", "claude-sonnet", "sonnet", "unisonny", "so-nn", "Äsonn", "other"}
	for typed, want := range map[string]string{
		"sonn": "sonnet claude-sonnet unisonny Äsonn so-nn s-o-n-n-x",
		"SONN": "sonnet claude-sonnet unisonny Äsonn so-nn s-o-n-n-x",
		"äso":  "Äsonn",
		"x":    "s-o-n-n-x",
		"nos":  "",
		"":     "s-o-n-n-x claude-sonnet sonnet unisonny so-nn Äsonn other",
	} {
		found := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return Rank(name, typed) == 0 })
		slices.SortStableFunc(found, func(a, b string) int { return Rank(b, typed) - Rank(a, typed) })
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
	for _, x := range []struct {
		text, typed string
		want        int
	}{{"abcab", "ab", 1}, {"axbab", "ab", 1}, {"abxcxabc", "abc", 1}, {"axbxc", "abc", 3}, {"abxc", "abc", 2}, {"cba", "abc", 0}, {"aab", "ab", 1}, {"", "a", 0}} {
		if got := pieces(x.text, x.typed); got != x.want {
			t.Errorf("%s in %s: %d pieces, want %d", x.typed, x.text, got, x.want)
		}
	}
}
