package e2e

import (
	"strings"
	"testing"
)

// In VS Code the tools of the model ask the other extensions, through the interfaces that VS Code has for that.
func TestVSCodeLooksUp(t *testing.T) {
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "-- 1.md --\nI look.\n-- 1.yaml --\ncalls:\n"+
		"  - {name: symbol, arguments: '{\"name\":\"greet\",\"at\":\"main.py:1\"}'}\n"+
		"  - {name: uses, arguments: '{\"name\":\"greet\",\"at\":\"greet.py:1\"}'}\n"+
		"  - {name: diagnostics, arguments: '{}'}\n-- 2.md --\n"+polite("Good day"))
	playVSCode(t, w, "lookup.js")
	var got []string
	for _, m := range w.model.Requests()[1].Messages {
		if m.Role == "tool" {
			got = append(got, m.Content)
		}
	}
	want := [][]string{
		{"greet(name) -> str", "greet.py:1-2\n", "1 definition of greet, as the editor's language server says."},
		{"main.py\n", "1 line with greet in 1 file, as the editor's language server says.", "…/lib/python3/site.py:5"},
		{"main.py:1: warning: unknown phrase (phrases)"},
	}
	if len(got) != len(want) {
		t.Fatalf("the model was shown %q", got)
	}
	for i, list := range want {
		for _, part := range list {
			if !strings.Contains(got[i], part) {
				t.Errorf("result %d has no %q:\n%s", i+1, part, got[i])
			}
		}
	}
}
