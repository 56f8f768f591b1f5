package turnview

import (
	"slices"
	"sync"

	"coauthor/agent/event"
)

// rounds are the proposals of a turn that proposes after each of its rounds. Of several the user is shown one at a time.
// The zero value is ready.
type rounds struct {
	mu      sync.Mutex
	seen    []string // guarded by mu; the ids of them
	fresh   []string // guarded by mu; those of them that were not shown yet
	showing showing  // guarded by mu; what the user is shown
}

// showing is a proposal that the user is shown.
type showing struct {
	id    string
	ended chan struct{} // closed when the user has done with it; nil for none
	done  func()        // closes ended, once
}

// note takes in what a round has proposed, or what became of that.
func (r *rounds) note(p *event.ProposalRef) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch p.State {
	case event.ProposalPending:
		if !slices.Contains(r.seen, p.ID) {
			r.seen, r.fresh = append(r.seen, p.ID), append(r.fresh, p.ID)
		}
	case event.ProposalApplied, event.ProposalUnverified, event.ProposalDiscarded, event.ProposalUndone:
		if r.showing.id == p.ID {
			r.showing.done()
		}
	case event.ProposalApplying, event.ProposalPartial, event.ProposalConflict, event.ProposalSuperseded:
	}
}

// take returns what was not shown yet.
func (r *rounds) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.fresh
	r.fresh = nil
	return list
}

// next makes a proposal the one that is shown, and returns it and the one before it.
func (r *rounds) next(id string) (now, before showing) {
	ended := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	before = r.showing
	r.showing = showing{id: id, ended: ended, done: sync.OnceFunc(func() { close(ended) })}
	return r.showing, before
}
