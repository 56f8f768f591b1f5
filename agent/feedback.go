package agent

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/verify"
	"coauthor/edits"
	"coauthor/edits/formats"
	"coauthor/repomap/syntax"
)

// feedback puts all that the model must hear about its reply into one message. A reply that was cut off
// before anything of it could be used is an error: the model would be cut off again.
func (s *settling) feedback() error {
	n := &s.out.Feedback
	if s.r.Circles {
		return nil // a model that is asked again goes on like that
	}
	if s.r.Stopped != "" {
		if len(effective(s.c.Now.Changes())) == 0 {
			return unfinishedFor(s.r.Stopped)
		}
		return nil
	}
	if n.Cut = s.r.Cut(); n.Cut && len(n.Applied) == 0 {
		return tooLong(s.c.Model.Profile, s.c.Format.Name)
	}
	if s.c.Request.Job != nil {
		return nil // it asks by itself, by JobContext.Feedback
	}
	n.Questions, n.Applied = s.out.asked(s.questions(), s.c.Format), s.out.kept(n.Applied)
	if n.Empty() {
		n.Fence = edits.Fences[0]
		var err error
		s.out.Landed, err = n.Landed()
		return err
	}
	s.out.Why = n.Reasons()
	if format := s.wholeInstead(); format != nil {
		s.c.Format, n.Format = format, format
		s.out.Why += "; asking for whole files"
	}
	s.c.edits.tries = s.c.edits.tries.With(n.Questions)
	in, err := s.c.input()
	if err != nil {
		return err
	}
	n.Fence, n.Files, n.Short = prompt.FenceOf(in), lookedAt{s.c.Now}, prompt.Short(in)
	s.out.Told, err = n.Text()
	return err
}

// rewritten is how many tokens of files a model is asked to write out again instead of correcting its edits.
const rewritten = 6000

// wholeInstead is the format of whole files, where the model does best with that, was asked for another one, and has shown
// that it cannot: asked for the same edits again, a small model repeats them. It is nil where the model should rather
// correct them: one that knows how, or files that are too long.
func (s *settling) wholeInstead() *edits.Format {
	c, n := s.c, s.out.Feedback
	if c.Request.Job != nil || c.Model.Profile.EditFormat != "whole" || len(n.Added) > 0 || s.r.Finish != llm.FinishStop {
		return nil
	}
	if !c.Model.Profile.Small() && (len(n.Applied) > 0 || !slices.ContainsFunc(n.Questions, prompt.Question.Refused)) {
		return nil
	}
	name := "whole"
	if strings.HasPrefix(c.Format.Name, "editor-") {
		name = "editor-whole"
	}
	tokens := 0
	for _, path := range c.Chat {
		text, err := c.Now.Read(path)
		if err != nil {
			continue
		}
		tokens += c.Model.Counter.Count(text)
	}
	if f, ok := formats.ByName(name); ok && c.Format.Name != name && tokens <= rewritten {
		return &f
	}
	return nil
}

// moreThanBlanks says whether a change does more to its file than add and remove blank lines and blanks at
// the ends of lines.
func moreThanBlanks(c edits.Change) bool {
	return c.Op != edits.OpUpdate || !slices.Equal(written(c.Before), written(c.After))
}

// written lists the lines of a text that have something on them, without what follows it.
func written(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// tooLong ends a turn whose reply was cut off before anything of it could be used.
func tooLong(by model.Profile, format string) error {
	p := &event.Problem{Message: "The model's reply was cut off at its length limit before an edit was complete."}
	p.Advice = "Nothing was changed. Make a smaller request"
	if most := by.MaxOutput; most > 0 {
		p.Advice += fmt.Sprintf(", raise maxOutputTokens (%d)", most)
	}
	if format == "whole" {
		p.Advice += ", or use the edit format diff"
	}
	p.Advice += "."
	return p
}

// lookedAt are the files as a Reflection may know them.
type lookedAt struct{ tree verify.Tree }

// Read returns the text of a file.
func (l lookedAt) Read(path string) (string, error) { return l.tree.Read(path) }

// Around returns the first line of the definition that a line is in; that of the class for the first line of a method.
func (l lookedAt) Around(path string, line int) (head string, at int) {
	text, err := l.tree.Read(path)
	if err != nil {
		return "", 0
	}
	first, ok := syntax.Around(path, []byte(text), line-1)
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
		if state.tries.Left(prompt.Refused(f)) {
			open = append(open, f)
		} else {
			state.given = append(slices.Clone(state.given), f)
		}
	}
	if len(open) < len(state.open) {
		state.open = open
		s.note(stillWrong(prompt.MostTries, nil))
	}
	list := askable(state.tries, state.open, state.findings)
	if q, ok := s.nothing(); ok && state.tries.Left(q) {
		list = append(list, q)
	}
	return list
}

// stillWrong says that the model was asked so often, and what is left.
func stillWrong(asked int, left []verify.Finding) event.Note {
	failing := verify.Failing(left)
	switch len(failing) {
	case 0:
		return event.Warning(fmt.Sprintf("Coauthor asked the model %s to correct its edits, but some are still wrong.", times(asked)))
	case 1:
		return event.Warning(fmt.Sprintf("Coauthor asked the model %s to correct its edits, but %s still fails.", times(asked), failing[0]))
	}
	return event.Warning(fmt.Sprintf("Coauthor asked the model %s to correct its edits, but %s still fail.", times(asked), allOf(failing)))
}

// askable are the questions that may still be asked about refused edits and findings.
func askable(t prompt.Tries, refused []edits.Failure, findings []verify.Finding) []prompt.Question {
	var list []prompt.Question
	for _, f := range refused {
		if q := prompt.Refused(f); prompt.Askable(f) && t.Left(q) {
			list = append(list, q)
		}
	}
	for _, f := range findings {
		if q := found(f); !f.Told && t.Left(q) {
			list = append(list, q)
		}
	}
	return list
}

// found is the question about what a check has found.
func found(f verify.Finding) prompt.Question {
	q := prompt.Question{Path: f.Path, Kind: f.Check, Once: f.Once, Why: f.Text, Send: "Send an edit that corrects it."}
	if f.Path != "" {
		q.Why = f.Path + ": " + f.Text
	}
	if f.Goal != "" {
		q.Goal, q.Send = true, fmt.Sprintf("Send edits that make `%s` pass.", f.Goal)
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

// asked adds the questions about what was lost. What checks found in such a file is of a text that is not taken yet.
func (o Outcome) asked(list []prompt.Question, format *edits.Format) []prompt.Question {
	list = slices.DeleteFunc(list, func(q prompt.Question) bool { return !q.Refused() && len(o.kept([]string{q.Path})) == 0 })
	for _, l := range o.Lost {
		list = append(list, l.question(format != nil && len(format.Tools) > 0))
	}
	return list
}

// kept lists the paths that the model is told to have changed: not those that it is asked about.
func (o Outcome) kept(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		return slices.ContainsFunc(o.Lost, func(l lost) bool { return l.now == path })
	})
}
