package main

import (
	"strings"
	"testing"
)

// TestGenerateShowsNoListing: of an answer with files the words beside them are shown, also where a file holds listings itself.
func TestGenerateShowsNoListing(t *testing.T) {
	h := newShell(t, "-- 1.md --\nI write it.\n\nREADME.md\n```markdown\n# Title\n\nRun it:\n\n```sh\npython main.py\n```\n\nMore of the page.\n```\n\nmain.py\n```python\nprint(1)\n```\n\nThat is all.\n")
	code := h.run("generate", "-m", "Print one.", "--lite", "--preview")
	words, _, _ := strings.Cut(h.out.String(), "diff --git")
	if code != 0 || strings.Contains(words, "More of the page") || strings.Contains(words, "print(1)") || !strings.Contains(words, "I write it.") || !strings.Contains(words, "That is all.") {
		t.Errorf("exit %d\n%s%s", code, h.out.String(), h.err.String())
	}
}
