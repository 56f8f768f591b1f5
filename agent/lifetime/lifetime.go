// Package lifetime says how long something may be begun, and what its end waits for: an engine and its sessions.
//
// It knows nothing of either. Start at Lifetime.
package lifetime

import (
	"context"
	"sync"
)

// Lifetime is how long an engine or a session may begin something, and the work that its end waits for.
type Lifetime struct {
	Context context.Context // the parent of all work
	cancel  context.CancelFunc
	parent  *Lifetime // that of the engine; nil for none
	over    error     // why nothing may begin any more, once it is closed

	work   sync.WaitGroup
	mu     sync.Mutex
	closed bool // guarded by mu
}

// New begins a lifetime that is no longer than its parent; nil for none.
func New(parent *Lifetime, over error) *Lifetime {
	l := &Lifetime{parent: parent, over: over}
	within := context.Background()
	if parent != nil {
		within = parent.Context
	}
	l.Context, l.cancel = context.WithCancel(within)
	return l
}

// Hold counts in a turn, or other work in the background, until release; an error says why it may not begin.
func (l *Lifetime) Hold() (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, l.over
	}
	if l.parent != nil {
		if _, err := l.parent.Hold(); err != nil {
			return nil, err
		}
	}
	l.work.Add(1)
	return l.Release, nil
}

// Release ends what was counted in.
func (l *Lifetime) Release() {
	l.work.Done()
	if l.parent != nil {
		l.parent.Release()
	}
}

// While returns ctx, ended by the end of the lifetime too, for a program that neither of them outlives. stop releases it.
func (l *Lifetime) While(ctx context.Context) (while context.Context, stop context.CancelFunc) {
	while, cancel := context.WithCancel(l.Context)
	after := context.AfterFunc(ctx, cancel)
	return while, func() { after(); cancel() }
}

// Closed says that nothing may begin any more.
func (l *Lifetime) Closed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// Close has nothing begin any more. What runs goes on.
func (l *Lifetime) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// End ends what runs, and returns when it has ended.
func (l *Lifetime) End() {
	l.cancel()
	l.work.Wait()
}
