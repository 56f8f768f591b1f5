package edits

// Hunk is a maximal run of changed lines.
type Hunk struct {
	Number            int // from 1
	OldLine, OldCount int // 0-based first line and number of lines in the old text
	NewLine, NewCount int
	OldStart, OldEnd  int // byte offsets in the old text
	NewStart, NewEnd  int
	Old, New          string // the replaced lines and the replacement, with their line ends
}

// Conflict is a place that both sides of a merge changed in different ways.
type Conflict struct {
	BaseLine, BaseCount int // 0-based first line and number of lines in the base
	Base, Ours, Theirs  string
}
