package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/agent/proposal"
	"coauthor/agent/secret"
	"coauthor/agent/strategy"
	"coauthor/edits/formats"
)

// keepResults is how many ended turns can still be waited for and followed up.
const keepResults = 64

// ErrRunning says that a request runs whose end is to be waited for.
var ErrRunning = errors.New("a request is still running; stop it or wait for it to finish, then try again")

// Queue is the turns of a session: those that run, that wait and that have ended, and what these came to. It says which
// turn may run, and is safe for concurrent use.
type Queue struct {
	emitters *event.Emitters // of the turns

	mu           sync.Mutex
	active       []*turn               // guarded by mu; running, oldest first
	waiting      []*turn               // guarded by mu; follow-ups of running turns
	ended        []*turn               // guarded by mu; the last keepResults
	usage        event.Usage           // guarded by mu
	lastError    string                // guarded by mu
	unready      strategy.MissingSetup // guarded by mu; what is missing in the set-up, as far as the last turn knows
	endKeepAlive context.CancelFunc    // guarded by mu; ends what keeps the cache of the last prompt warm, nil for nothing
}

// live are the turns that have not ended. The caller holds mu.
func (q *Queue) live() []*turn { return slices.Concat(q.active, q.waiting) }

// busy says whether a turn runs or waits.
func (q *Queue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.live()) > 0
}

// status adds to a status what the turns are doing.
func (q *Queue) status(st *Status) {
	q.mu.Lock()
	defer q.mu.Unlock()
	st.LastError, st.Usage = q.lastError, q.usage
	for _, t := range q.live() {
		st.Busy = st.Busy || t.resolved.Coder.Proposes()
	}
	st.Turns = q.turnsNow()
}

// Start begins a turn and returns at once. The turn runs on the session's context, so it outlives
// the call that started it. A second editing turn of a root is refused as busy while one runs,
// except when it follows up the running one: then it is queued. Asks run beside everything.
func (s *Session) Start(r Resolved, p Ports) (Started, error) {
	if r.Switch {
		c := s.Chosen.Get()
		c.Coder = r.Coder.Name
		now, err := s.Choose(c)
		return Started{Status: StatusSwitched, InForce: now}, err
	}
	if r.marked != nil {
		sink := p.Sink
		p.Sink = func(e event.Event) {
			if e.Kind == event.KindEnded && e.Ended != nil && e.Ended.State == event.TurnFailed {
				s.Comments.Forget(r.marked) // so that the next time the file is saved tries again
			}
			if sink != nil {
				sink(e)
			}
		}
	}
	t, err := s.newTurn(r, p)
	if err != nil {
		return Started{}, err
	}
	release, err := s.Life.Hold()
	if err != nil {
		t.life.cancel(nil)
		return Started{}, err
	}
	s.Comments.Take(r.marked) // before it begins: a turn that fails at once may have ended before it is known that it began
	started := s.Turns.enqueue(t)
	if started.Turn == "" {
		t.life.cancel(nil)
		release()
		s.Comments.Forget(r.marked)
		return started, nil
	}
	if r.fixes != "" {
		s.Problems.Begun(started.Turn, r.fixes)
	}
	return started, nil
}

// newTurn checks a request as far as that needs no files.
func (s *Session) newTurn(resolved Resolved, p Ports) (*turn, error) {
	r := resolved.Request
	if strings.TrimSpace(r.Instruction) == "" && len(r.Diagnostics) == 0 && r.Job == nil {
		return nil, errors.New("the instruction is empty; enter one")
	}
	if r.Format != "" && r.Format != "auto" {
		if _, ok := formats.ByName(r.Format); !ok {
			return nil, strategy.UnknownFormat(r.Format)
		}
	}
	id, err := id.New(s.Engine.o.Random, "t")
	if err != nil {
		return nil, err
	}
	if p.Ask == nil {
		p.Ask = event.Default()
	}
	t := &turn{session: s, id: id, resolved: resolved, ports: p, rounds: turnRounds{given: r.Given}, emit: s.Turns.emitters.Start(id, p.Sink),
		life: turnLife{label: secret.Without(r.Label), started: s.Engine.o.Clock(), state: event.TurnCollecting, done: make(chan struct{})}}
	if t.life.label == "" {
		t.life.label = proposal.Label(r.Instruction)
	}
	t.life.ctx, t.life.cancel = context.WithCancelCause(s.Life.Context)
	return t, nil
}

// List tells of the turns that have not ended, the oldest first.
func (q *Queue) List() []TurnStatus {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.turnsNow()
}

// turnsNow is List with mu held.
func (q *Queue) turnsNow() []TurnStatus {
	var list []TurnStatus
	for _, t := range q.live() {
		list = append(list, TurnStatus{ID: t.id, State: t.life.state, Coder: t.resolved.Coder.Name, Label: t.life.label, Started: t.life.started})
	}
	return list
}

// Usage is what all turns have used, and what was spent beside them.
func (q *Queue) Usage() event.Usage {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.usage
}

// spend adds what a call beside the turns has used.
func (q *Queue) spend(u event.Usage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.usage = q.usage.Add(u)
}

// MissingSetup is what is missing in the set-up, so that the last turn came to nothing.
func (q *Queue) MissingSetup() strategy.MissingSetup {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.unready
}

