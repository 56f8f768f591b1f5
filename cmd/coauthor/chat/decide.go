package chat

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Decider has a person at a terminal decide on a change, with the keys of git add -p. It writes nothing. All of it is required.
type Decider struct {
	Session *agent.Session
	Painter Painter // draws hunks, with the width of the terminal
	Height  int     // of the screen in lines; 0 unknown
	Again   bool    // the model can be asked again
	// Show shows a change as a whole.
	Show func(p proposal.Proposal, failures []edits.Failure)
	// Ask takes what is typed behind a question; must says that nothing is no answer. The error is that of a person who is gone.
	Ask func(ctx context.Context, question string, must bool) (string, error)
	// Edit has the user change a text in their own editor, and Page shows them one in their own pager.
	Edit func(ctx context.Context, text, ending string) (string, error)
	Page func(ctx context.Context, text string) error
	// Print writes whole lines that are fit to be shown.
	Print func(text string)
}

// Decided is what somebody wants of a change.
type Decided struct {
	Change proposal.Proposal // as it is now: another attempt may have been taken, or a hunk edited
	Take   bool              // what is undecided of it is to be applied
	Whole  bool              // that is all of it
	Again  string            // what the model is to do differently; "" where it is not to be asked again
}

// decideHelp says what can be answered when a change is there.
func (d Decider) decideHelp() (list [][2]string) {
	list = [][2]string{
		{"y", "Apply the change in all files."},
		{"n", "Do not apply it."},
		{"h", "Decide hunk by hunk."},
		{"r", "Ask the model again; you say what to do differently."},
		{"p", "Show the change in your pager."},
		{"?", "Show this help."},
	}
	if !d.Again {
		list = append(list[:3], list[4:]...)
	}
	return list
}

// Decide shows a change until somebody has decided on it. What they do not want of it is discarded.
func (d Decider) Decide(ctx context.Context, p proposal.Proposal, failures []edits.Failure) (Decided, error) {
	for shown := 0; ; {
		if shown != p.Revision {
			d.Show(p, failures)
			d.Session.Proposals.MarkShown(p.ID, p.Revision)
			shown = p.Revision
		}
		long := d.Height > 0 && strings.Count(proposal.ScreenDiff(p, false), "\n") > d.Height
		word, err := d.Ask(ctx, applyQuestion(p, long, d.Again), true)
		if err != nil {
			return Decided{Change: p}, err
		}
		switch word = strings.ToLower(strings.TrimSpace(word)); {
		case word == "y" || word == "yes":
			return Decided{Change: p, Take: true, Whole: true}, nil
		case word == "n" || word == "no":
			return Decided{Change: p}, nil
		case word == "h" || word == "hunks":
			return d.hunks(ctx, p)
		case word == "p" || word == "pager":
			if err := d.Page(ctx, d.Painter.differ().diff(p)+"\n"); err != nil {
				d.say(lookRed, display.Messages("cannot open your pager: "+err.Error()))
			}
		case d.Again && (word == "r" || word == "retry"):
			text, err := d.Ask(ctx, "What should the model do differently? (Enter: back)", false)
			if err != nil {
				return Decided{Change: p}, err
			}
			if text = strings.TrimSpace(text); text != "" {
				return Decided{Change: p, Again: text}, nil
			}
		default:
			if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(p.Attempts) {
				next, err := d.Session.Proposals.TakeAttempt(proposal.Selector{Proposal: p.ID, Revision: p.Revision}, n)
				if err != nil {
					return Decided{Change: p}, err
				}
				p, failures = next, nil // what was refused was so on the way to the last one
				continue
			}
			d.list(d.decideHelp())
		}
	}
}

// say prints a text of ours, which is fit to be shown.
func (d Decider) say(look, text string) {
	on := d.Painter.differ()
	d.Print(on.style.paint(look, strings.Join(wrap(text, on.width, "  "), "\n")))
}

// list prints what can be answered.
func (d Decider) list(help [][2]string) {
	var rows []string
	on := d.Painter.differ()
	for _, one := range help {
		rows = append(rows, row(one[0], one[1], 3, on.width, on.style)...)
	}
	d.Print(strings.Join(rows, "\n"))
}

func applyQuestion(p proposal.Proposal, long, again bool) string {
	text := "Apply this change?"
	if len(p.Warnings) > 0 { // they may be far above by now
		text = "See the warnings above the diff. Apply this change?"
	}
	keys := "y,n,h"
	if again {
		keys += ",r"
	}
	if long { // its beginning has left the screen
		keys += ",p"
	}
	if len(p.Attempts) > 1 {
		keys += fmt.Sprintf(",1-%d", len(p.Attempts))
	}
	return text + " [" + keys + ",?]"
}

