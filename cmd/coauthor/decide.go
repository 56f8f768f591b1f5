package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
	"coauthor/edits"
)

// rounds decides on what a turn has proposed, a change for each of its rounds.
func (c *EditCmd) rounds(ctx context.Context, h *headless, result agent.Result) (int, error) {
	if result.Proposal == nil {
		return unchanged(h.out, result)
	}
	for i, p := range result.Proposals {
		one := result
		one.Proposal = &p
		if i < len(result.Proposals)-1 {
			one.Failures = nil // they are told with the last
		}
		if code, err := c.decideRound(ctx, h, one); err != nil || code != 0 || i == len(result.Proposals)-1 {
			return code, err
		}
	}
	return 0, nil
}

// decideRound is decide for one of the changes of a turn, which may have proposed one after each of its rounds. What
// comes after one that is not applied would have nothing to build upon.
func (c *EditCmd) decideRound(ctx context.Context, h *headless, r agent.Result) (int, error) {
	n := proposal.RoundOf(r.Proposal.Turn)
	if n > 0 && !h.flags.JSON {
		h.out.tell("Step %d:", n)
	}
	code, err := c.decide(ctx, h, r)
	if last := r.Proposals[len(r.Proposals)-1]; n > 0 && last.ID != r.Proposal.ID && (err != nil || code != 0) {
		h.out.tell("Later steps build on step %d, so coauthor did not write their changes either.", n)
	}
	return code, err
}

// unchanged ends an edit whose turn proposes nothing. A script must see that nothing was done.
func unchanged(out *turnPrinter, r agent.Result) (int, error) {
	switch {
	case r.Reached:
		return 0, nil // so the turn has said
	case r.HeldEdits:
		out.failures(r.Failures)
		return 1, nil // the turn has said that the files are so already, or that the model left its edits out
	}
	if failing := verify.Failing(r.Findings); len(failing) > 0 {
		return 1, fmt.Errorf("no files changed; still failing: %s", strings.Join(failing, ", "))
	}
	return 1, errors.New("no files changed, because the answer contains no edit; ask for a specific change or name the files to change")
}

// answer goes on with a turn whose reply holds no edit, which is often a question, for as long as the user answers it. What
// of a reply was kept back as an edit and was none is shown first.
func (c *EditCmd) answer(ctx context.Context, h *headless, r agent.Result) (agent.Result, error) {
	for r.Proposal == nil && !r.HeldEdits && !r.Reached && !c.Yes && h.interactive() {
		if h.out.passed < h.out.came && !h.flags.JSON {
			h.out.text(strings.TrimSpace(r.Answer) + "\n")
		}
		h.out.tell("The answer contains no edit.")
		next, answered, err := h.reply(ctx, "Your answer to the model, for example \"make that change\" (Enter: none):", agent.Request{Coder: c.coder, Format: c.Format})
		if err != nil || !answered {
			return r, err
		}
		r = next
	}
	return r, nil
}

// reply lets the user answer the model in their own words, and goes on with that. answered is false where they do not.
func (h *headless) reply(ctx context.Context, question string, request agent.Request) (r agent.Result, answered bool, err error) {
	a, err := h.put(ctx, event.Question{Text: question, FreeText: true})
	if err != nil || strings.TrimSpace(a.Text) == "" {
		return r, false, err
	}
	h.flags.Message = a.Text
	h.out.came, h.out.passed = 0, 0
	r, err = h.turn(ctx, request)
	return r, true, err
}

// present sees to it that the files are there which the user named. A change may be to make one, if they say so; c is nil
// where nothing is to be changed.
func (h *headless) present(ctx context.Context, c *EditCmd) error {
	for _, path := range missing(h.ws.Snapshot(), h.read) {
		return fmt.Errorf("there is no file %s, so coauthor sent nothing; check the file name", path)
	}
	for _, path := range missing(h.ws.Snapshot(), h.files) {
		switch {
		case c == nil:
			return fmt.Errorf("there is no file %s, so coauthor sent nothing; check or remove the file name", path)
		case c.Yes, c.Preview, c.DryRun:
			continue // the turn tells it, and the change shows whether it is made
		case !h.interactive():
			return fmt.Errorf("there is no file %s, so coauthor sent nothing; check the file name, or add --yes to create the file", path)
		}
		a, err := h.put(ctx, event.Question{Text: fmt.Sprintf("There is no file %s. Create it?", path), Choices: []string{"yes", "no"}, Default: "no"})
		if err != nil {
			return err
		}
		if a.Choice != "yes" {
			return fmt.Errorf("there is no file %s, so coauthor sent nothing", path)
		}
	}
	return nil
}

// missing are those of the files that are not there.
func missing(now *workspace.Snapshot, files []string) (lost []string) {
	for _, path := range files {
		if _, err := now.Read(path); errors.Is(err, fs.ErrNotExist) {
			lost = append(lost, path)
		}
	}
	return lost
}

// unwritten says that a change was not written, as the beginning of a sentence: of a later round, others were.
func unwritten(p proposal.Proposal) string {
	if n := proposal.RoundOf(p.Turn); n > 0 {
		return fmt.Sprintf("skipped the change from step %d", n)
	}
	return "no files changed"
}

