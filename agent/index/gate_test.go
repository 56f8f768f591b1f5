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

func TestOneFileAtATimeWhileTheUserTypes(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(0, 0)
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	s := slow{begun: make(chan struct{}), end: make(chan struct{})}
	g := newGate(s, clock)
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
	start(3)
	for range 3 {
		<-s.begun // all at once
	}
	for range 3 {
		s.end <- struct{}{}
	}
	group.Wait()

	g.edited()
	start(3)
	for range 3 {
		<-s.begun
		s.end <- struct{}{}
	}
	group.Wait()
	if g.most != 1 {
		t.Errorf("%d files at a time after an edit", g.most)
	}

	mu.Lock()
	now = now.Add(quietTime)
	mu.Unlock()
	start(2)
	<-s.begun
	<-s.begun
	s.end <- struct{}{}
	s.end <- struct{}{}
	group.Wait()

	g.edited()
	start(1)
	<-s.begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Tags(ctx, "b.go", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s.end <- struct{}{}
	group.Wait()
}
