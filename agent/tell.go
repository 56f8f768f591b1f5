package agent

import (
	"errors"
	"sync"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// What a session tells, it tells by the events of a turn: to the sink of who started it, also after its end,
// when the user decides on its proposal. What concerns a turn that nobody started here, because a session
// before this one left its proposal waiting, goes to the sink of the engine.

// emitters tell of the turns of a session.
type emitters struct {
	others event.Sink // told of turns that nobody started here; nil for nobody

	mu   sync.Mutex
	list map[string]*event.Emitter // guarded by mu; by turn
}

func newEmitters(ws *workspace.Workspace, others func(*workspace.Workspace, event.Event)) *emitters {
	m := &emitters{list: map[string]*event.Emitter{}}
	if others != nil {
		m.others = func(e event.Event) { others(ws, e) }
	}
	return m
}

// start returns what tells of a new turn to who started it.
func (m *emitters) start(turn string, sink event.Sink) *event.Emitter {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list[turn] = event.NewEmitter(turn, sink)
	return m.list[turn]
}

// of returns what tells of a turn, with the numbers going on where they were.
func (m *emitters) of(turn string) *event.Emitter {
	turn = proposal.TurnOf(turn)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.list[turn] == nil {
		m.list[turn] = event.NewEmitter(turn, m.others)
	}
	return m.list[turn]
}

// forget drops the emitters of turns that are not known any more, and have no proposal of which something could be told.
func (m *emitters) forget(known map[string]bool, proposals *proposal.Store) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for turn := range m.list {
		if known[turn] {
			continue
		}
		if _, err := proposals.Find(proposal.Selector{Turn: turn}); err != nil && !errors.Is(err, proposal.ErrAmbiguous) {
			delete(m.list, turn)
		}
	}
}

// changed tells that a proposal came to be or changed its state.
func (m *emitters) changed(p proposal.Proposal) {
	m.of(p.Turn).Emit(event.Event{Kind: event.KindProposal, Proposal: p.Ref()})
}

// landed tells that a change is in the user's files.
func (m *emitters) landed(l proposal.Landing) {
	e := &event.Landed{Proposal: l.Proposal, Revision: l.Revision, Action: l.Op}
	for _, c := range l.Files {
		one := event.LandedFile{Path: c.Path, Op: string(c.Op)}
		if c.Op == edits.OpRename {
			one.To = c.To
		}
		e.Files = append(e.Files, one)
	}
	m.of(l.Turn).Emit(event.Event{Kind: event.KindLanded, Landed: e})
}
