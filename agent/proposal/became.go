package proposal

import (
	"slices"

	"coauthor/agent/event"
	"coauthor/edits"
)

// LastChange returns what a turn was asked for, and the last change of a path that it made, or that taking it back made, as
// far as that is still there.
func (s *Store) LastChange(turn, path string) (label string, c edits.Change, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range slices.Backward(s.deliveries) {
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

// Became returns the state of a proposal, also of one that is forgotten but for what it changed; "" is not known.
func (s *Store) Became(id string) event.ProposalState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byID(id); e != nil {
		return e.now.State
	}
	state := event.ProposalState("")
	for _, d := range s.deliveries {
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
