package call

import (
	"context"
	"slices"
	"sync"

	"coauthor/edits"
)

// drafting tells what a reply changes while it comes: of the edits that are whole so far, carried out in memory. That is
// done beside the stream, which does not wait for it, one state after the other, the newest first.
type drafting struct {
	cancel context.CancelFunc
	wake   chan struct{} // buffered by one: full means that there is something to do
	done   chan struct{} // closed when nothing more is told

	mu   sync.Mutex
	list []edits.Edit // guarded by mu; the edits so far
}

// draft begins to tell what a reply to p changes; nil where nobody wants to know.
func draft(ctx context.Context, deps Options, p Ask) *drafting {
	if deps.Draft == nil || p.Format == nil || p.Quiet {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	d := &drafting{cancel: cancel, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go d.run(ctx, deps)
	return d
}

// take adds edits, which may be the parser's own.
func (d *drafting) take(list []edits.Edit) {
	if d == nil || len(list) == 0 {
		return
	}
	d.mu.Lock()
	d.list = append(d.list, list...)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// end ends the telling, and returns when nothing more is told.
func (d *drafting) end() {
	if d != nil {
		d.cancel()
		<-d.done
	}
}

func (d *drafting) run(ctx context.Context, deps Options) {
	defer close(d.done)
	for {
		select {
		case <-d.wake:
		case <-ctx.Done():
			return
		}
		d.mu.Lock()
		list := slices.Clone(d.list)
		d.mu.Unlock()
		deps.Draft(ctx, list)
	}
}
