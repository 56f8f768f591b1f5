package wire

import (
	"context"
	"sync"
)

// Group counts what still runs. Other than a sync.WaitGroup it can be waited for with a limit, and
// more may begin while somebody waits.
type Group struct {
	mu     sync.Mutex
	n      int           // guarded by mu
	closed bool          // guarded by mu
	zero   chan struct{} // guarded by mu; closed when n becomes 0; nil while nobody waits
}

// Add counts one more; false means that the group is closed and nothing may begin.
func (g *Group) Add() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.n++
	return true
}

// Done ends what one Add began.
func (g *Group) Done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n--; g.n == 0 && g.zero != nil {
		close(g.zero)
		g.zero = nil
	}
}

// Wait returns when nothing runs, or with ctx.
func (g *Group) Wait(ctx context.Context) {
	g.mu.Lock()
	if g.n == 0 {
		g.mu.Unlock()
		return
	}
	if g.zero == nil {
		g.zero = make(chan struct{})
	}
	zero := g.zero
	g.mu.Unlock()
	select {
	case <-zero:
	case <-ctx.Done():
	}
}

// Close lets nothing more begin.
func (g *Group) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}
