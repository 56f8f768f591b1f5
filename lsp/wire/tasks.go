package wire

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Tasks is what runs for a connection beside its reading, and the end of it. It is safe for concurrent use.
type Tasks struct {
	// Parent is the process to outlive by no more than a moment; 0 is unknown. It is set before anything runs.
	Parent int
	// Lines are those of the log that are being written.
	Lines Group

	router        *Router
	log           *slog.Logger
	ctx           context.Context // ends with the connection
	untilShutdown context.Context // ends with the connection, or when the client has asked for the end
	cancel        context.CancelFunc
	endWaits      context.CancelFunc
	group         Group
	exited        chan struct{} // closed by OnExit
	exit          sync.Once
}

// NewTasks returns the tasks of a connection that ends with ctx at the latest. Start comes next.
func NewTasks(ctx context.Context) *Tasks {
	t := &Tasks{exited: make(chan struct{})}
	t.ctx, t.cancel = context.WithCancel(ctx)
	t.untilShutdown, t.endWaits = context.WithCancel(t.ctx)
	return t
}

// Start gives what guards the tasks, and where their errors go. It is called once, before all others.
func (t *Tasks) Start(router *Router, log *slog.Logger) { t.router, t.log = router, log }

// Context ends with the connection.
func (t *Tasks) Context() context.Context { return t.ctx }

// Cancel ends the context of the connection.
func (t *Tasks) Cancel() { t.cancel() }

// EndWaits ends what waits for the client: it has asked for the end, need not answer behind that, and what it tells is
// not heard.
func (t *Tasks) EndWaits() { t.endWaits() }

// Ending says whether the client has asked for the end.
func (t *Tasks) Ending() bool { return t.router.Phase() == ShutDown }

// WhileAnswered returns ctx, ended by a shutdown too, for what waits for the client and has something to do without it.
// The function releases it.
func (t *Tasks) WhileAnswered(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(t.untilShutdown, cancel)
	return ctx, func() { stop(); cancel() }
}

// Background runs f beside the reading. Its context ends with the connection, and Close waits for it.
// After the end nothing begins any more, and it returns false.
func (t *Tasks) Background(f func(ctx context.Context)) bool {
	if !t.group.Add() {
		return false
	}
	go func() {
		defer t.group.Done()
		err := t.router.Guard("background", func() error { f(t.ctx); return nil })
		if err != nil {
			t.log.Error("background work ended", "err", err)
		}
	}()
	return true
}

// Wait waits until nothing runs, or for ctx.
func (t *Tasks) Wait(ctx context.Context) { t.group.Wait(ctx) }

// Close lets nothing begin any more and waits for what runs, however long that takes: cancel it first.
func (t *Tasks) Close() {
	t.group.Close()
	t.group.Wait(context.Background())
}

// OnExit is the handler of the notification that ends a connection.
func (t *Tasks) OnExit(context.Context, *Empty) error {
	t.exit.Do(func() { close(t.exited) })
	return nil
}

// Exited is closed when the client has sent exit.
func (t *Tasks) Exited() <-chan struct{} { return t.exited }

// WatchParent ends the session when the process is gone that the client named as its own: an editor that crashed may leave
// a pipe behind that another process holds open. It asks alive every so often, until ctx ends.
func (t *Tasks) WatchParent(ctx context.Context, poll time.Duration, alive func(pid int) bool) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !alive(t.Parent) {
				t.log.Info("the client's process is gone", "pid", t.Parent)
				t.cancel()
				return
			}
		}
	}
}

// CloseLines ends what is written to the log: handlers may outlive it for a moment, and whoever started the server reads or
// closes the log then. A log that takes no more lines keeps nobody for longer than within.
func (t *Tasks) CloseLines(within time.Duration) {
	t.Lines.Close()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	t.Lines.Wait(ctx)
}

// Coalesced is work of which one runs at a time, and once more where something changed meanwhile. The zero value is ready.
type Coalesced struct {
	mu      sync.Mutex
	running bool // guarded by mu
	again   bool // guarded by mu
}

// Coalesce runs f in the background; where it runs already, it is run once more behind that. It returns at once.
func (t *Tasks) Coalesce(c *Coalesced, f func(ctx context.Context)) {
	if !c.begin() {
		return
	}
	if !t.Background(func(ctx context.Context) {
		for more := true; more; more = c.more() && ctx.Err() == nil {
			f(ctx)
		}
	}) {
		c.more()
	}
}

// begin says whether the caller is to do the work; else somebody who does it looks once more.
func (c *Coalesced) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.again = c.running
	c.running = true
	return !c.again
}

// more says whether to look once more; if not, it has ended.
func (c *Coalesced) more() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	more := c.again
	c.running, c.again = more, false
	return more
}