// decider decides here.
func (s *session) decider() Decider {
	return Decider{Session: s.o.Session, Painter: Painter{s.style.colour, s.on.Width()}, Height: s.on.Height(), Again: true,
		Show: s.show, Edit: s.Edit, Page: s.Page, Print: s.on.Print,
		Ask: func(ctx context.Context, question string, must bool) (string, error) {
			return s.on.Ask(ctx, line{before: question, must: must})
		}}
}

// decide shows a change, and applies what the user wants of it. applied says that something of it was.
func (s *session) decide(ctx context.Context, p proposal.Proposal, failures []edits.Failure) (applied bool, err error) {
	defer discard(s.o.Session.Proposals, p.ID) // what is left of it: a change that nobody sees any more is not to wait
	for {
		d, err := s.decider().Decide(ctx, p, failures)
		switch {
		case err == nil && d.Take:
			return s.apply(ctx, d.Change)
		case err != nil || d.Again == "":
			s.say(lookDim, "No files changed.")
			return false, err
		}
		if err := s.request(ctx, agent.Request{Instruction: d.Again, FollowUp: proposal.TurnOf(d.Change.Turn)}); err != nil {
			if ctx.Err() != nil {
				return false, err
			}
			s.say(lookRed, display.Messages(err.Error()))
		}
		next, ok := s.o.Session.Proposals.Get(p.ID)
		if !ok || !next.Pending() {
			return ok && next.State == event.ProposalApplied, nil
		}
		p, failures = next, nil
	}
}

// Edit has the user change a text in their own editor.
func (s *session) Edit(ctx context.Context, text, ending string) (string, error) {
	return s.on.Edit(ctx, text, ending)
}

// Page shows the user a text in their own pager.
func (s *session) Page(ctx context.Context, text string) error { return s.on.Page(ctx, text) }

// discard gives up what is undecided of a change.
func discard(from *proposal.Store, id string) {
	if p, ok := from.Get(id); ok && p.Pending() {
		_, _ = from.Discard(proposal.Selector{Proposal: id, Revision: p.Revision}) // it is gone with the session at the latest
	}
}

// failures are the edits that were refused.
func (s *session) failures(list []edits.Failure) {
	for _, f := range list {
		name := f.Path
		if name != "" {
			name += ": "
		}
		s.say(lookYellow, display.Message("Not applied: "+name+f.Message))
	}
}

// show prints a change: what the checks say of it, the diff, and the files.
func (s *session) show(p proposal.Proposal, failures []edits.Failure) {
	s.failures(failures)
	if p.Verdict != "" {
		s.say(lookDim, display.Message("Checked: "+p.Verdict))
	}
	for _, w := range p.Warnings {
		s.say(lookYellow, display.Message("Warning: "+w))
	}
	if len(p.Attempts) > 1 {
		for i, a := range p.Attempts {
			which := ""
			if i+1 == p.Attempt {
				which = " (shown below)"
			}
			s.say("", display.Message(fmt.Sprintf("Attempt %d: %s%s.", i+1, a, which)))
		}
	}
	d := differ{s.style, s.on.Width()}
	s.on.Print("\n" + d.diff(p) + "\n ")
	if hidden := proposal.HiddenLines(p); len(hidden) > 0 {
		s.say(lookYellow, display.Message(fmt.Sprintf("Note: The change adds hidden characters. The first is on line %d of %s: %s", hidden[0].Line, hidden[0].Path, hidden[0].Text)))
	}
	s.on.Print(strings.Join(d.summary(p), "\n"))
}

// apply applies what is undecided of a change, and tells what became of it.
func (s *session) apply(ctx context.Context, p proposal.Proposal) (applied bool, err error) {
	out, err := s.o.Session.Proposals.Apply(ctx, proposal.Selector{Proposal: p.ID, Revision: p.Revision}, s.o.Deliver(s.consent))
	if err != nil {
		return false, err
	}
	for _, line := range Outcome(out) {
		s.say("", display.Message(line))
	}
	s.o.Session.Commits.Wait(ctx)
	applied = out.Status == proposal.StatusApplied || out.Status == proposal.StatusPartial
	if o := s.o.Session.Consent.Suggest(ctx); len(o.Tools) > 0 {
		_, err = s.o.Session.Consent.Offer(ctx, o, s)
	}
	return applied, err
}

// consent asks about a protected file by its name.
func (s *session) consent(ctx context.Context, path string) bool {
	what := path + " is protected"
	if d := s.o.Session.Workspace.Door().Check(ctx, path, workspace.OpEdit); d.Verdict == workspace.Ask {
		what = strings.TrimSuffix(d.Reason, ".") // names the rule, and where a link leads
	}
	a, err := s.Ask(ctx, event.Question{Text: what + ". Change it anyway?", Choices: []string{"yes", "no"}, Default: "no"})
	return err == nil && a.Choice == "yes"
}
