package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"coauthor/repomap"
)

// crowd runs f in several goroutines at once, many times.
func crowd(t *testing.T, what string, times int, f func(who, n int)) {
	t.Helper()
	var group sync.WaitGroup
	for who := range 6 {
		group.Go(func() {
			for n := range times {
				f(who, n)
			}
		})
	}
	prompt(t, what, group.Wait)
}

// quick is a tagger that finds nothing.
type quick struct{}

func (quick) Tags(context.Context, string, []byte) ([]repomap.Tag, error) { return nil, nil }

// However many come and go at once, the gate counts them right and lets everybody through.
func TestCrowdAtTheGate(t *testing.T) {
	g := newGate(quick{}, 2, func() time.Time { return time.Unix(0, 0) })
	crowd(t, "a crowd at the gate", 3000, func(who, n int) {
		if who == 0 && n%100 == 0 {
			g.edited()
		}
		if _, err := g.Tags(t.Context(), "a.go", nil); err != nil {
			t.Error(err)
		}
		_ = g.load()
	})
	if load := g.load(); load.Running != 0 || load.Most < 1 || load.Most > 6 {
		t.Errorf("%+v", load)
	}
}

// However many want workers at once, each worker serves one at a time and none is lost; and what crashed
// is known to all.
func TestCrowdAtThePool(t *testing.T) {
	p := workers(t, "worker", "")
	p.idleTime = time.Hour
	var taken []*process
	for range 6 {
		w, err := p.take(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, w)
	}
	for _, w := range taken {
		p.give(w)
	}
	var mu sync.Mutex
	busy := map[*process]bool{}
	mark := func(w *process, is bool) {
		mu.Lock()
		defer mu.Unlock()
		if busy[w] == is {
			t.Errorf("a worker that is busy is taken again, or given back twice: %v", is)
		}
		busy[w] = is
	}
	crowd(t, "a crowd that takes workers", 3000, func(int, int) {
		w, err := p.take(t.Context(), false)
		if err != nil {
			t.Error(err)
			return
		}
		mark(w, true)
		mark(w, false)
		p.give(w)
	})
	if all, free := p.counts(); all != len(taken) || free != len(taken) {
		t.Errorf("%d workers, %d of them free, of %d", all, free, len(taken))
	}
	texts := func(who, n int) []byte { return fmt.Appendf(nil, "package a // %d %d\n", who, n) }
	crowd(t, "a crowd that remembers", maxCrashes/10, func(who, n int) {
		p.remember(sha256.Sum256(texts(who, n)))
		if _, err := p.Tags(t.Context(), "a.go", texts(who, n)); !errors.Is(err, errCrashed) {
			t.Errorf("%d %d: %v", who, n, err)
		}
	})
	if len(p.crashed) != 6*(maxCrashes/10) {
		t.Errorf("%d crashes", len(p.crashed))
	}
	p.close()
	if all, free := p.counts(); all != 0 || free != 0 {
		t.Errorf("closed: %d workers, %d free", all, free)
	}
}

// Many may ask, tell and wait at once, and everybody is answered.
func TestCrowdAtTheIndex(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n", "b.go": "package a\n\nfunc Beta() {}\n"})
	x := open(t, root, Options{})
	crowd(t, "a crowd at the index", 30, func(who, n int) {
		x.Edited()
		x.Changed("a.go")
		_, err := x.Map(t.Context(), repomap.Request{Budget: 100, Overlays: map[string]string{"b.go": fmt.Sprintf("package a\n\nfunc Unsaved%d() {}\n", who)}})
		if err := errors.Join(err, x.Wait(t.Context())); err != nil {
			t.Error(err)
		}
	})
	there(t, x, "Alpha", true)
	there(t, x, "Beta", true)
	there(t, x, "Unsaved", false)
}
