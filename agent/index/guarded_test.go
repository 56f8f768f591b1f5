package index

import (
	"crypto/sha256"
	"sync"
	"testing"
	"time"
)

// While somebody holds the lock of what all share, nobody else touches it.
func TestLocksAreHeld(t *testing.T) {
	g := newGate(quick{}, 1, time.Now)
	p := workers(t, "worker", "")
	w, err := p.take(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	p.give(w)
	p.crashed[sha256.Sum256(good)] = true
	x := open(t, t.TempDir(), Options{})
	for _, c := range []struct {
		where string
		mu    *sync.Mutex
		f     func()
	}{
		{"(*gate).enter", &g.mu, func() { _ = g.enter(t.Context()) }},
		{"(*gate).leave", &g.mu, g.leave},
		{"(*gate).edited", &g.mu, g.edited},
		{"(*gate).load", &g.mu, func() { g.load() }},
		{"(*pool).bad", &p.mu, func() { p.bad(good) }},
		{"(*pool).isClosed", &p.mu, func() { p.isClosed() }},
		{"(*pool).enter", &p.mu, func() { _ = p.enter(w) }},
		{"(*pool).idle", &p.mu, func() { _, _ = p.idle(false) }},
		{"(*pool).give", &p.mu, func() { p.give(w) }},
		{"(*pool).endIdle", &p.mu, p.endIdle},
		{"(*pool).remember", &p.mu, func() { p.remember([32]byte{}) }},
		{"(*pool).end", &p.mu, func() { p.end(w) }},
		{"(*pool).close", &p.mu, p.close},
		{"(*Index).look", &x.mu, func() { x.look(t.Context()) }},
		{"(*Index).Wait", &x.mu, func() { _ = x.Wait(t.Context()) }},
		{"(*Index).Changed", &x.mu, func() { x.Changed("") }},
	} {
		c.mu.Lock()
		holds(t, "sync.Mutex.Lock", c.where, c.f, c.mu.Unlock)
	}
	wait(t, x)
	x.mu.Lock()
	x.kick <- struct{}{}
	holds(t, "sync.Mutex.Lock", "(*Index).run", x.group.Wait, func() {
		x.cancel()
		x.mu.Unlock()
	})
}
