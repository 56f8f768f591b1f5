package review

import (
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// TestTheHeadStaysTrue: what the head of a diff says of a change that waits is true also when a document keeps it, because it
// is not brought up to date when all is decided: whatever of the change was decided by then.
func TestTheHeadStaysTrue(t *testing.T) {
	for _, done := range []map[int]proposal.Decision{nil, {1: proposal.HunkDiscarded}, {1: proposal.HunkLanded}, {1: proposal.HunkLanded, 2: proposal.HunkDiscarded}} {
		p := &proposal.Proposal{Files: []proposal.File{{Change: edits.Change{Path: "a", Op: edits.OpUpdate}, Done: done}}}
		said := standing(p)
		if strings.Contains(said, "yet") || strings.Contains(strings.ToLower(said), "nothing") || (said == "") != (done == nil) {
			t.Errorf("%v: %q", done, said)
		}
	}
}
