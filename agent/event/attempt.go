package event

import (
	"fmt"
	"strings"
)

// AttemptRef is what to know of an attempt before one takes it.
type AttemptRef struct {
	Label   string   `json:"label"` // what came of it, in a few words
	Files   []string `json:"files"` // that it changes
	Added   int      `json:"added"`
	Removed int      `json:"removed"`
}

// attemptFiles is how many files of an attempt are named.
const attemptFiles = 3

// String is the attempt in one line: what came of it, and what it changes.
func (a AttemptRef) String() string {
	names := strings.Join(a.Files[:min(len(a.Files), attemptFiles)], ", ")
	if more := len(a.Files) - attemptFiles; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s (%s, +%d -%d)", a.Label, names, a.Added, a.Removed)
}
