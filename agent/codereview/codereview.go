// Package codereview reads from the answer of a model what it found wrong in changes.
//
// It asks no model and compares nothing: the changes and the files as they are now come as values. Start at Read.
package codereview

import "fmt"

// Changes are what the work tree has different from a commit.
type Changes struct {
	Base  string   `json:"base"`  // the commit; "" before the first one
	About string   `json:"about"` // what they are, in words
	Files []string `json:"files"` // relative to the root
	Text  string   `json:"text"`  // as git diff writes it
	// Hidden are those of the files whose content is not in Text.
	Hidden []string `json:"hidden,omitempty"`
	// Commits are the messages of the commits that a review is about, for the model: what they say they do.
	Commits string `json:"-"`
}

// Review is what a model found wrong in changes.
type Review struct {
	About    string    `json:"about"`    // which changes, in words
	Summary  string    `json:"summary"`  // what it says of them as a whole
	Findings []Finding `json:"findings"` // the worst first
	// Unread says why the answer says nothing about the changes, although it came; "" for a review. Nothing was found only
	// where it is "" and there are no findings.
	Unread string `json:"unread,omitempty"`
}

// Finding is one thing that is wrong. The file exists, and the line is one of it.
type Finding struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`     // from 1
	Severity string `json:"severity"` // error, warning or information
	Message  string `json:"message"`
}

// String is the finding as compilers write theirs.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.Path, f.Line, f.Severity, f.Message)
}
