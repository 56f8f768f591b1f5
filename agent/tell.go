package agent

import (
	"errors"
	"slices"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// What a session tells, it tells by the events of a turn: to the sink of who started it, also after its end,
// when the user decides on its proposal. What concerns a turn that nobody started here, because a session
// before this one left its proposal waiting, goes to the sink of the engine.

// emitter returns what tells of a turn, with the numbers going on where they were.
func (s *Session) emitter(turn string) *event.Emitter {
	turn = proposal.TurnOf(turn)
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.emitters[turn]
	if m == nil {
		var sink event.Sink
		if all := s.e.o.Sink; all != nil {
			sink = func(e event.Event) { all(s.ws, e) }
		}
		m = event.NewEmitter(turn, sink)
		s.emitters[turn] = m
	}
	return m
}

// hush forgets the emitters of turns of which nothing more can be told. The caller holds mu.
func (s *Session) hush() {
	known := map[string]bool{}
	for _, t := range slices.Concat(s.active, s.queue, s.ended) {
		known[t.id] = true
	}
	for turn := range s.emitters {
		if known[turn] {
			continue
		}
		if _, err := s.proposals.Find(proposal.Selector{Turn: turn}); err != nil && !errors.Is(err, proposal.ErrAmbiguous) {
			delete(s.emitters, turn)
		}
	}
}

// proposalChanged tells that a proposal came to be or changed its state.
func (s *Session) proposalChanged(p proposal.Proposal) {
	if p.State == event.ProposalApplying {
		s.Problems.Applying(&p) // what is complained about before
	}
	s.emitter(p.Turn).Emit(event.Event{Kind: event.KindProposal, Proposal: p.Ref()})
	s.Commits.Look() // nothing of it may wait any more
}

// landed tells that a change is in the user's files.
func (s *Session) landed(l proposal.Landing) {
	s.Problems.Landed(l)
	e := &event.Landed{Proposal: l.Proposal, Revision: l.Revision, Action: l.Op}
	for _, c := range l.Files {
		one := event.LandedFile{Path: c.Path, Op: string(c.Op)}
		if c.Op == edits.OpRename {
			one.To = c.To
		}
		e.Files = append(e.Files, one)
	}
	s.emitter(l.Turn).Emit(event.Event{Kind: event.KindLanded, Landed: e})
	s.Commits.Landed(l)
	s.Comments.Landed(s.ctx, l.Files)
	s.Commits.Look()
}
