// Package turnview shows the user a turn while it runs: its progress, its reply as it comes, the questions that it waits
// with, and how it ended. It starts no turn, opens no document of its own and knows nothing of the server: what needs more
// than messages to the client comes as functions in ViewOptions and Asker, and what a turn says in the conversation as a
// Conversation.
package turnview

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// Options are what a Table is made of, all of it required.
type Options struct {
	Client     *client.Client
	Questions  *Questions
	Clock      func() time.Time
	Log        *slog.Logger
	Background func(func(ctx context.Context)) bool // runs something beside the reading; false after the end
}

// Table has the turns that this connection started and that have not ended, and the progress items
// that can cancel them.
type Table struct {
	o     Options
	items atomic.Int64 // progress items that were made
	open  wire.Group   // progress items and turns that still have something to say

	closed  chan struct{} // closed when the client has asked for the end: no progress item is begun any more
	closing sync.Once     // closes closed

	mu      sync.Mutex
	live    []*View            // guarded by mu; oldest first
	cancels map[string]func()  // guarded by mu; by progress token
	shown   map[*Progress]bool // guarded by mu; the items that were begun and have not ended
	ended   []*View            // guarded by mu; the last ones, oldest first
}

// keptTurns is how many turns that ended can be named by a follow-up.
const keptTurns = 100

// New makes a table without turns.
func New(o Options) *Table {
	return &Table{o: o, closed: make(chan struct{}), cancels: map[string]func(){}, shown: map[*Progress]bool{}}
}

// NewView makes what the client sees of a turn that is started next: see Begin.
func (t *Table) NewView(o ViewOptions) *View {
	return &View{o: o, table: t, wake: make(chan struct{}, 1),
		reply: reply{client: t.o.Client, conversation: o.Conversation, proposes: o.Proposes, hides: o.HidesThinking}}
}

// Begin shows a turn that was started, and does then what follows from its end.
func (t *Table) Begin(v *View, turn string, then func(ctx context.Context)) {
	v.mu.Lock()
	v.id = turn
	v.mu.Unlock()
	t.add(v)
	if v.o.Conversation != nil {
		v.o.Conversation.Begin(turn)
	}
	v.progress = t.turnProgress(v.stop)
	t.open.Add()
	if !t.o.Background(func(ctx context.Context) {
		defer t.open.Done()
		defer t.remove(v)
		defer v.progress.End("") // an earlier end counts; this one is for a panic and a hang-up
		if v.run(ctx) {
			then(ctx)
		}
	}) {
		t.open.Done() // the session is over, and the engine ends the turn
	}
}

// Became tells a client that draws turns itself what has become of a proposal of one.
func (t *Table) Became(turn, uri string, p *event.ProposalRef) {
	if t.o.Client.Caps.Turn {
		t.o.Client.Notify(MethodTurn, &turnParams{TurnID: turn, URI: uri, State: string(p.State), Label: p.Label, Message: p.Reason})
	}
}

// Asks shows that a turn waits for the answer to a question, until the result is called.
func (t *Table) Asks(q event.Question) (answered func()) {
	if v := t.Find(q.Turn); q.Turn != "" && v != nil {
		return v.asks(q)
	}
	return func() {}
}

// Close has no progress item begun any more.
func (t *Table) Close() {
	t.mu.Lock() // one that is begun in this moment is among those that are shown
	defer t.mu.Unlock()
	t.closing.Do(func() { close(t.closed) })
}

// begins says whether an item may be begun; it is then among those that are shown.
func (t *Table) begins(p *Progress) bool {
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

// Shown is how many progress items the client shows.
func (t *Table) Shown() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.shown)
}

// over says that an item has ended, or never will.
func (t *Table) over(p *Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.shown, p)
}

// EndItems ends the items that the client still shows, and returns when it was told so, or with ctx.
func (t *Table) EndItems(ctx context.Context) {
	t.mu.Lock()
	list := slices.Collect(maps.Keys(t.shown))
	t.mu.Unlock()
	for _, p := range list {
		p.End("")
	}
	for _, p := range list {
		p.Wait(ctx)
	}
}

// watch names what to do when the user cancels a progress item; nil forgets it.
func (t *Table) watch(token string, cancel func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cancel == nil {
		delete(t.cancels, token)
		return
	}
	t.cancels[token] = cancel
}

func (t *Table) cancelled(token string) {
	t.mu.Lock()
	cancel := t.cancels[token]
	t.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// Running returns the turns of a folder that have not ended, oldest first.
func (t *Table) Running(s *agent.Session) []*View {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*View
	for _, v := range t.live {
		if v.o.Session == s {
			list = append(list, v)
		}
	}
	return list
}

func (t *Table) add(v *View) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = append(t.live, v)
}

func (t *Table) remove(v *View) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.live, v); i >= 0 {
		t.live = slices.Delete(t.live, i, i+1)
		t.ended = append(t.ended, v)
		t.ended = t.ended[max(0, len(t.ended)-keptTurns):]
	}
}

// last returns the turn of a folder that ended last; "" for none.
func (t *Table) last(s *agent.Session) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range slices.Backward(t.ended) {
		if v.o.Session == s {
			return v.Turn()
		}
	}
	return ""
}

// Find returns a turn that runs, or one of the last that ended; nil when it is unknown.
func (t *Table) Find(turn string) *View {
	turn = proposal.TurnOf(turn)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range slices.Concat(t.live, t.ended) {
		if v.Turn() == turn {
			return v
		}
	}
	return nil
}

// Wait returns when every turn has said its last word, or with ctx.
func (t *Table) Wait(ctx context.Context) { t.open.Wait(ctx) }

// Refused returns why edits of a turn were refused beside those of its proposal.
func (t *Table) Refused(turn string) []string {
	v := t.Find(turn)
	if v == nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.left)
}

// ToFollow is the turn of a folder that a follow-up without a name goes on with: one that runs, else one whose proposal is
// pending, else the last; "" for none.
func (t *Table) ToFollow(s *agent.Session) string {
	if running := t.Running(s); len(running) > 0 {
		return running[len(running)-1].Turn()
	}
	if pending := s.Proposals.Pending(); len(pending) > 0 {
		return pending[len(pending)-1].Turn
	}
	return t.last(s)
}

// RunningCommand shows a program that runs in a progress item, with the last line that it wrote.
func (t *Table) RunningCommand(name string, _ bool, stop func()) (tell func(string), ended func(int)) {
	p := t.NewProgress("Coauthor: "+name, "Running", stop)
	last := ""
	return func(text string) {
			lines := strings.FieldsFunc(last+text, func(r rune) bool { return r == '\n' || r == '\r' })
			if len(lines) > 0 {
				p.Report(lines[len(lines)-1])
			}
			if last = ""; len(lines) > 0 && !strings.HasSuffix(text, "\n") {
				last = lines[len(lines)-1]
				last = last[max(0, len(last)-500):]
			}
		}, func(code int) {
			if code != 0 {
				p.End(fmt.Sprintf("Failed with exit status %d", code))
				return
			}
			p.End("Done")
		}
}
