package agent_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/edits"
)

// flatScript answers each kind of request in its own way, any number of times.
const flatScript = "repeat: true\n" +
	"-- 0.md --\nIt went on.\n-- 0.yaml --\nmatch: Write the notes now.\n" +
	"-- 1.md --\n" + xIsTwo + "-- 1.yaml --\nmatch: two\n" +
	"-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n```\n-- 2.yaml --\nmatch: three\n" +
	"-- 3.md --\na.py\n```\n<<<<<<< SEARCH\nno such line = 1\n=======\nx = 3\n>>>>>>> REPLACE\n```\n-- 3.yaml --\nmatch: wrong\n" +
	"-- 4.md --\nOverloaded.\n-- 4.yaml --\nmatch: fails\nstatus: 400\n" +
	"-- 5.md --\n" + xIsTwo + "-- 5.yaml --\nmatch: slowly\nhold: true\n" +
	"-- 6.md --\nBecause it is.\n"

// A server runs for weeks. However many turns it has run, and however they ended, nothing of them stays: neither
// memory nor goroutines nor files. A thousand of them are run where COAUTHOR_LARGE is set, as .ci/run does.
func TestAnyNumberOfTurns(t *testing.T) {
	turns := 160
	if os.Getenv("COAUTHOR_LARGE") != "" {
		turns = 1000
	}
	text := "x = 1\n" + strings.Repeat("y = 'some text that would be seen to stay'\n", 400)
	b := newBench(t, flatScript, map[string]string{"a.py": text})
	b.engine.Close()
	b.engine = b.newEngine(t.TempDir())
	b.session = b.engine.Session(b.ws)
	b.configure(scenario{})
	b.settings.MaxReflections = 1
	b.settings.History = settings.History{Mode: settings.HistorySave} // the models of this test have short conversations
	t.Cleanup(func() { b.server.Close() })
	renew := func() { // a server keeps what it was sent
		b.server.Close()
		s, err := llmtest.Parse([]byte(flatScript))
		if err != nil {
			t.Fatal(err)
		}
		b.server = llmtest.Start(s)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.user.APIBase = b.server.URL
	}
	run := func(turns int) {
		for n, part := 0, 0; n < turns; part = n {
			for renew(); n < turns && n-part < 100; {
				n += b.everyKind(text)
			}
		}
		// A summary in the background opens a connection of its own, which must not be to the next server.
		if _, err := b.session.Conversation.AwaitSummary(t.Context(), func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }); err != nil {
			t.Fatal(err)
		}
		renew()
	}
	run(kept)
	b.applied(kept)
	before := taken(t, 0)
	run(turns)
	after := taken(t, before.goroutines)
	// About fifty come to what is kept as it was said; how much of a cancelled one was said differs from run to run.
	if s, list := b.session.Conversation.History.Sent(); s.Text != "It went on." || len(list) > 100 {
		t.Errorf("of the conversation there are %d exchanges behind %q", len(list), s.Text)
	}
	t.Logf("before %+v, after %d turns %+v", before, turns, after)
	if more := after.heap - before.heap; more > keptHeap {
		t.Errorf("%d turns left %d KB", turns, more>>10)
	}
	if after.goroutines > before.goroutines || after.files > before.files {
		t.Errorf("before %+v, after %d turns %+v", before, turns, after)
	}
	// The race detector keeps memory of its own for all memory that was ever used.
	if more := after.resident - before.resident; more > 8<<20 && !raced {
		t.Errorf("%d turns left %d MB resident", turns, more>>20)
	}
}

// keptHeap is how many bytes more the heap may have after the turns. It differs by 20 KB from one time to the next.
const keptHeap = 200 << 10

// kept is more than there is kept of turns that have ended, and half of what is kept of changes that were written, so
// that whatever grows after so many does so for ever.
const kept = 105

