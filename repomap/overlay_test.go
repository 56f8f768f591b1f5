package repomap

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax"
)

// counting is a Tagger that notes what it tags.
type counting struct {
	mu    sync.Mutex
	paths []string // guarded by mu
}

func (c *counting) Tags(ctx context.Context, path string, src []byte) ([]Tag, error) {
	c.mu.Lock()
	c.paths = append(c.paths, path)
	c.mu.Unlock()
	return syntax.Tagger{}.Tags(ctx, path, src)
}

// taken gives what was tagged since it was asked last.
func (c *counting) taken() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := slices.Sorted(slices.Values(c.paths))
	c.paths = nil
	return out
}

// gated is a Store whose snapshot is read when the test says so.
type gated struct {
	*memory
	asked, begin chan struct{}
}

func (g gated) Load() ([]byte, error) {
	select {
	case g.asked <- struct{}{}:
	default: // nobody waits for a second time
	}
	<-g.begin
	return g.stored, nil
}

// receive waits for what must come.
func receive[T any](t *testing.T, what string, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(time.Minute):
		t.Fatalf("hung: %s", what)
	}
	return v
}

func lay(t *testing.T, x *Index, overlays map[string]string) {
	t.Helper()
	for _, p := range slices.Sorted(maps.Keys(overlays)) {
		if _, err := x.Update(t.Context(), p, overlays[p]); err != nil {
			t.Fatal(err)
		}
	}
}

// sameMaps compares maps of two indexes for requests of several kinds.
func sameMaps(t *testing.T, when string, want, got *Index) {
	t.Helper()
	for _, r := range []Request{{Budget: 1 << 20}, {Budget: 500, Chat: []string{"pkg1/file1.go"}, Message: "visit the unsaved node"},
		{Budget: 300, MentionedIdents: []string{"run17", "Unsaved"}}} {
		a, b := mapOf(t, want, r), mapOf(t, got, r)
		a.Generation, b.Generation = 0, 0
		if !reflect.DeepEqual(a, b) { // quicker than to look for a difference
			t.Errorf("%s: %s", when, cmp.Diff(a, b))
		}
	}
}

// Documents that are open before the snapshot is read change nothing of it: only they, and what differs on
// disk, are tagged. Before the first listing a map shows the open documents alone, since what the
// snapshot holds may be gone or forbidden.
func TestOverlaysBeforeTheSnapshot(t *testing.T) {
	unsaved := map[string]string{
		"pkg1/file1.go":  "package p1\n\n// Unsaved visits the node.\nfunc Unsaved() { run17(nil, 0) }\n\ntype Node1 struct{}\n",
		"pkg2/brand.new": "words of no language: run17 Node5 Unsaved\n",
		"new/only.go":    "package new\n\nfunc Only() { Unsaved() }\n\nfunc Visit2Step2() {}\n",
	}
	for _, moment := range []string{"before the refresh", "while the snapshot is read"} {
		for _, large := range []bool{false, true} {
			if large && moment != "before the refresh" {
				continue // it takes long and is the same
			}
			t.Run(fmt.Sprintf("%s, large %v", moment, large), func(t *testing.T) {
				n := 40
				if large {
					n = manyFiles + 50
				}
				m := newMemory(project(n))
				open(t, m, 2)
				m.write("pkg3/file3.go", "package p3\n\nfunc Differs() { Unsaved() }\n")
				m.remove("pkg4/file4.go")
				store, tagger := gated{m, make(chan struct{}, 1), make(chan struct{})}, &counting{}
				x := New(Options{Source: m, Tagger: tagger, CoChange: m, Store: store, Code: syntax.Code, Workers: 2, Note: func(s string) { t.Error(s) }})
				if moment == "before the refresh" {
					lay(t, x, unsaved)
				}
				done := make(chan error, 1)
				go func() { done <- errors.Join(x.Refresh(t.Context()), x.RefreshHistory(t.Context())) }()
				receive(t, "the snapshot is not asked for", store.asked)
				if moment != "before the refresh" {
					lay(t, x, unsaved)
				}
				if got := mapOf(t, x, Request{Budget: 1 << 20}); len(got.Files) != len(unsaved) || got.Complete != 0 {
					t.Errorf("before the listing %d files are shown, %v of all", len(got.Files), got.Complete)
				}
				close(store.begin)
				if err := receive(t, "the refresh does not end", done); err != nil {
					t.Fatal(err)
				}
				want := append(slices.Collect(maps.Keys(unsaved)), "pkg3/file3.go")
				slices.Sort(want)
				if diff := cmp.Diff(want, tagger.taken()); diff != "" {
					t.Errorf("tagged: %s", diff)
				}
				fresh := open(t, newMemory(m.files), 2)
				lay(t, fresh, unsaved)
				sameMaps(t, "after the refresh", fresh, x)
				for p := range unsaved {
					x.Forget(p)
					fresh.Forget(p)
					sameMaps(t, "without "+p, fresh, x)
				}
			})
		}
	}
}

