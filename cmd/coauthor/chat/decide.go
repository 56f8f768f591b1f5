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

// decideHelp says what can be answered when a change is there.
var decideHelp = [][2]string{
	{"y", "Apply the change in all files."},
	{"n", "Do not apply it."},
	{"h", "Decide hunk by hunk."},
	{"r", "Ask the model again; you say what to do differently."},
	{"p", "Show the change in your pager."},
	{"?", "Show this help."},
}

// decide shows a change, and applies what the user wants of it. applied says that something of it was.
func (s *session) decide(ctx context.Context, p proposal.Proposal, failures []edits.Failure) (applied bool, err error) {
	defer discard(s.o.Session.Proposals, p.ID) // what is left of it: a change that nobody sees any more is not to wait
	for shown := 0; ; {
		if shown != p.Revision {
			s.show(p, failures)
			s.o.Session.Proposals.MarkShown(p.ID, p.Revision)
			shown = p.Revision
		}
		long := strings.Count(proposal.ScreenDiff(p, false), "\n") > s.on.Height()
		word, err := s.on.Ask(ctx, line{before: applyQuestion(p, long), must: true})
		if err != nil {
			s.say(lookDim, "No files changed.")
			return false, err
		}
		switch word = strings.ToLower(strings.TrimSpace(word)); word {
		case "y", "yes":
			return s.apply(ctx, p)
		case "n", "no":
			s.say(lookDim, "No files changed.")
			return false, nil
		case "h", "hunks":
			some, changed, err := s.hunks(ctx, p)
			if err != nil {
				return false, err
			}
			if !some {
				s.say(lookDim, "No files changed.")
				return false, nil
			}
			return s.apply(ctx, changed)
		case "p", "pager":
			if err := s.on.Page(ctx, differ{s.style, s.on.Width()}.diff(p)+"\n"); err != nil {
				s.say(lookRed, display.Messages("cannot open your pager: "+err.Error()))
			}
		case "r", "retry":
			text, err := s.on.Ask(ctx, line{before: "What should the model do differently? (Enter: back)"})
			if err != nil {
				return false, err
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			if err := s.request(ctx, agent.Request{Instruction: text, FollowUp: proposal.TurnOf(p.Turn)}); err != nil {
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
		default:
			if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(p.Attempts) {
				next, err := s.o.Session.Proposals.TakeAttempt(proposal.Selector{Proposal: p.ID, Revision: p.Revision}, n)
				if err != nil {
					return false, err
				}
				p, failures = next, nil
				continue
			}
			s.list(decideHelp)
		}
	}
}

// list prints what can be answered.
func (s *session) list(help [][2]string) {
	var rows []string
	for _, one := range help {
		rows = append(rows, row(one[0], one[1], 3, s.on.Width(), s.style)...)
	}
	s.on.Print(strings.Join(rows, "\n"))
}

func applyQuestion(p proposal.Proposal, long bool) string {
	text := "Apply this change?"
	if len(p.Warnings) > 0 { // they may be far above by now
		text = "See the warnings above the diff. Apply this change?"
	}
	keys := "y,n,h,r"
	if long { // its beginning has left the screen
		keys += ",p"
	}
	if len(p.Attempts) > 1 {
		keys += fmt.Sprintf(",1-%d", len(p.Attempts))
	}
	return text + " [" + keys + ",?]"
}

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