// enqueue runs a new turn, has it wait or refuses it: then it has no id.
func (q *Queue) enqueue(t *turn) Started {
	q.mu.Lock()
	q.stopKeepAlive()
	switch {
	case q.waitsFor(t):
		t.life.state = event.TurnQueued
		q.waiting = append(q.waiting, t)
		q.mu.Unlock()
		t.emit.Emit(event.Event{Kind: event.KindState, State: event.TurnQueued})
		q.mu.Lock()
		t.life.queued = true
		q.mu.Unlock()
		q.startQueued() // what it waits for may have ended meanwhile
		return Started{Turn: t.id, Status: StatusQueued}
	case t.resolved.Coder.Proposes() && q.editing() != nil:
		busy := q.editing().id
		q.mu.Unlock()
		return Started{Status: StatusBusy, Busy: busy}
	}
	q.active = append(q.active, t)
	q.mu.Unlock()
	go t.run()
	return Started{Turn: t.id, Status: StatusStarted}
}

// waitsFor says whether t follows up a turn that runs or waits. The caller holds mu.
func (q *Queue) waitsFor(t *turn) bool {
	return t.resolved.before != nil && slices.Contains(q.live(), t.resolved.before)
}

// editing returns the editing turn that runs or is to run next. The caller holds mu.
func (q *Queue) editing() *turn {
	for _, t := range q.live() {
		if t.resolved.Coder.Proposes() {
			return t
		}
	}
	return nil
}

// startQueued starts the turns that wait and for which nothing stands in the way any more.
func (q *Queue) startQueued() {
	var start []*turn
	q.mu.Lock()
	for i := 0; i < len(q.waiting); {
		t := q.waiting[i]
		running := slices.ContainsFunc(q.active, func(a *turn) bool { return a.resolved.Coder.Proposes() })
		if !t.life.queued || slices.Contains(q.active, t.resolved.before) || slices.Contains(q.waiting[:i], t.resolved.before) || t.resolved.Coder.Proposes() && running {
			i++
			continue
		}
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.active = append(q.active, t)
		start = append(start, t)
	}
	q.mu.Unlock()
	for _, t := range start {
		t.life.waited = true
		go t.run()
	}
}

// find returns a turn by its id, nil when it is unknown or forgotten.
func (q *Queue) find(id string) *turn {
	id = proposal.TurnOf(id)
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, list := range [][]*turn{q.active, q.waiting, q.ended} {
		for _, t := range list {
			if t.id == id {
				return t
			}
		}
	}
	return nil
}

// Cancel ends a turn that waits or runs, or all of them for "". It returns the ids of those.
func (q *Queue) Cancel(id string) []string {
	id = proposal.TurnOf(id)
	var ids []string
	var dropped []*turn
	q.mu.Lock()
	for _, t := range q.active {
		if id == "" || t.id == id {
			t.life.cancel(context.Canceled)
			ids = append(ids, t.id)
		}
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(t *turn) bool {
		if id != "" && t.id != id {
			return false
		}
		t.life.cancel(context.Canceled)
		dropped, ids = append(dropped, t), append(ids, t.id)
		return true
	})
	q.mu.Unlock()
	for _, t := range dropped { // they have no goroutine of their own that would end them
		t.end(Result{State: event.TurnCancelled, Err: context.Canceled})
	}
	return ids
}

// Wait returns when a turn has ended, or with ctx's error.
func (q *Queue) Wait(ctx context.Context, id string) (Result, error) {
	t := q.find(id)
	if t == nil {
		return Result{}, fmt.Errorf("request %s not found", id)
	}
	select {
	case <-t.life.done:
		return t.life.result, nil
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}

// finish puts a turn with its result among those that have ended.
func (q *Queue) finish(t *turn, r Result, proposals *proposal.Store) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, before := range q.ended {
		before.life.handoff.baseFiles = nil
	}
	t.life.state = r.State
	q.active = slices.DeleteFunc(q.active, func(x *turn) bool { return x == t })
	q.ended = append(q.ended, t)
	if len(q.ended) > keepResults {
		q.ended = slices.Delete(q.ended, 0, len(q.ended)-keepResults)
		known := map[string]bool{}
		for _, t := range slices.Concat(q.live(), q.ended) {
			known[t.id] = true
		}
		q.emitters.Forget(func(turn string) bool {
			if known[turn] {
				return false
			}
			_, err := proposals.Find(proposal.Selector{Turn: turn})
			return err != nil && !errors.Is(err, proposal.ErrAmbiguous)
		})
	}
	q.usage = q.usage.Add(t.usage)
	switch {
	case r.State == event.TurnFailed:
		q.lastError, q.unready = r.Err.Error(), strategy.Missing(r.Err)
	case len(t.rounds.ended) > 0: // a model has answered
		q.unready = strategy.MissingSetup{}
	}
}

// keepAlive returns a context for what keeps the cache of the last prompt warm, until the next turn; false where one runs or
// waits: its own prompt is what is cached then.
func (q *Queue) keepAlive(parent context.Context) (ctx context.Context, cancel context.CancelFunc, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopKeepAlive()
	if len(q.live()) > 0 {
		return nil, nil, false
	}
	ctx, cancel = context.WithCancel(parent)
	q.endKeepAlive = cancel
	return ctx, cancel, true
}

// stopKeepAlive ends what keepAlive began. The caller holds mu.
func (q *Queue) stopKeepAlive() {
	if q.endKeepAlive != nil {
		q.endKeepAlive()
		q.endKeepAlive = nil
	}
}
