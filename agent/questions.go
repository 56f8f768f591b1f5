package agent

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/verify"
	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// mostTries is how often a model is asked about one file in one request. What is wrong with it then the user is told.
const mostTries = 2

// tries counts how often the model was asked about what: about a file, or about what may be right as it is.
type tries map[string]int

func keyOf(q prompt.Question) string {
	if q.Once {
		return q.Path + "\x00" + q.Kind
	}
	return q.Path
}

// left says whether a question may still be asked.
func (t tries) left(q prompt.Question) bool {
	if q.Once {
		return t[keyOf(q)] == 0
	}
	return t[keyOf(q)] < mostTries
}

// with counts questions that are asked together: those about one file as one try.
func (t tries) with(list []prompt.Question) tries {
	more := tries{}
	for key, n := range t {
		more[key] = n
	}
	for _, q := range list {
		more[keyOf(q)] = t[keyOf(q)] + 1
	}
	return more
}

// lookedAt are the files as a Reflection may know them.
type lookedAt struct{ tree verify.Tree }

// Read returns the text of a file.
func (l lookedAt) Read(path string) (string, error) { return l.tree.Read(path) }

// Around returns the first line of the definition that a line is in.
func (l lookedAt) Around(path string, line int) (head string, at int) {
	text, err := l.tree.Read(path)
	if err != nil {
		return "", 0
	}
	first, _, _, ok := syntax.Enclosing(path, []byte(text), line-1)
	lines := strings.Split(text, "\n")
	if !ok || first >= len(lines) {
		return "", 0
	}
	return strings.TrimSpace(lines[first]), first + 1
}

// questions are what the model is asked about after this round. Refused edits of files that it was asked about often
// enough are left to the user.
func (s *settling) questions() []prompt.Question {
	state := &s.c.edits
	var open []edits.Failure
	for _, f := range state.open {
		if state.tries.left(prompt.Refused(f)) {
			open = append(open, f)
		} else {
			state.given = append(slices.Clone(state.given), f)
		}
	}
	if len(open) < len(state.open) {
		state.open = open
		s.note(stillWrong())
	}
	list := state.tries.questions(state.open, state.findings)
	if q, ok := s.nothing(); ok && state.tries.left(q) {
		list = append(list, q)
	}
	return list
}

func stillWrong() event.Note {
	return event.Warning(fmt.Sprintf("Coauthor asked the model %s to correct its edits, but some are still wrong.", times(mostTries)))
}

// questions are those that may still be asked about refused edits and findings.
func (t tries) questions(refused []edits.Failure, findings []verify.Finding) []prompt.Question {
	var list []prompt.Question
	for _, f := range refused {
		if q := prompt.Refused(f); prompt.Askable(f) && t.left(q) {
			list = append(list, q)
		}
	}
	for _, f := range findings {
		if q := found(f); !f.Told && t.left(q) {
			list = append(list, q)
		}
	}
	return list
}

// found is the question about what a check has found.
func found(f verify.Finding) prompt.Question {
	q := prompt.Question{Path: f.Path, Kind: f.Check, Why: f.Text, Send: "Send an edit that corrects it."}
	if f.Path != "" {
		q.Why = f.Path + ": " + f.Text
	}
	if f.Excerpt != "" {
		q.Places, q.Line = []prompt.Place{{Path: f.Path, Text: f.Excerpt}}, f.Line
	}
	return q
}

// nothing is the question about edits that change nothing, or nothing but blank lines, which is seldom what was meant.
func (s *settling) nothing() (prompt.Question, bool) {
	if len(s.out.Edits) == 0 || len(s.c.edits.failures())+len(s.out.Feedback.Added) > 0 || slices.ContainsFunc(effective(s.c.Now.Changes()), moreThanBlanks) {
		return prompt.Question{}, false
	}
	return prompt.Question{Kind: "nothing", Once: true, Why: "Your edits change nothing, or nothing but blank lines.",
		Send: "If lines have to become different, say in one or two sentences which and how, and then send edits that change them. If it is right so, say so and send no edit."}, true
}
