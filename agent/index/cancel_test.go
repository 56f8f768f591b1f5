package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/repomap"
)

// fading is a context that is cancelled when it is looked at for the n-th time.
type fading struct {
	context.Context
	cancel context.CancelFunc
	left   *atomic.Int64
}

func fadingAfter(ctx context.Context, n int64) fading {
	ctx, cancel := context.WithCancel(ctx)
	f := fading{ctx, cancel, &atomic.Int64{}}
	f.left.Store(n)
	return f
}

func (f fading) look() {
	if f.left.Add(-1) == 0 {
		f.cancel()
	}
}

func (f fading) Err() error            { f.look(); return f.Context.Err() }
func (f fading) Done() <-chan struct{} { f.look(); return f.Context.Done() }

// Whenever somebody is cancelled, they get the error or the whole answer, never a part of it, and what is
// kept for the next one is whole too.
func TestCancelAtAnyMoment(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	text := "package a\n\nfunc Alpha() {\n\tone()\n\ttwo()\n\tthree()\n\tfour()\n}\n"
	commit(t, root, "first", map[string]string{"a.go": text, "sub/b.go": "package b\n", "sub/.gitignore": "*.log\n", "c.py": "c = 1\n"})
	commit(t, root, "second", map[string]string{"a.go": strings.Replace(text, "four", "five", 1)})
	s := sourceOf(t, root, nil)
	h := history{root: root, kept: newStore(t.TempDir(), root, ".log")}
	forget := func() {
		if err := os.Remove(h.kept.file); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
	p := workers(t, "worker", "")
	x := open(t, root, Options{})
	n := int64(0)
	for what, f := range map[string]func(ctx context.Context) (any, error){
		"key": func(ctx context.Context) (any, error) { return h.Key(ctx) },
		"history": func(ctx context.Context) (any, error) {
			forget()
			commits, err := h.Commits(ctx, 10)
			if kept, ok := h.recall(); ok && (len(kept.Commits) != 2 || len(kept.Commits[0].Paths) != 1) {
				t.Errorf("at look %d: kept %+v", n, kept)
			}
			return commits, err
		},
		"list": func(ctx context.Context) (any, error) { return s.List(ctx) },
		"walk": func(ctx context.Context) (any, error) { return s.walk(ctx) },
		"read": func(ctx context.Context) (any, error) { return s.Read(ctx, "a.go", nil) },
		"tags": func(ctx context.Context) (any, error) { return p.Tags(ctx, "a.go", good) },
		"map": func(ctx context.Context) (any, error) {
			m, err := x.Map(ctx, repomap.Request{Budget: 1000, Overlays: map[string]string{"a.go": fmt.Sprintf("package a\n\nfunc Unsaved() {}\n// %d\n", n)}})
			return m.Text, err
		},
	} {
		prompt(t, what, func() {
			n = 0
			whole, err := f(t.Context())
			if err != nil || reflect.ValueOf(whole).Len() == 0 {
				t.Errorf("%s: %v, %v", what, whole, err)
			}
			for n = 1; n < 500; n++ {
				ctx := fadingAfter(t.Context(), n)
				got, err := f(ctx)
				unasked := ctx.left.Load() > 0
				ctx.cancel()
				switch {
				case err != nil && (!errors.Is(err, context.Canceled) || unasked):
					t.Errorf("%s: cancelled at look %d: %v", what, n, err)
				case err == nil && !reflect.DeepEqual(got, whole):
					t.Errorf("%s: cancelled at look %d: %v, want %v", what, n, got, whole)
				}
				if unasked {
					return
				}
			}
			t.Errorf("%s: it is never done", what)
		})
	}
	if all, free := p.counts(); all > 1 || free != all {
		until(t, "a worker that was cancelled is not given back", func() bool { all, free := p.counts(); return all == free })
	}
}

// Where a listing is cancelled by who judges its files, it ends there.
func TestListingEndsWhereItIsCancelled(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "", "b.go": "", "c.go": "", "d.go": ""})
	ctx, cancel := context.WithCancel(t.Context())
	judged := 0
	s := sourceOf(t, root, func(string) bool { judged++; cancel(); return true })
	if files, err := s.List(ctx); !errors.Is(err, context.Canceled) || files != nil || judged != 1 {
		t.Errorf("%d files were judged, listed are %v, %v", judged, files, err)
	}
}

