package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
	"coauthor/edits"
	"coauthor/edits/loss"
)

// person is a terminal with somebody before it.
type person struct {
	terminal
	close func() error
}

// person finds the terminal to ask on, nil for none: standard input where that is one; where the reply
// comes on standard input, what the terminal of the process is, if standard output shows that somebody
// looks. Scripts, which read what is printed, are never asked, and neither is who wants JSON.
func (c *ApplyCmd) person(s Streams) *person {
	if c.JSON {
		return nil
	}
	screen := s.Out
	if !console.Is(s.Out) {
		screen = s.Err // the report goes into a file
	}
	if console.Is(s.In) {
		return &person{terminal{bufio.NewReader(s.In), screen, console.Width(screen)}, func() error { return nil }}
	}
	if !console.Is(s.Out) || s.Terminal == nil {
		return nil
	}
	in, err := s.Terminal()
	if err != nil { // the process has none
		return nil
	}
	return &person{terminal{bufio.NewReader(in), screen, console.Width(screen)}, in.Close}
}

// agreed shows the changes where somebody can be asked, and asks. With --yes, and where nobody can be
// asked, p is nil: the command itself is the agreement.
func (p *person) agreed(ctx context.Context, s Streams, report *applyReport, changes []edits.Change) (bool, error) {
	if p == nil {
		return true, nil
	}
	question := "Apply this change?"
	if len(report.warnings) > 0 { // they may be far above by now
		question = "See the warnings above the diff. Apply this change?"
	}
	if err := report.print(p.out, false); err != nil {
		return false, err
	}
	if p.out != s.Out {
		report.told.notes, report.told.failures = 0, 0 // where the report goes it is to be whole
	}
	showChanges(s, p.out, changes)
	a, err := p.put(ctx, event.Question{Text: question, Choices: []string{"yes", "no"}, Default: "no"})
	return a.Choice == "yes", err
}

// showChanges prints a diff for a person.
func showChanges(s Streams, out io.Writer, changes []edits.Change) {
	var p proposal.Proposal
	for _, c := range changes {
		p.Files = append(p.Files, proposal.File{Change: c, Hunks: edits.Diff(c.Before, c.After)})
	}
	fmt.Fprint(out, chat.Painter{Colour: s.colour(out), Width: console.Width(out)}.Diff(p))
}

// guard keeps back what takes most of a file away, as package loss counts it, and returns the changes that are left. A
// person is told and decides; where nobody can be asked it is a failure beside the good ones, but for a file that the
// reply deletes by name.
func (c *ApplyCmd) guard(report *applyReport, changes []edits.Change, person bool) []edits.Change {
	if c.Force {
		return changes
	}
	for _, l := range loss.Guard(changes, report.listed) {
		switch {
		case person:
			report.warnings = append(report.warnings, "this "+l.String())
		case l.Deleted:
		default:
			report.Failures = append(report.Failures, applyFailure{Edit: -1, Path: l.Path, Reason: edits.ReasonLoss,
				Message: "this " + l.String() + ", so coauthor did not write it; add --force to write it anyway"})
			changes = slices.DeleteFunc(slices.Clone(changes), func(ch edits.Change) bool { return ch.Path == l.Path })
		}
	}
	return changes
}
