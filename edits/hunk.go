package edits

import (
	"cmp"
	"slices"
)

// Hunk is a maximal run of changed lines. An insertion has an empty old side, which stands before
// the line OldLine; a deletion has an empty new side.
type Hunk struct {
	Number            int // from 1
	OldLine, OldCount int // 0-based first line and number of lines in the old text
	NewLine, NewCount int
	OldStart, OldEnd  int // byte offsets in the old text
	NewStart, NewEnd  int
	Old, New          string // the replaced lines and the replacement, with their line ends
}

// Inverse returns the change that takes c back.
func Inverse(c Change) Change {
	inverse := Change{Path: c.Path, Op: c.Op, Before: c.After, After: c.Before}
	switch c.Op {
	case OpCreate:
		inverse.Op = OpDelete
	case OpDelete:
		inverse.Op = OpCreate
	case OpRename:
		inverse.Path, inverse.To = c.To, c.Path
	case OpUpdate:
	}
	return inverse
}

func sortedHunks(hunks []Hunk) []Hunk {
	sorted := slices.Clone(hunks)
	slices.SortStableFunc(sorted, func(x, y Hunk) int {
		return cmp.Or(cmp.Compare(x.OldStart, y.OldStart), cmp.Compare(x.OldEnd, y.OldEnd))
	})
	return sorted
}
