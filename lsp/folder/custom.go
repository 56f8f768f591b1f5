package folder

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"coauthor/agent/custom"
	"coauthor/lsp/wire"
)

// Custom are the custom commands of a folder, as menus and completion need them: soon. It is safe for concurrent use.
type Custom struct {
	// Sources says where they stand at the moment.
	Sources func() custom.Sources
	Tasks   *wire.Tasks
	// Moment is how long a reading is waited for.
	Moment time.Duration
	// Loaded is told of what was read.
	Loaded func(custom.Commands)
	Log    *slog.Logger

	once    sync.Once
	reading chan struct{}                   // made by slot; full while a reading runs
	last    atomic.Pointer[custom.Commands] // that were read; nil for none
}

// Load reads the commands, however long that takes.
func (c *Custom) Load(ctx context.Context) (custom.Commands, error) {
	own, err := c.Sources().Load(ctx)
	if err == nil {
		c.last.Store(&own)
	}
	return own, err
}

// latest returns what Load read last.
func (c *Custom) latest() custom.Commands {
	if own := c.last.Load(); own != nil {
		return *own
	}
	return custom.Commands{}
}

// slot has room for one reading, so that a folder that hangs holds one goroutine and not one for each menu.
func (c *Custom) slot() chan struct{} {
	c.once.Do(func() { c.reading = make(chan struct{}, 1) })
	return c.reading
}

// Read reads the commands, and returns those that were read last where a folder is slow.
func (c *Custom) Read(ctx context.Context) custom.Commands {
	moment := time.After(c.Moment)
	select { // one that began before may have missed what was saved since
	case c.slot() <- struct{}{}:
	case <-ctx.Done():
		return c.latest()
	case <-moment:
		return c.latest()
	}
	read := make(chan struct{})
	if !c.Tasks.Background(func(ctx context.Context) {
		defer close(read)
		defer func() { <-c.slot() }()
		own, err := c.Load(ctx)
		if err != nil {
			c.Log.Info("custom commands not read", "err", err)
			return
		}
		c.Loaded(own)
	}) {
		<-c.slot()
		return c.latest()
	}
	select {
	case <-read:
	case <-ctx.Done():
	case <-moment:
	}
	return c.latest()
}
