package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/codereview"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// conclude ends the turn in an answer or in one proposal of everything that its rounds made and have not proposed
// yet.
func (t *turn) conclude() error {
	so := t.current.edits
	held := so.format != ""
	x := t.exchange(so.format, t.memory.All)
	r := Result{State: event.TurnAnswered, Answer: x.Prose, Failures: so.failures(), Findings: so.findings, HeldEdits: held}
	changes := effective(t.current.Now.Recent())
	if c := t.resolved.Request.Changes; c != nil {
		found := codereview.Read(x.Prose, *c, t.current.Now)
		if found.Unread != "" {
			t.emit.Note(event.Warning("Could not mark findings in the files: " + found.Unread + ". Run the review again, or choose another model."))
		}
		r.Review, r.Answer = &found, found.Text()
	}
	last := t.rounds.ended[len(t.rounds.ended)-1]
	switch {
	case held && len(changes) > 0:
		if err := t.propose(&r, changes); err != nil {
			return err
		}
		x.Proposal = r.Proposal.ID
	case len(t.proposals.ids) > 0: // the last round has nothing to add
		r.State, x.Proposal = event.TurnProposed, t.proposals.ids[len(t.proposals.ids)-1]
	case so.leftOut && !slices.ContainsFunc(r.Failures, prompt.Final): // its reply says why
	case held && len(r.Failures) > 0:
		t.remember(x)
		return allRefused(r.Failures)
	case last.Context.Format == nil && last.Reply.Finish == llm.FinishLength:
		t.emit.Note(event.Warning("The answer was cut off at the model's length limit."))
	case held:
		t.emit.Note(event.Info("No changes needed: the files already match the model's edits."))
		x.Format = ""
	}
	if r.State == event.TurnAnswered {
		r.Reached = len(so.met) > 0
		t.emit.Note(so.unchanged()...)
	}
	t.remember(x)
	t.end(r)
	return nil
}

// unchanged tells of the goals of a turn that proposes nothing.
func (s editState) unchanged() []event.Note {
	var list []event.Note
	if len(s.met) > 0 {
		passes := " passes."
		if len(s.met) > 1 {
			passes = " pass."
		}
		list = append(list, event.Info("No changes needed: "+allOf(s.met)+passes))
	}
	for _, why := range s.unmet {
		list = append(list, event.Warning(why))
	}
	for _, f := range s.findings {
		if f.Goal != "" {
			list = append(list, event.Warning(strings.TrimSuffix(f.String(), ".")+"."))
		}
	}
	return list
}

// propose makes the turn's proposal, or the next revision of the one it goes on with.
func (t *turn) propose(r *Result, changes []edits.Change) error {
	by := proposal.Checked{Verdict: t.current.edits.verdict, Attempts: t.proposals.attempts, Warnings: t.current.losses(changes), Listed: t.current.edits.listed}
	if len(changes) > mostChanged {
		by.Warnings = append(by.Warnings, fmt.Sprintf("The change covers %d files. Check that all of them are intended.", len(changes)))
	}
	if t.warned.incomplete != "" {
		by.Warnings = append(by.Warnings, t.warned.incomplete)
	}
	by.Warnings = append(by.Warnings, t.current.edits.unmet...)
	for _, f := range t.current.edits.findings {
		if f.Told { // it may be just what was asked for, so it stands in no way
			t.emit.Note(event.Warning(f.String() + "."))
			continue
		}
		by.Warnings = append(by.Warnings, f.String())
	}
	name, label, base := t.id, t.life.label, t.current.Base
	if inRounds(t.current) {
		n := t.rounds.number()
		name, label = proposal.RoundName(t.id, n), proposal.Label(fmt.Sprintf("Step %d: %s", n, t.life.label))
		if len(t.proposals.ids) > 0 {
			base = nil // it was computed on what earlier rounds proposed
		}
	}
	var err error
	if t.proposals.amended != "" {
		r.Proposal, err = t.session.Proposals.Supersede(t.proposals.amended, name, label, changes, base, by)
	}
	if t.proposals.amended == "" || err != nil { // the user has decided on it meanwhile: this is a new one
		r.Proposal, err = t.session.Proposals.Add(name, label, changes, base, by)
	}
	if err != nil {
		return fmt.Errorf("cannot store the change: %w", err)
	}
	t.proposals.amended, t.proposals.ids = "", append(t.proposals.ids, r.Proposal.ID)
	t.session.Commits.WroteBy(name, t.current.Model.Profile.Name)
	r.State = event.TurnProposed
	return nil // the store has told of it
}

// fail ends the turn for an error: the user's cancel as cancelled, everything else as failed.
func (t *turn) fail(err error) {
	if t.life.ctx.Err() != nil {
		t.keep(markStopped)
		t.end(Result{State: event.TurnCancelled, Err: context.Canceled})
		return
	}
	t.keep(markBroke)
	t.end(Result{State: event.TurnFailed, Err: err, Failures: t.current.edits.failures()})
}

