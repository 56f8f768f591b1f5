package index

import (
	"context"
	"sync"
	"time"

	"coauthor/repomap"
)

// quietTime is how long after the user's last keystroke one file at a time is tagged.
const quietTime = 2 * time.Second

// gate is a repomap.Tagger through which so many files go at a time, however many are brought. It leaves a processor to
// the user who types: for a while after an edit only one file at a time goes through.
type gate struct {
	next  repomap.Tagger
	limit int // files at a time
	clock func() time.Time

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever someone who waits may look again; guarded by mu
	until   time.Time     // one at a time until then; guarded by mu
	running int           // files that are being tagged; guarded by mu
	most    int           // the most of them since the last edit; guarded by mu
}

func newGate(next repomap.Tagger, limit int, clock func() time.Time) *gate {
	return &gate{next: next, limit: limit, clock: clock, changed: make(chan struct{})}
}

// Tags implements repomap.Tagger.
func (g *gate) Tags(ctx context.Context, path string, src []byte) ([]repomap.Tag, error) {
	if err := g.enter(ctx); err != nil {
		return nil, err
	}
	defer g.leave()
	return g.next.Tags(ctx, path, src)
}

// TagAll implements repomap.BatchTagger: what is tagged in one go counts as one file.
func (g *gate) TagAll(ctx context.Context, texts []repomap.Text) []repomap.Tagged {
	if err := g.enter(ctx); err != nil {
		out := make([]repomap.Tagged, len(texts))
		for i := range out {
			out[i].Err = err
		}
		return out
	}
	defer g.leave()
	return repomap.TagAll(ctx, g.next, texts)
}

func (g *gate) enter(ctx context.Context) error {
	for {
		g.mu.Lock()
		left := g.until.Sub(g.clock())
		if g.running == 0 || left <= 0 && g.running < g.limit {
			g.running++
			g.most = max(g.most, g.running)
			g.mu.Unlock()
			return nil
		}
		changed := g.changed
		g.mu.Unlock()
		var quiet <-chan time.Time // never, where all places are taken
		if left > 0 {
			quiet = time.After(left)
		}
		select {
		case <-changed:
		case <-quiet:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	close(g.changed)
	g.changed = make(chan struct{})
}

// edited says that the user types.
func (g *gate) edited() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = g.clock().Add(quietTime)
	g.most = g.running
}

// Load is what the scheduler of an index counts.
type Load struct {
	Running int // files that are being tagged now
	Most    int // the most of them at a time since the user typed last
}

func (g *gate) load() Load {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Load{Running: g.running, Most: g.most}
}
