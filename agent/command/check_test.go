package command

import (
	"strings"
	"testing"

	"coauthor/agent/verify"
)

// TestChecksPageKeepsIndentation: the numbers of an excerpt stand below each other, also that of its first line.
func TestChecksPageKeepsIndentation(t *testing.T) {
	page := checksPage(Checked{Findings: []CheckFinding{{Check: "unittest", Path: "a.py", Line: 6, Text: "test_add fails\n"}}},
		[]verify.Finding{{Excerpt: "    5 \n>   6 add()\n"}})
	if want := "\n~~~~text\n    5 \n>   6 add()\n~~~~\n"; !strings.Contains(page, want) {
		t.Errorf("%q is not in\n%s", want, page)
	}
}