// end settles the turn, exactly once. The turn's place is free before anyone hears of its end, so
// that who starts the next one on hearing it is not told that the session is busy.
func (t *turn) end(r Result) {
	t.life.once.Do(func() {
		s := t.session
		r.Turn, r.Usage = t.id, t.usage
		t.proposals.into(&r, t.session.Proposals)
		t.life.result, t.life.handoff = r, handoff{asked: t.resolved.Request.askedAfter(t.current.topic.follows), chat: t.current.Chat, readOnly: slices.Concat(t.current.ReadOnly, pathsOfMedia(t.current.Media)), pasted: pasted(t.current.Media), baseFiles: t.proposals.baseFiles, whole: t.current.Format != nil && prompt.WritesWhole(*t.current.Format)}
		s.Turns.finish(t, r, s.Proposals)
		t.life.cancel(nil)
		keepAlive{o: &s.Engine.o, models: &s.Engine.models, life: s.Life, turns: &s.Turns, tell: s.Conversation.TellNext}.prompt(t.rounds.sent, s.Settings())
		s.Conversation.Shorten()
		defer s.Life.Release()
		defer s.Turns.startQueued()
		defer close(t.life.done)
		t.emit.Emit(event.Event{Kind: event.KindState, State: r.State})
		t.emit.Emit(event.Event{Kind: event.KindEnded, Ended: ended(r)})
		// Texts of whole files are not needed any more.
		t.current, t.rounds.ended, t.memory.All, t.ports, t.resolved.before, t.rounds.sent, t.proposals.baseFiles = Context{}, nil, nil, Ports{}, nil, Prompt{}, nil
	})
}

func ended(r Result) *event.Ended {
	e := &event.Ended{State: r.State}
	for _, f := range r.Failures {
		e.Failures = append(e.Failures, event.FailureRef{Path: f.Path, Reason: f.Reason, Message: f.Message})
	}
	switch {
	case r.State == event.TurnCancelled:
		e.Message = "Stopped. Nothing was changed."
		if len(r.Proposals) > 0 {
			e.Message = "Stopped. The changes from earlier steps stay."
		}
	case r.Err != nil:
		e.Message, e.Advice = llm.Words(r.Err)
	case r.Proposal != nil:
		added, removed := r.Proposal.Counts()
		e.Message = fmt.Sprintf("%s changed, +%d -%d", display.Count(len(r.Proposal.Files), "file"), added, removed)
		if n := len(r.Proposals); n > 1 {
			e.Message = fmt.Sprintf("%d changes, one per step; the last: %s", n, e.Message)
		}
		if n := len(r.Failures); n > 0 {
			e.Message += fmt.Sprintf("; %s refused", display.Count(n, "edit"))
		}
	}
	return e
}

func allRefused(failures []edits.Failure) error {
	p := &event.Problem{Message: "None of the model's edits could be applied."}
	if len(failures) == 1 {
		p.Message = "The model's edit could not be applied."
	}
	p.Message += " " + display.Upper(prompt.Told(failures[0]))
	p.Advice = "Nothing was changed. Rephrase the request, add the relevant files, or choose another edit format or model."
	return p
}

// A turn that goes on by itself can propose what each round has changed as soon as the round has ended (the setting
// turn.stepwise). The proposals build upon each other: the model sees the files with all of them, whatever the user
// has decided by then, and a change that does not fit what is there is refused when it is applied.

// inRounds says whether a turn that stands there proposes after each of its rounds.
func inRounds(at Context) bool {
	return at.Coder.Finishes && at.Settings.Stepwise
}

// number counts the rounds that were no reflections.
func (r turnRounds) number() (n int) {
	for _, r := range r.ended {
		if !r.reflected {
			n++
		}
	}
	return n
}

// proposeRound proposes what the round that has just ended changed, where the user wants that. What follows is a
// change of its own.
func (t *turn) proposeRound() error {
	changes := effective(t.current.Now.Recent())
	if !inRounds(t.current) || len(changes) == 0 {
		return nil
	}
	var r Result
	if err := t.propose(&r, changes); err != nil {
		return err
	}
	t.current.Now = t.current.Now.Mark()
	return nil
}

// into puts all that the turn proposed into its result.
func (made *turnProposals) into(r *Result, store *proposal.Store) {
	for _, id := range made.ids {
		if p, ok := store.Get(id); ok {
			r.Proposals = append(r.Proposals, p)
		}
	}
	if n := len(r.Proposals); n > 0 && r.State == event.TurnProposed {
		r.Proposal = &r.Proposals[n-1]
	}
}

// askedAfter is what the user asked for, behind what was asked in the turns that the request follows up.
func (r Request) askedAfter(before string) string {
	asked := r.Instruction
	if before != "" {
		asked = before + "\n\n" + asked
	}
	for _, d := range r.Diagnostics {
		asked += "\n\n" + d.Message
	}
	return asked
}
