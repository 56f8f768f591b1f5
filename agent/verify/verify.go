// Package verify checks what a turn is about to propose, before the user sees it.
//
// Run puts the changes before a slice of checks and collects what each of them found; the turn sends
// the findings back to the model. A check gets the files as they are with the changes, the changes,
// the settings and the user's consent, and nothing else of the turn. The package knows neither models
// nor editors, and writes nothing. Package agent runs Checks between applying edits in memory and
// making a proposal. The main types are Check, Input, Finding and Result.
package verify

import (
	"context"
	"fmt"
	"slices"
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

// Levels lists the levels, the one that checks least first.
func Levels() []Level { return []Level{Off, Syntax, Lint, Full} }

// runs says whether a check that begins at level from belongs to l. An unknown level runs nothing.
func (l Level) runs(from Level) bool {
	at := slices.Index(Levels(), l)
	return at > 0 && at >= slices.Index(Levels(), from)
}

// Settings are what the user's settings say about checks.
type Settings struct {
	Level Level
}

// Tree is the state of the workspace that is checked: what the user has, with the changes on top.
// Paths are relative to its root and use slashes.
type Tree interface {
	// Root is the absolute path of the folder as it is on disk, without the changes; "" when there is none.
	Root() string
	Exists(path string) bool
	Read(path string) (string, error)
}

// Input is what a check looks at and what it may use.
type Input struct {
	Tree     Tree
	Changes  []edits.Change // what is new in Tree, one for each file
	Shown    []string       // files of Tree that the model was shown or made
	Asked    string         // all that the user said; "" where that is not known
	Settings Settings
	Consent  Consent // nil allows nothing
}

// Finding is a complaint of a check. Lines count from 1 and are those after the change.
type Finding struct {
	Check       string
	Path        string
	First, Last int
	Text        string
	Gone        string // text of the old file that is missing, for the model to put back
	Excerpt     string // the lines of the finding with some around them, as Run read them; "" with Gone
}

// String is the finding in one line for the user.
func (f Finding) String() string {
	if f.Gone != "" {
		return f.Path + " " + f.Text
	}
	return f.Path + ", " + f.Text
}

// Check is one way to look at changes.
type Check struct {
	Name string
	From Level // the first level that runs it
	// Run looks. Its error means that it could not, at least not at all files; what it found in the
	// others is returned beside it.
	Run func(ctx context.Context, in Input) ([]Finding, error)
}

// Checks returns all checks, in the order in which they run.
func Checks() []Check {
	return []Check{
		{Name: "syntax", From: Syntax, Run: syntaxErrors},
		Lost(),
		Unbound(),
		Imports(),
	}
}

// Result is what one check said.
type Result struct {
	Check    string
	Findings []Finding
	Err      error // it could not look at everything; each line says at what, and why
}

// Run runs the checks of the level in the settings, one after the other, and gives a result for each
// of those. A check that cannot look is no reason to stop; the error is that of a ctx that ended.
func Run(ctx context.Context, checks []Check, in Input) ([]Result, error) {
	var list []Result
	for _, check := range checks {
		if !in.Settings.Level.runs(check.From) {
			continue
		}
		found, err := check.Run(ctx, in)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i, f := range found {
			if f.Gone == "" {
				found[i].Excerpt = excerptOf(in.Tree, f)
			}
		}
		list = append(list, Result{Check: check.Name, Findings: found, Err: err})
	}
	return list, nil
}

// excerptOf shows the place of a finding; "" when it names no file that can be read.
func excerptOf(tree Tree, f Finding) string {
	if f.Path == "" || f.First < 1 {
		return ""
	}
	text, err := tree.Read(f.Path)
	if err != nil {
		return ""
	}
	return excerpt(text, f.First, f.Last)
}

// excerpt returns the lines first to last of a text with some around them, numbered, the lines of
// the finding marked.
func excerpt(text string, first, last int) string {
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
