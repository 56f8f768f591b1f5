package agent

import (
	"fmt"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// A turn that goes on by itself can propose what each round has changed as soon as the round has ended (the setting
// auto.propose). The proposals build upon each other: the model sees the files with all of them, whatever the user
// has decided by then, and a change that does not fit what is there is refused when it is applied.

// inRounds says whether a turn that stands there proposes after each of its rounds.
func inRounds(at Context) bool {
	return at.Coder.Finishes && at.Settings.Auto.Propose == "round"
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
	changes := effective(t.at.Now.Recent())
	if !inRounds(t.at) || len(changes) == 0 {
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
func (made *turnProposals) rejected(store *proposal.Store) string {
	for _, id := range made.ids {
		p, ok := store.Get(id)
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
