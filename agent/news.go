package agent

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/verify"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// news puts all that the model must hear about its reply into one message. A reply that was cut off
// before anything of it could be used is an error: the model would be cut off again.
func (s *settling) news() error {
	n := &s.out.News
	if s.r.circles {
		return nil // a model that is asked again goes on like that
	}
	if s.r.stopped != "" {
		if len(effective(s.c.Now.Changes())) == 0 {
			return unfinishedFor(s.r.stopped)
		}
		return nil
	}
	if n.Cut = s.r.cut(); n.Cut && len(n.Applied) == 0 {
		return s.tooLong()
	}
	if format := s.wholeInstead(); format != nil {
		s.out.Restart = s.restart()
		s.out.Restart.Format, s.out.Restart.Hint = format, ""
		s.out.Why = "the edits did not fit, so whole files are asked for"
		if len(s.c.so.open) == 0 && len(s.c.so.findings) > 0 {
			s.out.Why = count(len(s.c.so.findings), "problem") + " found, so whole files are asked for"
			kept := s.c
			kept.Notes, s.out.Restart.kept = nil, &kept
		}
		s.out.Told = "Write the whole files." // not sent: what was wrong with blocks says nothing about listings
		return nil
	}
	if wrong, why := s.useless(); wrong != "" {
		s.out.Told, s.out.Why = prompt.Restart(wrong), why
		s.out.Restart = s.restart()
		return nil
	}
	n.Failures = s.c.so.open
	n.Findings = s.findings()
	if n.Empty() || s.onlyTold() {
		return nil
	}
	s.c.so.told = questions(s.c.so.findings)
	s.out.Why = reasons(*n)
	var err error
	s.out.Told, err = n.Text()
	return err
}

// useless says what is wrong with a first reply that is no base for a second one: the model is better
// asked again as if there had been none. It is one that changed nothing or blank lines only, or whole files without what they
// should have kept, of which the model would see no more than what is left. why is the same for the user.
func (s *settling) useless() (wrong, why string) {
	if !s.first || len(s.out.News.Added) > 0 || s.r.Finish != llm.FinishStop || len(s.c.so.open) > 0 {
		return "", ""
	}
	if s.unchanged {
		return "An earlier try left every file as it is, so nothing of this is done yet.", "the reply changed nothing"
	}
	if s.blanks {
		return "An earlier try changed nothing but blank lines, so it was not taken.", "the reply changed only blank lines"
	}
	var lost []string
	for _, f := range s.c.so.findings {
		if f.Gone != "" {
			lost = append(lost, f.Path+" "+f.Text)
		}
	}
	if len(lost) == 0 || !wholeFiles(s.out.Edits) {
		return "", ""
	}
	return "An earlier try was not taken, for after it " + strings.Join(lost, "; ") + ". A listing has to hold everything of its file that stays.",
		"definitions were left out"
}

// rewritten is how many tokens of files a model is asked to write out again instead of correcting its edits.
const rewritten = 6000

// wholeInstead is the format of whole files, where the model does best with that, was asked for another one, and has shown
// with its first reply that it cannot: asked for the same edits again, or for what they left out, a small model repeats
// them. It is nil where the model should rather correct them: one that knows how, or files that are too long.
func (s *settling) wholeInstead() *edits.Format {
	c := s.c
	if !s.first || c.Request.Job != nil || c.Model.Profile.EditFormat != "whole" || len(s.out.News.Added) > 0 || s.r.Finish != llm.FinishStop {
		return nil
	}
	failed := len(c.so.open) > 0 && (len(s.out.News.Applied) == 0 || c.Model.Profile.Small())
	if !failed && (!c.Model.Profile.Small() || !s.unchanged && !s.onlyRead()) {
		return nil
	}
	name := "whole"
	if strings.HasPrefix(c.Format.Name, "editor-") {
		name = "editor-whole"
	}
	tokens := 0
	for _, path := range s.from.Chat {
		text, err := s.from.Now.Read(path)
		if err != nil {
			return nil
		}
		tokens += c.Model.Counter.Count(text)
	}
	if f, ok := formats.ByName(name); ok && c.Format.Name != name && tokens <= rewritten {
		return &f
	}
	return nil
}

