package turnview

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
)

// ReportEvery bounds how often a progress item changes: some clients redraw for each report.
const ReportEvery = 250 * time.Millisecond

// Progress is one progress item of the client, of which the server made the token. It sends exactly
// one begin, then reports, and exactly one end, whatever way the work ends. Where the client has no
// progress, or has asked for the end before the item was begun, it sends nothing.
type Progress struct {
	table *Table
	token string
	title string

	mu      sync.Mutex
	message string        // guarded by mu; the newest
	last    string        // guarded by mu; the end's
	changed chan struct{} // buffered by one: full means that the newest message is not yet sent
	ended   chan struct{} // closed by End
	once    sync.Once
	done    chan struct{} // closed when nobody needs to wait any more; see release
	free    sync.Once     // closes done
}

// beginWithin is how long what follows the end waits for a client that has not answered the request for
// the item. When it does answer, the item is begun and ended all the same.
const beginWithin = time.Second

// NewProgress makes a progress item and begins it beside the caller. cancelled is called when the
// user cancels it, on the goroutine that reads.
func (t *Table) NewProgress(title, message string, cancelled func()) *Progress {
	p := &Progress{table: t, token: t.newToken(), title: display.Message(title), message: display.Message(message),
		changed: make(chan struct{}, 1), ended: make(chan struct{}), done: make(chan struct{})}
	t.watch(p.token, cancelled)
	t.open.Add()
	if !t.o.Background(func(ctx context.Context) {
		defer p.release()
		defer t.watch(p.token, nil)
		p.run(ctx)
	}) {
		p.release()
	}
	return p
}

// turnProgress is the progress item of a turn. A client that shows turns by coauthor/turn has none.
func (t *Table) turnProgress(cancelled func()) *Progress {
	if !t.o.Client.Caps.NoTurnProgress {
		return t.NewProgress("Coauthor", "Starting", cancelled)
	}
	p := &Progress{table: t, changed: make(chan struct{}, 1), ended: make(chan struct{}), done: make(chan struct{})}
	t.open.Add()
	p.release()
	return p
}

// release lets those go on who wait for the last message.
func (p *Progress) release() {
	p.free.Do(func() {
		close(p.done)
		p.table.open.Done()
	})
}

func (p *Progress) run(ctx context.Context) {
	c := p.table.o.Client
	create, cancel := context.WithCancel(ctx)
	defer cancel()
	created := make(chan error, 1) // never blocks its one sender
	go func() { created <- c.CreateProgress(create, p.token) }()
	select {
	case err := <-created:
		if err != nil {
			return // the client refuses the token, so nothing may be sent with it
		}
	case <-p.table.closed:
		return
	case <-p.ended: // the work was quicker than the client
		defer time.AfterFunc(beginWithin, p.release).Stop()
		select {
		case err := <-created:
			if err != nil {
				return
			}
		case <-p.table.closed:
			return
		}
	}
	if !p.table.begins(p) {
		return
	}
	defer p.table.over(p)
	cancellable := true
	p.mu.Lock()
	message := p.message
	p.mu.Unlock()
	c.Progress(p.token, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: p.title, Cancellable: &cancellable, Message: &message})
	tick := time.NewTimer(ReportEvery)
	defer tick.Stop()
	for {
		select { // a report at most each time the timer runs out
		case <-tick.C:
		case <-p.ended:
			p.sendEnd()
			return
		}
		select {
		case <-p.changed:
			p.mu.Lock()
			message := p.message
			p.mu.Unlock()
			c.Progress(p.token, &protocol.WorkDoneProgressReport{Kind: "report", Message: &message})
		case <-p.ended:
			p.sendEnd()
			return
		}
		tick.Reset(ReportEvery)
	}
}

func (p *Progress) sendEnd() {
	p.mu.Lock()
	last := p.last
	p.mu.Unlock()
	e := &protocol.WorkDoneProgressEnd{Kind: "end"}
	if last != "" {
		e.Message = &last
	}
	p.table.o.Client.Progress(p.token, e)
}

// Report replaces the message. It never blocks.
func (p *Progress) Report(message string) {
	message = display.Message(message)
	p.mu.Lock()
	same := p.message == message
	p.message = message
	p.mu.Unlock()
	if same {
		return
	}
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// End ends the item with a last message. Only the first call counts.
func (p *Progress) End(message string) {
	p.once.Do(func() {
		p.mu.Lock()
		p.last = display.Message(message)
		p.mu.Unlock()
		close(p.ended)
	})
}

// Wait returns when the end has been sent, so that what comes next is not overwritten by it, or when the
// client is too slow for that.
func (p *Progress) Wait(ctx context.Context) {
	select {
	case <-p.done:
	case <-ctx.Done():
	}
}

// CancelParams name the progress item that the user cancelled.
type CancelParams struct {
	Token json.RawMessage `json:"token"`
}

// CancelProgress is the notification that the user cancelled an item.
func (t *Table) CancelProgress(_ context.Context, p *CancelParams) error {
	var token string
	if err := json.Unmarshal(p.Token, &token); err != nil {
		return fmt.Errorf("cancel of an unknown progress %.40q", p.Token)
	}
	t.cancelled(token)
	return nil
}

// newToken returns a name that no other progress item of this connection has. Helix shows it, so it
// reads as a person counts.
func (t *Table) newToken() string { return fmt.Sprintf("Coauthor %d", t.items.Add(1)) }
