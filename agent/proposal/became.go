package proposal

import (
	"slices"

	"coauthor/agent/event"
	"coauthor/edits"
)

// LastChange returns what a turn was asked for, and the last change of a path that it made, or that taking it back made, as
// far as that is still there.
func (s *Sent) LastChange(turn, path string) (label string, c edits.Change, ok bool) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	for _, d := range slices.Backward(s.book.sent.list) {
		if d.turn != turn {
			continue
		}
		for i := range d.files {
			if d.live(i) && slices.Contains(touched(d.files[i].change), path) {
				return d.bare(), d.files[i].change, true
			}
		}
	}
	return "", edits.Change{}, false
}

// BecameOf is Became for what a turn has proposed, in a revision that a later turn may have replaced.
func (s *Sent) BecameOf(turn string) event.ProposalState {
	id := ""
	s.book.mu.Lock()
	for _, e := range s.book.proposals.list {
		if e.now.Turn == turn {
			id = e.now.ID
		}
		if slices.ContainsFunc(e.old, func(p Proposal) bool { return p.Turn == turn }) && e.now.Turn != turn {
			s.book.mu.Unlock()
			return event.ProposalSuperseded
		}
	}
	for _, d := range s.book.sent.list {
		if id == "" && d.turn == turn && d.op != opUndo {
			id = d.proposal
		}
	}
	s.book.mu.Unlock()
	if id == "" {
		return ""
	}
	return s.Became(id)
}

// BecameOfRounds returns the states of what a turn has proposed after its rounds, the first first; "" is a round that has
// proposed nothing. It is empty for a turn that did not propose so.
func (s *Sent) BecameOfRounds(turn string) []event.ProposalState {
	last := 0
	see := func(name string) {
		if TurnOf(name) == turn {
			last = max(last, RoundOf(name))
		}
	}
	s.book.mu.Lock()
	for _, e := range s.book.proposals.list {
		see(e.now.Turn)
		for i := range e.old {
			see(e.old[i].Turn)
		}
	}
	for _, d := range s.book.sent.list {
		see(d.turn)
	}
	s.book.mu.Unlock()
	list := make([]event.ProposalState, last)
	for i := range list {
		list[i] = s.BecameOf(RoundName(turn, i+1))
	}
	return list
}

// Became returns the state of a proposal, also of one that is forgotten but for what it changed; "" is not known.
func (s *Sent) Became(id string) event.ProposalState {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	if e := s.book.proposals.byID(id); e != nil {
		return e.now.State
	}
	state := event.ProposalState("")
	for _, d := range s.book.sent.list {
		if d.proposal != id || d.op == opUndo {
			continue
		}
		if anyLive(d) {
			return event.ProposalApplied
		}
		if slices.ContainsFunc(d.files, func(f delivered) bool { return f.reversed }) {
			state = event.ProposalUndone
		}
	}
	return state
}