// decide shows the proposal and applies it if the user wants that.
func (c *EditCmd) decide(ctx context.Context, h *headless, r agent.Result) (int, error) {
	p := *r.Proposal
	code := 0
	if len(r.Failures) > 0 {
		code = 1
	}
	asks := !c.DryRun && !c.Preview && !c.Yes && h.interactive()
	if !asks {
		h.out.change(p, r.Failures, c.Preview || c.DryRun)
		h.session.Proposals.MarkShown(p.ID, p.Revision)
	}
	if c.DryRun || c.Preview {
		h.out.files(p)
		return code, nil
	}
	switch {
	case c.Yes && len(p.Warnings) > 0 && !c.Force:
		return 1, fmt.Errorf("%s, because the change has warnings; run the command without --yes to review them, or add --force to apply the change anyway", unwritten(p))
	case !c.Yes && !asks:
		return 1, fmt.Errorf("%s, because coauthor cannot ask without a terminal; add --yes to apply without asking", unwritten(p))
	case asks:
		d, err := h.decided(ctx, p, r.Failures)
		switch {
		case err != nil:
			return 1, err
		case d.Again != "":
			return c.again(ctx, h, d)
		case !d.Take:
			h.out.tell("%s.", strings.ToUpper(unwritten(p)[:1])+unwritten(p)[1:])
			return 1, nil
		case !d.Whole:
			code = 1
		}
		p = d.Change
	}
	if h.beforeWrite != nil {
		if err := h.beforeWrite(ctx); err != nil {
			return 1, err
		}
	}
	outcome, err := h.session.Proposals.Apply(ctx, proposal.Selector{Proposal: p.ID, Revision: p.Revision}, &disk{ws: h.ws, consent: h.consent})
	if err != nil {
		return 1, err
	}
	h.out.outcome(outcome)
	h.session.Commits.Wait(ctx)
	if err := c.offerChecks(ctx, h); err != nil {
		return 1, err
	}
	if outcome.Status != proposal.StatusApplied {
		return 1, nil
	}
	return code, nil
}

// decided has the person at the terminal decide on a change, as in a session.
func (h *headless) decided(ctx context.Context, p proposal.Proposal, failures []edits.Failure) (chat.Decided, error) {
	out := h.s.Out
	if h.s.ask == nil && (h.flags.JSON || !console.Is(out)) { // it goes into a file, and who is asked sees the other one
		out = h.s.Err
	}
	to := out
	if tty, ok := console.Unwrap(out).(*os.File); ok { // programs of the user's want it itself
		to = tty
	}
	_, height := console.Size(out)
	d := chat.Decider{
		Session: h.session, Painter: chat.Painter{Colour: h.s.colour(out), Width: console.Width(out)}, Height: height, Again: h.session.Turns.Regenerable(p),
		Show:  func(p proposal.Proposal, failures []edits.Failure) { h.out.change(p, failures, false) },
		Ask:   h.line,
		Print: func(text string) { fmt.Fprintln(out, strings.TrimSuffix(text, "\n")) },
		Edit: func(_ context.Context, text, ending string) (string, error) {
			return chat.EditText(text, ending, h.s.In, to)
		},
		Page: func(_ context.Context, text string) error { return chat.PageText(text, to) },
	}
	if h.s.ask != nil {
		d.Edit, d.Page = h.s.ask.Edit, h.s.ask.Page
	}
	return d.Decide(ctx, p, failures)
}

// line takes what is typed behind a question. The end of the input is a no.
func (h *headless) line(ctx context.Context, question string, must bool) (string, error) {
	h.out.pause()
	if h.s.ask != nil {
		a, err := h.s.ask.Ask(ctx, event.Question{Text: question, FreeText: true})
		return a.Text, err
	}
	fmt.Fprint(h.s.Err, chat.Fold(question, h.width)+" ")
	word, err := (&terminal{in: h.in}).line(ctx)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(h.s.Err) // nobody has typed the end of the line, and so nobody has agreed
		if word, err = "", nil; must {
			word = "n"
		}
	}
	return word, err
}

// again has the model do it differently, and decides on what comes.
func (c *EditCmd) again(ctx context.Context, h *headless, d chat.Decided) (int, error) {
	result, err := h.turnFor(ctx, agent.Request{Instruction: d.Again, FollowUp: proposal.TurnOf(d.Change.Turn), Format: c.Format, Files: h.files, ReadOnly: h.read, Goals: h.goals}, h)
	if err != nil {
		return 1, err
	}
	if result, err = c.answer(ctx, h, result); err != nil {
		return 1, err
	}
	return c.rounds(ctx, h, result)
}

// consent asks about a protected file by its name. Only a person can agree: --yes does not.
func (h *headless) consent(ctx context.Context, path string) bool {
	if !h.interactive() {
		return false
	}
	what := path + " is protected"
	if d := h.ws.Door().Check(ctx, path, workspace.OpEdit); d.Verdict == workspace.Ask {
		what = strings.TrimSuffix(d.Reason, ".") // names the rule, and where a link leads
	}
	a, err := h.put(ctx, event.Question{Text: what + ". Change it anyway?", Choices: []string{"yes", "no"}, Default: "no"})
	return err == nil && a.Choice == "yes"
}

func (h *headless) interactive() bool { return h.s.ask != nil || console.Is(h.s.In) }

// Ask implements event.Asker on the terminal. With --yes, files that the model needs are added and plans carried out;
// without a terminal everything else gets its default.
func (h *headless) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	for _, choice := range []string{"add", coder.GoOn} {
		if h.yes && slices.Contains(q.Choices, choice) {
			return event.Answer{Choice: choice}, ctx.Err()
		}
	}
	if h.runs && slices.Contains(q.Choices, command.RanChoice) {
		return event.Answer{Choice: command.RanChoice}, ctx.Err()
	}
	if !h.interactive() {
		return event.Default().Ask(ctx, q)
	}
	return h.put(ctx, q)
}

// put asks on the terminal, on a line of its own.
func (h *headless) put(ctx context.Context, q event.Question) (event.Answer, error) {
	h.out.pause()
	if h.s.ask != nil {
		return h.s.ask.Ask(ctx, q)
	}
	return (&terminal{in: h.in, out: h.s.Err, width: h.width}).put(ctx, q)
}