// applied has so many changes applied and undone that no model was asked for.
func (b *bench) applied(changes int) {
	b.t.Helper()
	store := b.session.Proposals
	for i := range changes {
		before, err := b.ws.Snapshot().Read("a.py")
		change := []edits.Change{{Op: edits.OpUpdate, Path: "a.py", Before: before, After: strings.Replace(before, "x = 1", "x = 2", 1)}}
		turn := fmt.Sprint("t", i)
		p, addErr := store.Add(turn, "Make it two.", change, b.ws.Snapshot(), proposal.Checked{})
		if err := errors.Join(err, addErr); err != nil {
			b.t.Fatal(err)
		}
		store.MarkShown(p.ID, 1)
		_, err = store.Apply(b.t.Context(), proposal.Selector{Proposal: p.ID, Revision: 1}, writer{b, false})
		_, undoErr := store.Undo(b.t.Context(), turn, writer{b, false})
		if err := errors.Join(err, undoErr); err != nil {
			b.t.Fatal(err)
		}
	}
}

// everyKind runs a turn of each kind and gives how many these are.
func (b *bench) everyKind(text string) int {
	b.t.Helper()
	store := b.session.Proposals
	ends := func(state event.State, r agent.Request) agent.Result {
		b.t.Helper()
		r.Files = []string{"a.py"}
		got, _ := b.run(r)
		if got.State != state {
			b.t.Fatalf("%q ended %s: %v", r.Instruction, got.State, got.Err)
		}
		return got
	}
	discard := func(r agent.Result) {
		b.t.Helper()
		if _, err := store.Discard(proposal.Selector{Proposal: r.Proposal.ID, Revision: r.Proposal.Revision}); err != nil {
			b.t.Fatal(err)
		}
	}
	r := ends(event.TurnProposed, agent.Request{Instruction: "Make it two."})
	store.MarkShown(r.Proposal.ID, 1)
	if _, err := store.Apply(b.t.Context(), proposal.Selector{Proposal: r.Proposal.ID, Revision: 1}, writer{b, false}); err != nil {
		b.t.Fatal(err)
	}
	if _, err := store.Undo(b.t.Context(), r.Turn, writer{b, false}); err != nil {
		b.t.Fatal(err)
	}
	r = ends(event.TurnProposed, agent.Request{Instruction: "Make it two."})
	discard(ends(event.TurnProposed, agent.Request{Instruction: "No, three.", FollowUp: r.Turn}))
	ends(event.TurnAnswered, agent.Request{Instruction: "Do it wrong."})
	ends(event.TurnFailed, agent.Request{Instruction: "This fails."})
	ends(event.TurnAnswered, agent.Request{Instruction: "Why?", Coder: "ask"})
	held := agent.Request{Instruction: "Go slowly.", Files: []string{"a.py"}}
	started, _ := b.start(held)
	b.held()
	b.session.Turns.Cancel(started.Turn)
	if got := b.wait(started.Turn); got.State != event.TurnCancelled {
		b.t.Fatalf("%+v", got)
	}
	if now, err := b.ws.Snapshot().Read("a.py"); err != nil || now != text {
		b.t.Fatalf("a.py was not put back: %v", err)
	}
	return 7
}

// footprint is what a process has taken.
type footprint struct{ heap, resident, goroutines, files int }

// taken looks at this process once what ends has ended: when no more goroutines than those are left, or for 0 when their
// number stays.
func taken(t *testing.T, goroutines int) (f footprint) {
	t.Helper()
	for end := time.Now().Add(hung); ; time.Sleep(10 * time.Millisecond) {
		n := runtime.NumGoroutine()
		over := n <= goroutines || goroutines == 0 && n == f.goroutines
		f.goroutines = n
		if over || time.Now().After(end) {
			break
		}
	}
	sweepTimers()
	debug.FreeOSMemory()
	debug.FreeOSMemory() // what the first made unreachable
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.heap = int(m.HeapAlloc)
	if list, err := os.ReadDir("/proc/self/fd"); err == nil { // elsewhere goroutines and memory must do
		f.files = len(list)
	}
	if raw, err := os.ReadFile("/proc/self/statm"); err == nil {
		var size, pages int
		if _, err := fmt.Sscan(string(raw), &size, &pages); err == nil {
			f.resident = pages * os.Getpagesize()
		}
	}
	return f
}

// sweepTimers has the runtime look at its heaps of timers. A timer that was stopped, with all that it would have used, stays
// in the heap of its processor until that next looks at it, which one without work never does. Where only one processor is
// left it takes over what the others have, without what was stopped, and with nothing else to do it looks at its own.
func sweepTimers() {
	all := runtime.GOMAXPROCS(1)
	for range 1000 {
		runtime.Gosched()
	}
	runtime.GOMAXPROCS(all)
}
