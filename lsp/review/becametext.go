package review

import (
	"fmt"
	"strconv"
	"strings"

	"coauthor/agent/event"
)

// What became of a change since its answer was written stands in the last line of its section.

// becameLines are these lines, by the state of the proposal. One that is on its way has none.
var becameLines = map[event.ProposalState]string{
	event.ProposalPending:    "The change is pending.",
	event.ProposalApplied:    "The change was applied.",
	event.ProposalPartial:    "The change was partly applied.",
	event.ProposalConflict:   "The change was not applied because you edited the same lines.",
	event.ProposalUnverified: "The change was sent, but the editor has not confirmed it.",
	event.ProposalDiscarded:  "The change was discarded.",
	event.ProposalUndone:     "The change was undone.",
	event.ProposalSuperseded: "The change was replaced by a later one.",
}

// WithBecame has the section of a turn say what became of its change. A document without that section stays as it is, and so
// does a section that says nothing yet of a change that waits.
func WithBecame(doc, turn string, state event.ProposalState) string {
	line := becameLines[state]
	if line == "" {
		return doc
	}
	for _, p := range parts(doc) {
		if !p.is(Section{Kind: SectionAnswer, ID: turn}) {
			continue
		}
		before, last := "", p.Text
		if i := strings.LastIndexByte(p.Text, '\n'); i >= 0 {
			before, last = p.Text[:i+1], p.Text[i+1:]
		}
		switch {
		case isBecame(strings.TrimRight(last, " \t\r")):
			p.Text = before + line
		case state == event.ProposalPending:
			return doc
		default:
			p.Text += "\n\n" + line
		}
		return WithSection(doc, p.Section)
	}
	return doc
}

// WithRounds has the section of a turn that proposes after its rounds say what became of each of them, in lines of their own
// at its end. A document without that section stays as it is, and so does one as long as nothing was decided.
func WithRounds(doc, turn string, states []event.ProposalState) string {
	waiting := true
	var lines []string
	for i, state := range states {
		if line := becameLines[state]; line != "" {
			lines = append(lines, fmt.Sprintf("- Step %d: %s", i+1, line))
			waiting = waiting && state == event.ProposalPending
		}
	}
	for _, p := range parts(doc) {
		if !p.is(Section{Kind: SectionAnswer, ID: turn}) {
			continue
		}
		text, rounds := cutRounds(p.Text)
		if len(lines) == 0 || waiting && rounds == "" {
			return doc
		}
		p.Text = text + "\n\n" + strings.Join(lines, "\n")
		return WithSection(doc, p.Section)
	}
	return doc
}

// cutRounds splits the lines about rounds off the end of a section, with an empty line before them.
func cutRounds(text string) (rest, rounds string) {
	lines := strings.Split(text, "\n")
	n := len(lines)
	for n > 0 && isRound(lines[n-1]) {
		n--
	}
	if n == len(lines) {
		return text, ""
	}
	return strings.TrimRight(strings.Join(lines[:n], "\n"), " \t\r\n"), "\n\n" + strings.Join(lines[n:], "\n")
}

func isRound(line string) bool {
	head, what, ok := strings.Cut(strings.TrimRight(line, " \t\r"), ": ")
	number, isOne := strings.CutPrefix(head, "- Step ")
	_, err := strconv.Atoi(number)
	return ok && isOne && err == nil && isBecame(what)
}

func isBecame(line string) bool {
	for _, one := range becameLines {
		if one == line {
			return true
		}
	}
	return false
}
