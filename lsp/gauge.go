package lsp

import (
	"context"
	"sync"
)

// gauge counts what still runs. Other than a sync.WaitGroup it can be waited for with a limit, and
// more may begin while somebody waits.
type gauge struct {
	mu     sync.Mutex
	n      int           // guarded by mu
	closed bool          // guarded by mu
	zero   chan struct{} // guarded by mu; closed when n becomes 0; nil while nobody waits
}

// add counts one more; false means that the gauge is closed and nothing may begin.
func (g *gauge) add() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.n++
	return true
}

func (g *gauge) done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n--; g.n == 0 && g.zero != nil {
		close(g.zero)
		g.zero = nil
	}
}

// wait returns when nothing runs, or with ctx.
func (g *gauge) wait(ctx context.Context) {
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

// close lets nothing more begin.
func (g *gauge) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}
