package agent

import (
	"regexp"
	"strings"

	"coauthor/edits"
)

// editMarks are the lines with which the edit formats begin and end their edits. Lines of git's conflicts have a label that
// none of these has.
var editMarks = regexp.MustCompile(`(?m)^[ \t]*(?:<{5,9}(?: ?SEARCH)?|>{5,9}(?: ?REPLACE)?|\*\*\* (?:Update|Add|Delete) File: .+|--- \S+\r?\n[ \t]*\+\+\+ \S+)[ \t]*\r?$`)

// noEdits refuses a reply that has such lines and no edit that could be read: the model meant to change something, and would
// not hear otherwise that nothing of it came through. Every other reply without edits is an answer; what one means to a job is
// for the job to say.
func (s *settling) noEdits() {
	if s.c.Request.Job != nil || len(s.r.Edits)+len(s.r.Problems) > 0 || s.r.cut() || s.c.speaksOfMarkup() || !s.c.Coder.Edits {
		return
	}
	marks := editMarks.FindAllStringIndex(s.r.Text, -1)
	if len(marks) == 0 {
		return
	}
	line := func(at int) int { return 1 + strings.Count(s.r.Text[:at], "\n") }
	s.r.Problems = []edits.Problem{{Edit: -1, Reason: edits.ReasonNoEdits, First: line(marks[0][0]), Last: line(marks[len(marks)-1][1]),
		Message: "your reply has lines that mark edits, but no edit in it is complete, so nothing was changed"}}
}
