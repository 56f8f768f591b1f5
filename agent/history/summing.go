package history

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"coauthor/agent/event"
)

// How long a conversation may get, and what becomes of its beginning then: it is summed up beside the user, after a
// turn, and the next prompt waits for that.

// mostUnsummed is how many times as long as it should be a conversation may get where no summary comes about.
const mostUnsummed = 8

// summing is the summary that is being made.
type summing struct {
	mu     sync.Mutex
	done   chan struct{}      // guarded by mu; closed when it is made or has failed; nil for none
	cancel context.CancelFunc // guarded by mu
	again  bool               // guarded by mu; a turn ended meanwhile
	failed int                // guarded by mu; tokens of what could not be summed up, 0 for nothing
}

// shorten forgets the beginning of a conversation that is longer than limit, and returns what the user must know of it.
func (h *History) shorten(limit int, count func(string) int) []event.Note {
	switch n := h.Trim(limit, count); n {
	case 0:
		return nil
	case 1:
		return []event.Note{event.Info("To save tokens, Coauthor no longer sends the oldest request of this conversation.")}
	default:
		return []event.Note{event.Info(fmt.Sprintf("To save tokens, Coauthor no longer sends the %d oldest requests of this conversation.", n))}
	}
}

// Shorten has the beginning of the conversation summed up, in the background, if it is too long. The next turn
// joins it. Whether it is, is decided here and now, by the settings of the turn that ends.
func (c *Conversation) Shorten() {
	if !c.long() {
		return
	}
	release, err := c.o.Hold()
	if err != nil {
		return
	}
	g := &c.summing
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.done != nil {
		g.again = true
		release()
		return
	}
	ctx, cancel := context.WithCancel(c.o.Context)
	g.done, g.cancel = make(chan struct{}), cancel
	go func() {
		defer release()
		defer cancel()
		for more := true; more; {
			more = c.summarizeOnce(ctx)
			g.mu.Lock()
			if more = more || g.again; !more {
				close(g.done)
				g.done, g.cancel = nil, nil
			}
			g.again = false
			g.mu.Unlock()
		}
	}()
}

// long says whether there is something to sum up.
func (c *Conversation) long() (long bool) {
	defer survive(c.o.Log, &long)
	limit, _, count := c.o.Limit()
	_, long = c.History.Plan(limit, count)
	return long
}

// survive has a panic answer no: a summary must not be able to end the server.
func survive(log *slog.Logger, answer *bool) {
	if x := recover(); x != nil {
		log.Error("panic in a summary", "panic", x, "stack", string(debug.Stack()))
		*answer = false
	}
}

// stop ends what Shorten began, because the conversation is another now.
func (g *summing) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed = 0; g.cancel != nil {
		g.cancel()
	}
}

// tooSoon says whether it failed before, and there is no sense in trying again yet: not before the conversation is a good deal
// longer.
func (g *summing) tooSoon(tokens, limit int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed > 0 && tokens < g.failed+limit/4
}

// tried notes whether what had so many tokens could be summed up.
func (g *summing) tried(tokens int, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed = 0; err != nil {
		g.failed = tokens
	}
}

// summarizeOnce sums up what is too long now. It says whether to look again.
func (c *Conversation) summarizeOnce(ctx context.Context) (more bool) {
	defer survive(c.o.Log, &more)
	limit, room, count := c.o.Limit()
	plan, long := c.History.Plan(limit, count)
	if !long || ctx.Err() != nil || c.summing.tooSoon(plan.Tokens, limit) {
		return false
	}
	text, err := c.o.Summarize(ctx, plan, limit)
	if ctx.Err() != nil {
		return false
	}
	c.summing.tried(plan.Tokens, err)
	if err != nil {
		c.TellNext(event.Warning("Could not summarize the beginning of this conversation: " + strings.TrimSuffix(strings.ReplaceAll(err.Error(), "\n", " "), ".") + ". All of it is still sent."))
		for _, n := range c.History.shorten(max(limit, min(mostUnsummed*limit, room/2)), count) {
			c.TellNext(n)
		}
		return false
	}
	c.record.order.Lock()
	defer c.record.order.Unlock()
	sum, ok := c.History.Install(plan, text)
	if !ok {
		return false
	}
	c.record.write(Record{Kind: KindSummary, Exchange: Exchange{Turn: sum.Turn, Number: sum.Number}, Text: sum.Text})
	first := "the oldest request"
	if n := len(plan.Head); n > 1 {
		first = fmt.Sprintf("the %d oldest requests", n)
	}
	c.TellNext(event.Info("Summarized " + first + " of this conversation to save tokens. `history` still shows them in full."))
	return true
}

// TellNext keeps a note for the next turn.
func (c *Conversation) TellNext(n event.Note) {
	c.record.mu.Lock()
	defer c.record.mu.Unlock()
	c.record.notes = append(c.record.notes, n)
}

// summaryWait is how long a turn waits for the summary of what was said before. It then goes on with all of it.
const summaryWait = 30 * time.Second

// AwaitSummary waits for what Shorten began, and says whether that takes too long.
func (c *Conversation) AwaitSummary(ctx context.Context, sleep func(context.Context, time.Duration) error) (late bool, err error) {
	c.summing.mu.Lock()
	done := c.summing.done
	c.summing.mu.Unlock()
	if done == nil {
		return false, nil
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan struct{})
	go func() { // ends with within
		_ = sleep(within, summaryWait)
		close(over)
	}()
	select {
	case <-done:
		return false, ctx.Err()
	case <-over:
		return ctx.Err() == nil, ctx.Err()
	}
}