// foreign is a context that the standard library does not know: who derives one from it and does not give that
// back leaves a goroutine behind.
type foreign struct{ context.Context }

func (f foreign) Value(any) any         { return nil }
func (f foreign) Done() <-chan struct{} { return make(chan struct{}) }

// Whatever is asked with a limit of time, nothing waits for that time when it is answered.
func TestNothingWaitsForALimit(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": string(good)})
	s, p := sourceOf(t, root, nil), workers(t, "worker", "")
	for range 3 {
		ctx := foreign{t.Context()}
		if files, err := s.List(ctx); err != nil || len(files) != 1 {
			t.Errorf("%v %v", files, err)
		}
		if tags, err := p.Tags(ctx, "a.go", good); err != nil || len(tags) != 1 {
			t.Errorf("%v %v", tags, err)
		}
	}
	until(t, "a limit is waited for", func() bool {
		return !slices.ContainsFunc(goroutines(), func(g string) bool { return strings.Contains(g, "context.(*cancelCtx).propagateCancel") })
	})
}

// A worker that is idle survives those who are cancelled before they need it. One that was cancelled just after
// it had answered is killed already, and so nobody gets it.
func TestCancelAndTheWorkers(t *testing.T) {
	p := workers(t, "worker", "")
	if _, err := p.Tags(t.Context(), "a.go", good); err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		if tags, err := p.Tags(stopped, "a.go", good); !errors.Is(err, context.Canceled) || tags != nil {
			t.Errorf("%v %v", tags, err)
		}
	}
	if all, free := p.counts(); all != 1 || free != 1 {
		t.Errorf("%d workers, %d free", all, free)
	}
	w, err := p.take(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithCancel(t.Context())
	defer cancel()
	w.out.Reset(&answered{in: bytes.NewReader(appendFrame([]byte{0}, nil)), then: cancel})
	if err := w.ask(late, []repomap.Text{{Path: "a.go", Src: good}}, hung, func(repomap.Tagged) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.end(w)
	if tags, err := p.Tags(t.Context(), "a.go", good); err != nil || len(tags) != 1 {
		t.Errorf("%v %v", tags, err)
	}
}

// answered does something when all that it has was read.
type answered struct {
	in   *bytes.Reader
	then func()
}

func (a *answered) Read(p []byte) (int, error) {
	n, err := io.ReadFull(a.in, p[:min(len(p), a.in.Len())])
	a.then()
	return n, err
}

// A map waits for a look at the disk that is quick by its past, and then no longer than that may take: when the
// look hangs the map is drawn of what is known, and who is cancelled leaves.
func TestMapBesideALookThatHangs(t *testing.T) {
	root, pipe := t.TempDir(), filepath.Join(t.TempDir(), "pipe")
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Before() {}\n"})
	x := open(t, root, Options{Worker: []string{os.Args[0], "linger", pipe}})
	makePipe(t, pipe)
	write(t, root, map[string]string{"a.go": "package a\n\nfunc After() {} // linger\n"})
	stale := func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.looked, x.took = time.Now().Add(-2*lookAgain), 0
	}
	stale()
	prompt(t, "a map beside a look that hangs", func() {
		if got := text(t, x, repomap.Request{}); !strings.Contains(got, "Before") {
			t.Errorf("got:\n%s", got)
		}
	})
	readPipe(t, pipe) // the look is on its way
	stale()
	x.mu.Lock()
	x.patience = 2 * hung
	x.mu.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := x.Map(ctx, repomap.Request{Budget: 1000}); ended <- err }()
	cancel()
	if err := answer(t, "a map that is cancelled", ended); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	prompt(t, "closing", x.Close)
	if load := x.Load(); load.Running != 0 {
		t.Errorf("closed: %+v", load)
	}
}
