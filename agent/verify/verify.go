// Package verify checks what a turn is about to propose, before the user sees it.
//
// A check gets the changes in memory and returns findings, which the turn sends back to the model.
// It knows neither models nor editors, and writes nothing. Package agent runs Checks between applying
// edits in memory and making a proposal. The main types are Check and Finding.
package verify

import (
	"context"
	"fmt"
	"strings"

	"coauthor/edits"
)

// Level is the setting verify.
type Level string

// The levels; each runs the checks of those before it.
const (
	Off    Level = "off"
	Syntax Level = "syntax"
	Lint   Level = "lint"
	Full   Level = "full"
)

// Finding is a complaint of a check. Lines count from 1 and are those after the change.
type Finding struct {
	Check       string
	Path        string
	First, Last int
	Text        string
	Gone        string // text of the old file that is missing, for the model to put back
}

// String is the finding in one line for the user.
func (f Finding) String() string {
	if f.Gone != "" {
		return f.Path + " " + f.Text
	}
	return f.Path + ", " + f.Text
}

// Check is one way to look at changes. Its error means that it could not look.
type Check struct {
	Name string
	Run  func(ctx context.Context, changes []edits.Change) ([]Finding, error)
}

// Checks returns the checks of a level, in the order in which they run.
func Checks(level Level) []Check {
	switch level {
	case Off:
		return nil
	case Syntax, Lint, Full:
		return []Check{{Name: "syntax", Run: syntaxErrors}}
	}
	return nil
}

// Excerpt returns the lines first to last of a text with some around them, numbered, the lines of
// the finding marked.
func Excerpt(text string, first, last int) string {
	const around, most = 3, 12
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	last = min(max(last, first), first+most, len(lines))
	var b strings.Builder
	for n := max(1, first-around); n <= min(len(lines), last+around); n++ {
		mark := " "
		if n >= first && n <= last {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s%4d %s\n", mark, n, strings.TrimSuffix(lines[n-1], "\r"))
	}
	return b.String()
}