// onlyRead says that the checks found something, and that all of it was found by reading: what a command says the model
// has to be told.
func (s *settling) onlyRead() bool {
	own := verify.Checks()
	return len(s.c.so.findings) > 0 && !slices.ContainsFunc(s.c.so.findings, func(f verify.Finding) bool {
		return !slices.ContainsFunc(own, func(c verify.Check) bool { return c.Name == f.Check })
	})
}

// restart is where the round began, with what the model has to mind this time. What the user has allowed
// and added since holds.
func (s *settling) restart() *Context {
	c := s.c
	c.Now, c.so, c.Missing, c.Hint, c.Notes = s.from.Now, s.from.so, s.from.Missing, s.out.Told, nil
	c.Chat = slices.DeleteFunc(slices.Clone(s.c.Chat), func(path string) bool { return !s.from.inChat(path) && !s.from.Now.Exists(path) })
	return &c
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

// wholeFiles says whether edits are nothing but files written out.
func wholeFiles(list []edits.Edit) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(e edits.Edit) bool { return e.Kind != edits.KindWhole })
}

// findings words what the checks found for the model. A model that writes whole files takes lines that it
// is shown for all of the file, so it is told of one line and shown none.
func (s *settling) findings() []prompt.Finding {
	var list []prompt.Finding
	whole := wholeFiles(s.out.Edits)
	for _, f := range s.c.so.findings {
		switch {
		case f.Gone != "":
			list = append(list, prompt.Finding{Path: f.Path, Text: f.Text + ". Put back what does not have to go; if all of it has to, say so and send no edit. This is what was there:", Lines: f.Gone})
		case f.Once:
			list = append(list, prompt.Finding{Path: f.Path, Text: f.Text + " If it is right so, say so and send no edit."})
		case whole:
			list = append(list, prompt.Finding{Path: f.Path, Text: f.Text + s.quoted(f)})
		default:
			list = append(list, prompt.Finding{Path: f.Path, Text: f.Text, Lines: f.Excerpt})
		}
	}
	return list
}

// quoted is the first line of a finding behind its text.
func (s *settling) quoted(f verify.Finding) string {
	text, err := s.c.Now.Read(f.Path)
	lines := strings.Split(text, "\n")
	if err != nil || f.First < 1 || f.First > len(lines) || strings.TrimSpace(lines[f.First-1]) == "" {
		return ""
	}
	return " (the line is: " + strings.TrimSpace(lines[f.First-1]) + ")"
}

// onlyTold says that nothing is left but what the model was asked about before, as definitions that are gone,
// and did not correct. That was a question, and it has answered.
func (s *settling) onlyTold() bool {
	n, so := s.out.News, s.c.so
	if len(n.Failures) > 0 || len(n.Added) > 0 || n.Cut || so.told == "" {
		return false
	}
	return len(so.findings) > 0 && !slices.ContainsFunc(so.findings, func(f verify.Finding) bool { return !isQuestion(f) }) &&
		questions(so.findings) == so.told
}

// isQuestion says whether a finding may be wrong, so that the model is asked once.
func isQuestion(f verify.Finding) bool { return f.Gone != "" || f.Once }

func questions(findings []verify.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		if isQuestion(f) {
			b.WriteString(f.String() + "\n")
		}
	}
	return b.String()
}

// reasons says in a few words why there is another round.
func reasons(news prompt.Reflection) string {
	var list []string
	if n := len(news.Failures); n > 0 {
		list = append(list, count(n, "edit")+" did not match")
	}
	if n := len(news.Added); n > 0 {
		list = append(list, count(n, "file")+" added")
	}
	if n := len(news.Findings); n > 0 {
		list = append(list, count(n, "problem")+" found")
	}
	if news.Cut {
		list = append(list, "the reply was cut off")
	}
	return strings.Join(list, ", ")
}

func (s *settling) tooLong() error {
	p := &problem{Message: "The model's reply was cut off at its length limit before an edit was complete."}
	p.Advice = "Nothing was changed. Ask for less at once"
	if most := s.c.Model.Profile.MaxOutput; most > 0 {
		p.Advice += fmt.Sprintf(", raise maxOutputTokens (%d)", most)
	}
	if s.c.Format.Name == "whole" {
		p.Advice += ", or use the edit format diff"
	}
	p.Advice += "."
	return p
}
