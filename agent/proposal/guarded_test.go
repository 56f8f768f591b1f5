package proposal

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// stacks gives those of all goroutines.
func stacks() string {
	text := make([]byte, 1<<20)
	return string(text[:runtime.Stack(text, true)])
}

// blocked names the functions of this package in which goroutines wait for a lock: of each goroutine the innermost.
func blocked() (in []string) {
	for g := range strings.SplitSeq(stacks(), "\n\n") {
		if head, _, _ := strings.Cut(g, "\n"); !strings.Contains(head, "[sync.Mutex.Lock") {
			continue
		}
		for line := range strings.Lines(g) {
			if name, ok := strings.CutPrefix(line, "coauthor/agent/proposal."); ok {
				in = append(in, name[:strings.LastIndexByte(name, '(')])
				break
			}
		}
	}
	return in
}

// TestLocksAreHeld: while somebody holds the lock of what all share, nobody else touches it.
func TestLocksAreHeld(t *testing.T) {
	ctx := context.Background()
	ed := newEditor(t, map[string]string{"a": "a\n"})
	j := openJournal(t, t.TempDir(), 1)
	s := NewStore("/root", StoreOptions{Random: &numbers{}, Clock: ticks(), Journal: j, KeepPending: true, Landed: func(Landing) {}})
	p := add(t, s, update("a", "a\n", "A\n"))
	change := []edits.Change{update("a", "a\n", "b\n")}
	empty := &run{book: s.book, port: ed}
	s.book.sent.unsettled.Store(1) // so that somebody looks
	lazy := func() { j.appendLazily(Record{Kind: RecordResult, Delivery: "x"}) }
	for _, c := range []struct {
		where string
		mu    *sync.Mutex
		f     func()
	}{
		{"(*Store).Add", &s.book.mu, func() { _, _ = s.Add("t", "l", change, nil, Checked{}) }},
		{"(*ledger).supersede", &s.book.mu, func() { _, _ = s.Supersede("none", "t", "l", change, nil, Checked{}) }},
		{"(*Store).TakeAttempt", &s.book.mu, func() { _, _ = s.TakeAttempt(Selector{Proposal: "none"}, 1) }},
		{"(*Store).Pending", &s.book.mu, func() { s.Pending() }},
		{"(*Store).Idle", &s.book.mu, func() { s.Idle() }},
		{"(*Store).Get", &s.book.mu, func() { s.Get(p.ID) }},
		{"(*Store).MarkShown", &s.book.mu, func() { s.MarkShown(p.ID, 1) }},
		{"(*Store).Discard", &s.book.mu, func() { _, _ = s.Discard(Selector{Proposal: "none"}) }},
		{"(*ledger).tellLandings", &s.book.mu, s.book.tellLandings},
		{"(*Store).Select", &s.book.mu, func() { _, _ = s.Select(Selector{}) }},
		{"(*Store).Find", &s.book.mu, func() { _, _ = s.Find(Selector{}) }},
		{"(*Sent).LastApplied", &s.book.mu, func() { s.Sent.LastApplied("a") }},
		{"(*Sent).LastUndone", &s.book.mu, func() { s.Sent.LastUndone("a") }},
		{"(*Sent).settle", &s.book.mu, func() { s.Sent.Settle("a", "A\n") }},
		{"(*ledger).adopted", &s.book.mu, func() { _ = s.book.adopted(ctx) }},
		{"(*Store).AdoptLater", &s.book.mu, func() { s.AdoptLater() }},
		{"(*Reviews).Watch", &s.book.mu, func() { s.Reviews.Watch(nil) }},
		{"(*ledger).tellReview", &s.book.mu, s.book.tellReview},
		{"(*Reviews).reviewsAt", &s.book.mu, func() { s.book.reviewing.Store(true); s.Reviews.Follow("a", ed.Current()) }},
		{"(*Reviews).At", &s.book.mu, func() { s.book.reviewing.Store(true); s.Reviews.At(ed.Current()) }},
		{"(*Reviews).Known", &s.book.mu, func() { s.book.reviewing.Store(true); s.Reviews.Known() }},
		{"(*ledger).inherit", &s.book.mu, func() { s.book.inherit(nil) }},
		{"(*ledger).restore", &s.book.mu, func() { s.book.restore(nil) }},
		{"(*run).send", &s.book.mu, func() { _, _ = empty.send(ctx, &delivery{}, nil) }},
		{"(*Journal).adoptDead", &j.mu, func() { _, _ = j.adoptDead() }},
		{"(*Journal).compact", &j.mu, func() { _ = j.compact(nil) }},
		{"(*Journal).Records", &j.mu, func() { _, _ = j.Records() }},
		{"(*Journal).write", &j.mu, func() { _ = j.append(Record{Kind: RecordResult, Delivery: "y"}) }},
		{"(*Journal).appendLazily", &j.queue, lazy},
		{"(*Journal).drain", &j.queue, func() { _ = j.Err() }},
		{"(*Journal).Err", &j.mu, func() { _ = j.Err() }},
		{"(*Journal).appendLazily", &j.mu, func() { // what it leaves to another goroutine
			lazy()
			for strings.Contains(stacks(), "appendLazily.func") {
				runtime.Gosched()
			}
		}},
		{"(*Journal).Close", &j.mu, func() { _ = j.Close() }},
	} {
		for began := time.Now(); strings.Contains(stacks(), "appendLazily.func"); time.Sleep(time.Millisecond) { // what was left to another goroutine
			if time.Since(began) > hung {
				t.Fatal("hung: a record is never written")
			}
		}
		held(t, c.where, c.mu.Lock, c.f, c.mu.Unlock)
	}
	// What waits for its turn, or for what the editor has, before it comes to the lock.
	s = newStore(t)
	add(t, s, update("a", "a\n", "A\n"))
	held(t, "(*Store).ApplyAs", s.book.mu.Lock, func() { _, _ = s.Apply(ctx, Selector{Proposal: "none"}, ed) }, s.book.mu.Unlock)
	held(t, "(*ledger).changed", s.book.mu.Lock, func() { s.book.changed(Proposal{}) }, s.book.mu.Unlock)
	held(t, "(*Store).takeBack", func() {}, func() { _, _ = s.Undo(ctx, "", &asked{ed, s.book.mu.Lock}) }, s.book.mu.Unlock)
}

// asked is an editor that does something when it is asked what it has.
type asked struct {
	*editor
	then func()
}

func (a *asked) Current() *workspace.Snapshot {
	a.then()
	return a.editor.Current()
}

// held runs f while a lock is taken and checks that it waits for that in a function.
func held(t *testing.T, where string, take, f, release func()) {
	t.Helper()
	take()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	var in []string
	ended := false
	for began := time.Now(); !ended && len(in) == 0; in = blocked() {
		select {
		case <-done:
			ended = true
		case <-time.After(time.Millisecond):
		}
		if time.Since(began) > hung {
			t.Fatalf("hung: nobody waits in %s", where)
		}
	}
	if len(in) != 1 || !strings.HasPrefix(in[0], where) {
		t.Errorf("%s does not wait, %q do", where, in)
	}
	release()
	await(t, where, done)
}