// A document that is closed again before the first listing leaves nothing: what the snapshot holds of its
// file may be gone.
func TestForgottenBeforeTheListing(t *testing.T) {
	m := newMemory(project(5))
	open(t, m, 1)
	waits := waitingSource{m, make(chan struct{}, 1), make(chan struct{})}
	x := New(Options{Source: waits, Tagger: syntax.Tagger{}, Store: m, Workers: 1})
	lay(t, x, map[string]string{"pkg1/file1.go": "package p1\n"})
	done := make(chan error, 1)
	go func() { done <- x.Refresh(t.Context()) }()
	receive(t, "the source is not listed", waits.asked)
	for end := time.Now().Add(time.Minute); x.current().generation < 2; time.Sleep(time.Millisecond) { // the snapshot is there
		if time.Now().After(end) {
			t.Fatal("hung: the snapshot is not taken over")
		}
	}
	x.Forget("pkg1/file1.go")
	if got := mapOf(t, x, Request{Budget: 1000}); got.Text != "" {
		t.Errorf("nothing is listed yet, but:\n%s", got.Text)
	}
	close(waits.begin)
	if err := receive(t, "the refresh does not end", done); err != nil {
		t.Fatal(err)
	}
	sameMaps(t, "after the listing", open(t, newMemory(m.files), 1), x)
}

// waitingSource lists when the test says so.
type waitingSource struct {
	*memory
	asked, begin chan struct{}
}

func (w waitingSource) List(ctx context.Context) ([]File, error) {
	w.asked <- struct{}{}
	<-w.begin
	return w.memory.List(ctx)
}

// Documents come and go at any moment while an index is loaded, filled and traded for its snapshot; what
// it knows in the end is that of an index that was made of the result.
func TestOverlaysAtAnyMoment(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	files := project(manyFiles + 50)
	for round := range 2 {
		m := newMemory(files)
		if round%2 == 1 {
			open(t, m, 2)
		}
		x := New(Options{Source: m, Tagger: syntax.Tagger{}, CoChange: m, Store: m, Code: syntax.Code, Workers: 2})
		refreshed := make(chan error, 1)
		go func() { refreshed <- errors.Join(x.Refresh(t.Context()), x.RefreshHistory(t.Context())) }()
		left := map[string]string{}
		act := func(k int) {
			p := fmt.Sprintf("pkg%d/file%d.go", random.IntN(7), random.IntN(60))
			if random.IntN(3) == 0 {
				x.Forget(p)
				delete(left, p)
				return
			}
			left[p] = fmt.Sprintf("package p\n\nfunc Unsaved%d() { run%d(nil, 0) }\n", k, random.IntN(60))
			lay(t, x, map[string]string{p: left[p]})
			if random.IntN(4) == 0 {
				mapOf(t, x, Request{Budget: 300, Chat: []string{p}, Message: "unsaved"})
			}
		}
		end := time.After(time.Minute)
		for k := 0; ; k++ {
			act(k)
			select {
			case <-end:
				t.Fatal("hung: the refresh does not end")
			case err := <-refreshed:
				if err != nil {
					t.Fatal(err)
				}
			default:
				continue
			}
			break
		}
		fresh := open(t, newMemory(m.files), 2)
		lay(t, fresh, left)
		sameMaps(t, fmt.Sprintf("round %d", round), fresh, x)
	}
}
