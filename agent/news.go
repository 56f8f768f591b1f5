package agent

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/prompt"
	"coauthor/agent/verify"
)

// news puts all that the model must hear about its reply into one message. A reply that was cut off
// before anything of it could be used is an error: the model would be cut off again.
func (s *settling) news() error {
	n := &s.out.News
	if s.r.circles {
		return nil // a model that is asked again goes on like that
	}
	if n.Cut = s.r.cut(); n.Cut && len(n.Applied) == 0 {
		return s.tooLong()
	}
	n.Failures, n.Same = s.c.so.open, s.c.so.same
	if len(n.Same) > 0 {
		n.Applied = nil // nothing of it is to be kept
	}
	n.Findings = s.findings()
	if n.Empty() || s.onlyTold() {
		return nil
	}
	s.c.so.told = gone(s.c.so.findings)
	s.out.Why = reasons(*n)
	var err error
	s.out.Told, err = n.Text()
	return err
}

// findings words what the checks found for the model.
func (s *settling) findings() []prompt.Finding {
	var list []prompt.Finding
	for _, f := range s.c.so.findings {
		if f.Gone != "" {
			list = append(list, prompt.Finding{Path: f.Path, Text: f.Text + ". Put back what does not have to go; if all of it has to, say so and send no edit. This is what was there:", Lines: f.Gone})
			continue
		}
		list = append(list, prompt.Finding{Path: f.Path, Text: f.Text, Lines: f.Excerpt})
	}
	return list
}

// onlyTold says that nothing is left but definitions that are gone, about which the model was asked
// before and which it did not put back. That was a question, and it has answered.
func (s *settling) onlyTold() bool {
	n, so := s.out.News, s.c.so
	if len(n.Failures) > 0 || len(n.Added) > 0 || len(n.Same) > 0 || n.Cut || so.told == "" {
		return false
	}
	return len(so.findings) > 0 && !slices.ContainsFunc(so.findings, func(f verify.Finding) bool { return f.Gone == "" }) &&
		gone(so.findings) == so.told
}

func gone(findings []verify.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		if f.Gone != "" {
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
	if len(news.Same) > 0 {
		list = append(list, "the reply changed nothing")
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
