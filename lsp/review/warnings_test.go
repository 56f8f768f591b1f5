package review

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// Of many lines with characters that do not show a few are named, and the others counted.
func TestManyHiddenLines(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, mostHidden: mostHidden, mostHidden + 1: mostHidden + 1, mostHidden + 7: mostHidden + 1} {
		text := strings.Repeat("x\u202e\n", n) + "plain\n"
		c := edits.Change{Path: "a.py", Op: edits.OpCreate, After: text}
		p := &proposal.Proposal{Files: []proposal.File{{Change: c, Hunks: edits.Diff("", text)}}}
		list := Warnings(p)
		if len(list) != want {
			t.Errorf("%d lines: %q", n, list)
			continue
		}
		if n > mostHidden && !strings.HasPrefix(list[mostHidden], fmt.Sprint(n-mostHidden)+" ") {
			t.Errorf("%d lines: %q", n, list[mostHidden])
		}
		for i, w := range list[:min(n, mostHidden)] {
			mustHold(t, w, fmt.Sprintf("line %d ", i+1), "a.py")
		}
	}
}
