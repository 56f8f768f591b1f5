package lsptest

import (
	"fmt"
	"strings"
	"testing"
)

// An edit of a prompt document changes its head and what is said in it, and no words of the user's; other documents of the server are not edited.
func TestEditsOfOwnDocuments(t *testing.T) {
	const text = "---\n# Write.\n# Now: a.\nfile: a.go\n---\n\n# Now: mine.\n## Coauthor <!-- coauthor: answer t -->\nx\n## You <!-- coauthor: you -->\nmine\n"
	edit := func(first, last, from, to uint32, with string) []TextEdit {
		return []TextEdit{{Range: Range{Start: Position{Line: first, Character: from}, End: Position{Line: last, Character: to}}, NewText: with}}
	}
	for what, c := range map[string]struct {
		name  string
		edits []TextEdit
		want  string
	}{
		"the line":          {"prompt-1.md", edit(2, 3, 0, 0, "# Now: b.\n"), ""},
		"a part of it":      {"prompt-1.md", edit(2, 2, 7, 8, "b"), ""},
		"a field":           {"prompt-1.md", edit(3, 4, 0, 0, "file: b.go\n"), ""},
		"the user's words":  {"prompt-1.md", edit(6, 7, 0, 0, "# Now: b.\n"), "line 7"},
		"above the words":   {"prompt-1.md", edit(6, 6, 0, 0, "said\n"), ""},
		"behind the words":  {"prompt-1.md", edit(6, 7, 12, 0, "\n\nsaid\n"), ""},
		"in the words":      {"prompt-1.md", edit(6, 6, 2, 5, "Then"), "line 7"},
		"the words again":   {"prompt-1.md", edit(5, 7, 0, 0, "\n# Now: mine.\n\nsaid\n"), ""},
		"an answer":         {"prompt-1.md", edit(8, 9, 0, 0, "said\n"), ""},
		"the next words":    {"prompt-1.md", edit(10, 11, 0, 0, "said\n"), "line 11"},
		"another document":  {"answer-1.md", edit(2, 3, 0, 0, "# Now: b.\n"), "the user reads"},
		"a name like those": {"prompt-x.md", edit(2, 3, 0, 0, "# Now: b.\n"), "the user reads"},
	} {
		var said []string
		newChecker(nil, nil, "", func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }).own("/r/.coauthor/"+c.name, text, c.edits)
		if got := strings.Join(said, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
