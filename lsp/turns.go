package lsp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"coauthor/agent/proposal"
	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// turns are the turns that this connection started and that have not ended, and the progress items
// that can cancel them.
type turns struct {
	client     *client.Client
	background func(func(ctx context.Context)) bool // runs something beside the reading; see tasks.background
	items      atomic.Int64                         // progress items that were made
	open       wire.Group                           // progress items and turns that still have something to say

	closed  chan struct{} // closed when the client has asked for the end: no progress item is begun any more
	closing sync.Once     // closes closed

	mu      sync.Mutex
	live    []*turnView        // guarded by mu; oldest first
	cancels map[string]func()  // guarded by mu; by progress token
	shown   map[*progress]bool // guarded by mu; the items that were begun and have not ended
	ended   []*turnView        // guarded by mu; the last ones, oldest first

	following following // what waits for proposals to be applied
}

// keptTurns is how many turns that ended can be named by a follow-up.
const keptTurns = 100

func newTurns(c *client.Client, background func(func(ctx context.Context)) bool) *turns {
	return &turns{client: c, background: background, closed: make(chan struct{}), cancels: map[string]func(){}, shown: map[*progress]bool{}}
}

// close has no progress item begun any more.
func (t *turns) close() {
	t.mu.Lock() // one that is begun in this moment is among those that are shown
	defer t.mu.Unlock()
	t.closing.Do(func() { close(t.closed) })
}

// begins says whether an item may be begun; it is then among those that are shown.
func (t *turns) begins(p *progress) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.closed:
		return false
	default:
		t.shown[p] = true
		return true
	}
}

// over says that an item has ended, or never will.
func (t *turns) over(p *progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.shown, p)
}

// endItems ends the items that the client still shows, and returns when it was told so, or with ctx.
func (t *turns) endItems(ctx context.Context) {
	t.mu.Lock()
	list := slices.Collect(maps.Keys(t.shown))
	t.mu.Unlock()
	for _, p := range list {
		p.end("")
	}
	for _, p := range list {
		p.wait(ctx)
	}
}

// watch names what to do when the user cancels a progress item; nil forgets it.
func (t *turns) watch(token string, cancel func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cancel == nil {
		delete(t.cancels, token)
		return
	}
	t.cancels[token] = cancel
}

func (t *turns) cancelled(token string) {
	t.mu.Lock()
	cancel := t.cancels[token]
	t.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// running returns the turns of a root that have not ended, oldest first.
func (t *turns) running(r *rootState) []*turnView {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*turnView
	for _, v := range t.live {
		if v.root == r {
			list = append(list, v)
		}
	}
	return list
}

func (t *turns) add(v *turnView) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = append(t.live, v)
}

func (t *turns) remove(v *turnView) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.live, v); i >= 0 {
		t.live = slices.Delete(t.live, i, i+1)
		t.ended = append(t.ended, v)
		t.ended = t.ended[max(0, len(t.ended)-keptTurns):]
	}
}

// last returns the turn of a root that ended last; "" for none.
func (t *turns) last(r *rootState) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range slices.Backward(t.ended) {
		if v.root == r {
			return v.turn()
		}
	}
	return ""
}

// rootOf returns the root of a turn; nil when it is unknown.
func (t *turns) rootOf(turn string) *rootState {
	if v := t.view(turn); v != nil {
		return v.root
	}
	return nil
}

// view returns a turn that runs, or one of the last that ended; nil when it is unknown.
func (t *turns) view(turn string) *turnView {
	turn = proposal.TurnOf(turn)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range slices.Concat(t.live, t.ended) {
		if v.turn() == turn {
			return v
		}
	}
	return nil
}

// wait returns when every turn has said its last word, or with ctx.
func (t *turns) wait(ctx context.Context) { t.open.Wait(ctx) }

// refused returns why edits of a turn were refused beside those of its proposal.
func (t *turns) refused(turn string) []string {
	v := t.view(turn)
	if v == nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.left)
}
