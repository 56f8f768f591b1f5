package event

import "sync"

// Emitter numbers the events of one turn and passes them on one at a time. It is safe for
// concurrent use, which is what makes the promise of Sink true for turns with helpers.
type Emitter struct {
	turn string
	sink Sink

	mu    sync.Mutex
	seq   uint64 // guarded by mu
	ended bool   // guarded by mu
}

// NewEmitter returns an Emitter for a turn. A nil sink drops the events.
func NewEmitter(turn string, sink Sink) *Emitter {
	if sink == nil {
		sink = func(Event) {}
	}
	return &Emitter{turn: turn, sink: sink}
}

// Emit sets turn and number of e and passes it on. After KindEnded only what becomes of the turn's proposal
// follows: other events are dropped, so that whoever watches the turn may rely on its end.
func (m *Emitter) Emit(e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended && !e.Kind.After() {
		return
	}
	m.seq++
	e.Turn, e.Seq = m.turn, m.seq
	m.ended = m.ended || e.Kind == KindEnded
	// The lock is held while calling out on purpose: order is the contract of Sink, and a Sink
	// may not call back into its turn.
	m.sink(e)
}

// Note tells the user something that ends nothing, each note by an event of its own.
func (m *Emitter) Note(list ...Note) {
	for _, n := range list {
		m.Emit(Event{Kind: KindNote, Note: &n})
	}
}

// Emitters tell of the turns of a session: to the sink of who started one, also after its end, when the user decides on
// its proposal. What concerns a turn that nobody started here, because a session before this one left its proposal waiting,
// goes to another sink. They are safe for concurrent use.
type Emitters struct {
	others Sink // nil for nobody

	mu   sync.Mutex
	list map[string]*Emitter // guarded by mu; by turn
}

// NewEmitters returns emitters of turns; others is told of those that nobody started here.
func NewEmitters(others Sink) *Emitters {
	return &Emitters{others: others, list: map[string]*Emitter{}}
}

// Start returns what tells of a new turn to who started it.
func (m *Emitters) Start(turn string, sink Sink) *Emitter {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list[turn] = NewEmitter(turn, sink)
	return m.list[turn]
}

// Of returns what tells of a turn, with the numbers going on where they were.
func (m *Emitters) Of(turn string) *Emitter {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.list[turn] == nil {
		m.list[turn] = NewEmitter(turn, m.others)
	}
	return m.list[turn]
}

// Forget drops the emitters of turns of which nothing can be told any more.
func (m *Emitters) Forget(over func(turn string) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for turn := range m.list {
		if over(turn) {
			delete(m.list, turn)
		}
	}
}
