// Package verify checks what a turn is about to propose, before the user sees it.
//
// Run puts the changes before a slice of checks and collects what each of them found; the turn sends
// the findings back to the model. A check gets the files as they are with the changes, the changes,
// the settings and the user's consent, and nothing else of the turn. The package knows neither models
// nor editors, and writes nothing of the user's. Package agent runs Checks between applying edits in memory
// and making a proposal.
//
// The user's own linters and tests (Tool, commands.go) run in the folder as it would be with the changes, from which nothing
// comes back but their output, and the changed files from a formatter (format.go); package sandbox runs them. tool.go has
// what is known of each tool; read*.go read what they write. The main types are Check, Input, Finding and Result.
package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"coauthor/agent/sandbox"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/repomap/syntax"
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
	Tools []Tool // the user's linters and tests, in the order in which they run
	// LintTime and TestTime are how long each of them may take.
	LintTime, TestTime time.Duration
	// Visible is what commands may see besides: files of the project that may hold secrets, by their paths in it, and what lies
	// outside of it, by absolute paths and such as begin with ~/.
	Visible []string
}

// Tree is the state of the workspace that is checked: what the user has, with the changes on top.
// Paths are relative to its root and use slashes.
type Tree interface {
	// Root is the absolute path of the folder as it is on disk, without the changes; "" when there is none.
	Root() string
	Exists(path string) bool
	Read(path string) (string, error)
}

// Overlaid is a Tree that knows what of it is not on disk, which commands need.
type Overlaid interface {
	Laid(ctx context.Context) ([]workspace.Laid, error)
}

// Input is what a check looks at and what it may use.
type Input struct {
	Tree     Tree
	Changes  []edits.Change // what is new in Tree, one for each file
	Shown    []string       // files of Tree that the model was shown or made
	Settings Settings
	Consent  Consent // nil allows nothing

	// Using lists the files of program text in which a name stands; ok says that none is missing, and that all may be shown to
	// a model. nil knows none.
	Using func(ctx context.Context, name string) (files []string, ok bool)

	Base      Tree       // the workspace without the changes; nil where nothing is compared with that
	Baselines *Baselines // what commands said of Base; nil asks them each time
	// Partly says that some of what was meant to be in the changes is missing, so that it is no use to run
	// tests.
	Partly bool
	// Running is told which command begins to run on Tree, and returns who is told each line that it writes (see
	// sandbox.Job.Line), without what would colour it; nil for nobody.
	Running func(name string) (line func(text string))
}

// Finding is a complaint of a check. Lines count from 1 and are those after the change.
type Finding struct {
	Check       string
	Path        string
	First, Last int
	Text        string
	Told        bool   // it is for the user alone: it may be just what was asked for, so the model is not asked about it
	Once        bool   // the model is asked about it once: what it does then is its answer
	Line        string // the line that it begins in, as Run read it, without the blanks around
	Excerpt     string // the lines of the finding with the head of their definition and some around them, as Run read them

	// Goal is the command of the Goal that it keeps from being reached, as one speaks of it: the model is asked about it as
	// long as the turn may ask. "" for what no goal found.
	Goal string
	// Named are further files of the project that it names, such as those of the calls that led to its place.
	Named []string

	test string // that failed; "" for what is no test
	key  string // the same finding has the same key in another run, wherever its line stands by then
}

// String is the finding in one line for the user.
func (f Finding) String() string {
	if f.Path == "" || f.Told {
		return f.Text
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
	// command is the way of a check that runs a program, which has more to say; Run is nil then.
	command func(ctx context.Context, in Input) (Result, error)
	always  bool // it runs whatever the level is
}

// Checks returns the checks that need no program, in the order in which they run. Behind them belong those of
// Commands.
func Checks() []Check {
	return []Check{
		{Name: "syntax", From: Syntax, Run: syntaxErrors},
		Lost(),
		Imports(),
		Callers(),
		Twice(),
	}
}

// Result is what one check said.
type Result struct {
	Check    string
	Findings []Finding
	Err      error // it could not look at everything; each line says at what, and why

	// The rest is said of commands alone.
	Command  bool
	Tested   bool          // it runs tests
	Tests    int           // that passed, where that is known
	Compared bool          // Findings are new: nothing that was there before the changes is among them
	Before   int           // findings that were there before the changes, or tests that failed then
	Skipped  string        // why it did not run, or not to its end, in a few words; "" when it did
	Took     time.Duration // all together
	Way      sandbox.Way   // how it was kept from the user's files; "" when it did not run
	Emptied  []string      // files of the project that it found empty, because they may hold secrets
	Output   string        // the end of what it wrote; of AsItIs and of goals alone
	Goal     bool          // it is of a Goal
	Old      []Finding     // what it complained of before the changes, too
}

// Run runs the checks of the level in the settings, one after the other, and then the user's commands, and
// gives a result for each of those. A check that cannot look is no reason to stop; the error is that of a
// ctx that ended.
func Run(ctx context.Context, checks []Check, in Input) ([]Result, error) {
	var list []Result
	for _, check := range checks {
		if !check.always && !in.Settings.Level.runs(check.From) {
			continue
		}
		r, err := check.run(ctx, in)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
		in.Partly = in.Partly || check.Name == "syntax" && len(r.Findings) > 0
	}
	return list, nil
}

// run has a check look. The error is that of a ctx that ended.
func (c Check) run(ctx context.Context, in Input) (Result, error) {
	var r Result
	if c.command != nil {
		r, r.Err = c.command(ctx, in)
	} else {
		r.Findings, r.Err = c.Run(ctx, in)
	}
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	r.Check = c.Name
	for i, f := range r.Findings {
		r.Findings[i].Excerpt, r.Findings[i].Line = excerptOf(in.Tree, f)
	}
	return r, nil
}

// excerptOf shows the place of a finding, and the line that it begins in; "" when it names no file that can be read.
func excerptOf(tree Tree, f Finding) (text, line string) {
	if f.Path == "" || f.First < 1 {
		return "", ""
	}
	text, err := tree.Read(f.Path)
	if err != nil {
		return "", ""
	}
	head := 0
	if first, _, _, ok := syntax.Enclosing(f.Path, []byte(text), f.First-1); ok {
		head = first + 1
	}
	if lines := strings.Split(text, "\n"); f.First <= len(lines) {
		line = strings.TrimSpace(lines[f.First-1])
	}
	return excerpt(text, head, f.First, f.Last), line
}

// excerpt returns the lines first to last of a text with some around them, numbered, the lines of
// the finding marked. head is the line with which the definition around them begins, 0 for none.
func excerpt(text string, head, first, last int) string {
	const around, most = 3, 12
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	last = min(max(last, first), first+most, len(lines))
	var b strings.Builder
	from := max(1, first-around)
	show := func(n int) {
		mark := " "
		if n >= first && n <= last {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s%4d %s\n", mark, n, strings.TrimSuffix(lines[n-1], "\r"))
	}
	if head > 0 && head < from {
		show(head)
		if head < from-1 {
			b.WriteString("     …\n")
		}
	}
	for n := from; n <= min(len(lines), last+around); n++ {
		show(n)
	}
	return b.String()
}
