package deliver

import (
	"sync"
	"time"
)

// Landings wakes those who wait for documents to change. The zero value is ready; it is safe for
// concurrent use.
type Landings struct {
	mu      sync.Mutex
	waiting map[chan struct{}]bool // guarded by mu
	// Scale scales the times that a client is given, for tests; 0 is 1. Set it before anybody waits.
	Scale float64
}

// Idle reports whether nobody waits.
func (l *Landings) Idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting) == 0
}

// watch returns a channel that has a value after every change; it holds one, more are dropped.
func (l *Landings) watch() (changed <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = map[chan struct{}]bool{}
	}
	l.waiting[c] = true
	return c, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.waiting, c)
	}
}

// Tell wakes all who wait. It does not wait itself.
func (l *Landings) Tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.waiting {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Scaled is a time that a client is given, by the Scale.
func (l *Landings) Scaled(d time.Duration) time.Duration {
	if l.Scale == 0 {
		return d
	}
	return time.Duration(float64(d) * l.Scale)
}
