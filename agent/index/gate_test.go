package index

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"coauthor/repomap"
)

// slow is a tagger that says when it has begun and waits to be let go.
type slow struct{ begun, end chan struct{} }

func (s slow) Tags(context.Context, string, []byte) ([]repomap.Tag, error) {
	s.begun <- struct{}{}
	<-s.end
	return nil, nil
}

// starts waits until n files are being tagged.
func (s slow) starts(t *testing.T, n int) {
	t.Helper()
	for range n {
		answer(t, "a file at the gate", s.begun)
	}
}

// ends lets n of them go.
func (s slow) ends(t *testing.T, n int) {
	t.Helper()
	for range n {
		select {
		case s.end <- struct{}{}:
		case <-time.After(hung):
			t.Fatal("hung: no file is being tagged")
		}
	}
}

func TestOneFileAtATimeWhileTheUserTypes(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(0, 0)
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	s := slow{begun: make(chan struct{}), end: make(chan struct{})}
	g := newGate(s, 3, clock)
	var group sync.WaitGroup
	start := func(n int) {
		for range n {
			group.Go(func() {
				if _, err := g.Tags(t.Context(), "a.go", nil); err != nil {
					t.Error(err)
				}
			})
		}
	}
	start(5)
	s.starts(t, 3) // at once
	for range 2 {
		if l := g.load(); l.Running != 3 {
			t.Errorf("%d at a time", l.Running)
		}
		s.ends(t, 1)
		s.starts(t, 1) // in its place
	}
	s.ends(t, 3)
	prompt(t, "the gate", group.Wait)
	if g.most != 3 {
		t.Errorf("%d files at a time", g.most)
	}

	g.edited()
	mu.Lock()
	now = now.Add(-time.Hour) // a wait for the time would take so long
	mu.Unlock()
	start(3)
	for range 3 {
		s.starts(t, 1)
		s.ends(t, 1)
	}
	prompt(t, "the next file", group.Wait)
	if g.most != 1 {
		t.Errorf("%d files at a time after an edit", g.most)
	}

	mu.Lock()
	now = now.Add(time.Hour + quietTime)
	mu.Unlock()
	start(2)
	s.starts(t, 2)
	s.ends(t, 2)
	prompt(t, "the gate", group.Wait)

	g.edited()
	start(1)
	s.starts(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Tags(ctx, "b.go", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s.ends(t, 1)
	prompt(t, "the gate", group.Wait)
}

// The wait after a key is over when its time is, also while a file is being tagged.
func TestQuietTimeEnds(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(0, 0)
	on := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	s := slow{begun: make(chan struct{}), end: make(chan struct{})}
	g := newGate(s, 2, func() time.Time { mu.Lock(); defer mu.Unlock(); return now })
	load := func(running, most int) {
		t.Helper()
		if got := g.load(); got != (Load{Running: running, Most: most}) {
			t.Errorf("%+v, want %d running, %d at most", got, running, most)
		}
	}
	var group sync.WaitGroup
	tag := func() { group.Go(func() { _, _ = g.Tags(t.Context(), "a.go", nil) }) }
	load(0, 0)
	tag()
	s.starts(t, 1)
	load(1, 1)
	g.edited()
	load(1, 1)
	on(quietTime - 5*time.Millisecond)
	tag()
	waits := time.NewTimer(20 * time.Millisecond)
	defer waits.Stop()
	for begun := false; !begun; {
		select {
		case <-s.begun:
			begun = true
		case <-waits.C:
			load(1, 1) // the clock says that it is still too early
			on(5 * time.Millisecond)
		case <-time.After(hung):
			t.Fatal("hung: the wait never ends")
		}
	}
	load(2, 2)
	g.edited()
	load(2, 2)
	s.ends(t, 2)
	prompt(t, "the gate", group.Wait)
	load(0, 2)
	g.edited()
	load(0, 0)
}
