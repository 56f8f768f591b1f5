package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// check looks at what the edits made of the files. A check that cannot look is no reason to stop.
func check(ctx context.Context, t *turn) error {
	changes := t.now.Changes()
	if t.format == nil || len(changes) == 0 {
		return nil
	}
	checks := verify.Checks(verify.Level(t.settings.Verify))
	if len(checks) > 0 {
		checks = append(checks, verify.Lost(t.asked))
	}
	for _, c := range checks {
		found, err := c.Run(ctx, changes)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			for what := range strings.Lines(err.Error()) {
				t.tell(event.LevelWarning, fmt.Sprintf("Not checked (%s): %s. Look at it yourself before you apply the change.", c.Name, strings.TrimSuffix(what, "\n")))
			}
		}
		t.findings = append(t.findings, found...)
	}
	return nil
}

// reflect decides whether the model must hear something, puts all of it into one message, and sends
// the turn round again.
func reflect(ctx context.Context, t *turn) error {
	if t.format == nil {
		return nil
	}
	cut := t.reply.Finish == llm.FinishLength || t.reply.Finish == llm.FinishCut
	if cut && len(t.news.Applied) == 0 {
		return t.tooLong()
	}
	t.news.Failures = t.open
	t.news.Cut = cut
	t.news.Findings = t.newsOf(t.findings)
	if t.news.Empty() || t.onlyTold() {
		return nil
	}
	if t.round >= t.settings.MaxReflections {
		if t.round > 0 {
			t.tell(event.LevelWarning, fmt.Sprintf("The model was asked %s to correct its edits; some are still wrong.", times(t.round)))
		}
		return nil
	}
	text, err := t.news.Text()
	if err != nil {
		return err
	}
	t.current.Reflect(text)
	t.told = gone(t.findings)
	t.round++
	t.again = true
	t.enter(event.TurnReflecting)
	t.emit.Emit(event.Event{Kind: event.KindRound, Round: t.round, Of: t.settings.MaxReflections, Text: t.reasons()})
	return nil
}

// newsOf words findings for the model.
func (t *turn) newsOf(findings []verify.Finding) []prompt.Finding {
	var list []prompt.Finding
	for _, f := range findings {
		if f.Gone != "" {
			list = append(list, prompt.Finding{Path: f.Path, Text: f.Text + ". Put back what does not have to go; if all of it has to, say so and send no edit. This is what was there:", Lines: f.Gone})
			continue
		}
		text, err := t.now.Read(f.Path)
		if err != nil {
			continue
		}
		list = append(list, prompt.Finding{Path: f.Path, Text: f.Text, Lines: verify.Excerpt(text, f.First, f.Last)})
	}
	return list
}

// onlyTold says that nothing is left but definitions that are gone, about which the model was asked
// before and which it did not put back. That was a question, and it has answered.
func (t *turn) onlyTold() bool {
	if len(t.news.Failures) > 0 || len(t.news.Added) > 0 || t.news.Cut || t.told == "" {
		return false
	}
	return len(t.findings) > 0 && !slices.ContainsFunc(t.findings, func(f verify.Finding) bool { return f.Gone == "" }) &&
		gone(t.findings) == t.told
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

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// reasons says in a few words why there is another round.
func (t *turn) reasons() string {
	var list []string
	if n := len(t.news.Failures); n > 0 {
		list = append(list, count(n, "edit")+" did not match")
	}
	if n := len(t.news.Added); n > 0 {
		list = append(list, count(n, "file")+" added")
	}
	if n := len(t.news.Findings); n > 0 {
		list = append(list, count(n, "problem")+" found")
	}
	if t.news.Cut {
		list = append(list, "the reply was cut off")
	}
	return strings.Join(list, ", ")
}

func (t *turn) tooLong() error {
	p := &Problem{Message: "The model's reply was cut off at its length limit before an edit was complete."}
	p.Advice = "Nothing was changed. Ask for less at once"
	if t.profile.MaxOutput > 0 {
		p.Advice += fmt.Sprintf(", raise maxOutputTokens (%d)", t.profile.MaxOutput)
	}
	if t.format.Name == "whole" {
		p.Advice += ", or use the edit format diff"
	}
	p.Advice += "."
	return p
}

// conclude ends the turn in an answer or in one proposal of everything that its rounds made.
func conclude(ctx context.Context, t *turn) error {
	x, _ := t.current.Settle()
	x.Turn, x.Format = t.id, ""
	if t.sawEdits {
		x.Format = t.format.Name
	}
	r := Result{State: event.TurnAnswered, Answer: x.Prose, Failures: t.failures(), Findings: t.findings, HeldEdits: t.sawEdits}
	changes := effective(t.now.Changes())
	switch {
	case t.sawEdits && len(changes) > 0:
		if err := t.propose(&r, changes); err != nil {
			return err
		}
		x.Proposal = r.Proposal.ID
	case t.sawEdits && len(r.Failures) > 0:
		t.s.history.Add(x)
		return allRefused(r.Failures)
	case t.format == nil && t.reply.Finish == llm.FinishLength:
		t.tell(event.LevelWarning, "The answer was cut off at the model's length limit.")
	case t.sawEdits:
		t.tell(event.LevelInfo, "The files already are as the model wants them.")
		x.Format = ""
	}
	t.s.history.Add(x)
	t.end(r)
	return nil
}

// propose makes the turn's proposal, or the next revision of the one it goes on with.
func (t *turn) propose(r *Result, changes []edits.Change) error {
	if most := t.settings.MaxFiles; most > 0 && len(changes) > most {
		return &Problem{Message: fmt.Sprintf("The model changed %d files; at most %d are allowed in one turn.", len(changes), most),
			Advice: "Nothing was changed. Ask for less at once, or raise maxFilesPerTurn."}
	}
	var warnings []string
	for _, f := range t.findings {
		warnings = append(warnings, f.String())
	}
	var err error
	if t.amends != "" {
		r.Proposal, err = t.s.proposals.Supersede(t.amends, t.id, t.label, changes, t.base, warnings...)
	}
	if t.amends == "" || err != nil { // the user has decided on it meanwhile: this is a new one
		r.Proposal, err = t.s.proposals.Add(t.id, t.label, changes, t.base, warnings...)
	}
	if err != nil {
		return fmt.Errorf("keep the proposal: %w", err)
	}
	r.State = event.TurnProposed
	t.emit.Emit(event.Event{Kind: event.KindProposal, Proposal: r.Proposal.Ref()})
	return nil
}

// effective leaves out changes that change nothing.
func effective(changes []edits.Change) []edits.Change {
	var list []edits.Change
	for _, c := range changes {
		if c.Op != edits.OpUpdate || c.Before != c.After {
			list = append(list, c)
		}
	}
	return list
}

func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if strings.HasPrefix(s[size:], ".") || strings.Contains(strings.SplitN(s, " ", 2)[0], ".") {
		return s // it begins with a file name
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

func allRefused(failures []edits.Failure) error {
	p := &Problem{Message: "None of the model's edits could be applied."}
	if len(failures) == 1 {
		p.Message = "The model's edit could not be applied."
	}
	p.Message += " " + upper(prompt.Told(failures[0]))
	p.Advice = "Nothing was changed. Ask again in other words, add the files that matter, or choose another edit format or model."
	return p
}
