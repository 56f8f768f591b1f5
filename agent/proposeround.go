package agent

import (
	"fmt"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
)

// A turn that goes on by itself can propose what each round has changed as soon as the round has ended (the setting
// auto.propose). The proposals build upon each other: the model sees the files with all of them, whatever the user
// has decided by then, and a change that does not fit what is there is refused when it is applied.

// inRounds says whether the turn proposes after each of its rounds.
func (t *turn) inRounds() bool {
	return t.at.Coder.Finishes && t.at.Settings.Auto.Propose == "round"
}

// number counts the rounds that were no reflections.
func (t *turn) number() (n int) {
	for _, r := range t.rounds.ended {
		if !r.reflected {
			n++
		}
	}
	return n
}

// named is under which name and label the turn proposes now, and the snapshot that the change was computed on; nil
// where that is what earlier rounds proposed.
func (t *turn) named() (name, label string, base *workspace.Snapshot) {
	if !t.inRounds() {
		return t.id, t.life.label, t.at.Base
	}
	n := t.number()
	name, label = proposal.RoundName(t.id, n), proposal.Label(fmt.Sprintf("Step %d: %s", n, t.life.label))
	if len(t.proposals.ids) > 0 {
		return name, label, nil
	}
	return name, label, t.at.Base
}

// proposeRound proposes what the round that has just ended changed, where the user wants that. What follows is a
// change of its own.
func (t *turn) proposeRound() error {
	changes := effective(t.at.Now.Recent())
	if !t.inRounds() || len(changes) == 0 {
		return nil
	}
	var r Result
	if err := t.propose(&r, changes); err != nil {
		return err
	}
	t.at.Now = t.at.Now.Mark()
	return nil
}

// rejected says which round's change the user has rejected while the turn went on; "" for none.
func (t *turn) rejected() string {
	for _, id := range t.proposals.ids {
		p, ok := t.s.proposals.Get(id)
		if !ok {
			continue
		}
		is := ""
		switch p.State {
		case event.ProposalDiscarded:
			is = "discarded"
		case event.ProposalUndone:
			is = "undone"
		case event.ProposalPending, event.ProposalApplying, event.ProposalApplied, event.ProposalPartial,
			event.ProposalConflict, event.ProposalUnverified, event.ProposalSuperseded:
			continue
		}
		return fmt.Sprintf("The change builds on step %d, which you have %s. Check that it still makes sense.", proposal.RoundOf(p.Turn), is)
	}
	return ""
}

// gathered puts all that the turn proposed into its result.
func (t *turn) gathered(r *Result) {
	for _, id := range t.proposals.ids {
		if p, ok := t.s.proposals.Get(id); ok {
			r.Proposals = append(r.Proposals, p)
		}
	}
	if n := len(r.Proposals); n > 0 && r.State == event.TurnProposed {
		r.Proposal = &r.Proposals[n-1]
	}
}
