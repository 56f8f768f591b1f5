// Package index feeds the repository map: it lists the files of a root, reads and tags those that
// changed, keeps the snapshot in the state directory, and reads the history in the background.
//
// It ranks nothing itself; package repomap does. It opens only what its door allows. Packages agent
// and cmd call it. The main type is Index.
package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// Options are the surroundings of an index. The zero value works: no store, everything readable.
type Options struct {
	StateDir string                 // where snapshots lie; empty keeps none
	Log      *slog.Logger           // nil is silent
	Door     func(path string) bool // may this path leave the machine; nil allows all. Safe for concurrent use
	Workers  int                    // files tagged at a time; 0 leaves it to the number of processors
	Worker   []string               // command that runs ServeWorker; empty parses in this process
	Clock    func() time.Time       // nil is the wall clock
}

// Index is the live index of one root. It is safe for concurrent use.
type Index struct {
	o       Options
	source  *source
	workers *pool // nil: files are parsed in this process
	gate    *gate
	maps    *repomap.Index
	past    history
	cancel  context.CancelFunc
	kick    chan struct{} // buffer of one: a refresh that is asked for while one is asked for is the same
	group   sync.WaitGroup

	laying   chan struct{}       // buffer of one, full while a request lays its overlays: it parses them
	overlays map[string]struct{} // paths laid over by the last request; only who lays touches it

	// Nobody reads, parses or waits with mu held: the goroutine that reads what the editor says needs it.
	mu       sync.Mutex
	round    *round        // the next, running or last refresh; guarded by mu
	looked   time.Time     // when the last refresh that has ended began; guarded by mu
	took     time.Duration // what its look at the files took; guarded by mu
	patience time.Duration // a map waits for a look that takes no longer; guarded by mu
	behind   *time.Timer   // has the look begin that is due
	due      time.Time     // when a look that waits for maps to end begins at last; zero: none does; guarded by mu
}

const (
	lookAgain = 2 * time.Second        // how old a look at the disk may be before a map asks for a new one
	lookShare = 20                     // and so many times longer than the look took: large trees rely on events
	patience  = 100 * time.Millisecond // nobody notices that
	lookQuiet = time.Second            // without a map, until a look begins that none waits for: it takes both processors from the next one
	lookLast  = 30 * time.Second       // and after so long it begins all the same
)

// round is one refresh of everything; done is closed at its end.
type round struct {
	started bool
	files   chan struct{} // closed when the files are read; the history may take longer
	done    chan struct{}
	err     error
}

func newRound() *round { return &round{files: make(chan struct{}), done: make(chan struct{})} }

// Open makes the index of root and starts to fill it in the background, until Close. The context
// is for opening alone.
func Open(ctx context.Context, root string, o Options) (*Index, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", root, err)
	}
	source, err := newSource(abs, o.Door)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	note := func(s string) { o.Log.Debug("index", "root", abs, "note", s) }
	source.note = note
	var tagger repomap.Tagger = syntax.Tagger{}
	var workers *pool
	if len(o.Worker) > 0 {
		workers = newPool(o.Worker, o.StateDir)
		tagger = workers
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	gate := newGate(tagger, o.Workers, o.Clock)
	x := &Index{o: o, source: source, workers: workers, gate: gate, kick: make(chan struct{}, 1),
		laying: make(chan struct{}, 1), overlays: map[string]struct{}{}, round: newRound(), patience: patience}
	past := history{root: abs}
	if o.StateDir != "" {
		past.kept = newStore(o.StateDir, abs, ".log")
	}
	// One more than files are tagged at a time: it reads the next ones meanwhile.
	ro := repomap.Options{Source: source, Tagger: gate, Urgent: tagger, CoChange: past, Code: syntax.Code, Workers: o.Workers + 1, Fingerprint: syntax.Fingerprint(), Note: note}
	if o.StateDir != "" {
		ro.Store, ro.Graphs = newStore(o.StateDir, abs, ".map"), newStore(o.StateDir, abs, ".graph")
	}
	x.maps, x.past = repomap.New(ro), past
	x.behind = time.AfterFunc(lookLast, x.begin)
	x.behind.Stop() // until one is due
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x.cancel = cancel
	x.group.Add(1)
	go x.run(work)
	x.kick <- struct{}{}
	return x, ctx.Err()
}

// run refreshes whenever it is asked to.
func (x *Index) run(ctx context.Context) {
	defer x.group.Done()
	for {
		select {
		case <-ctx.Done():
			x.mu.Lock()
			x.round.end(errors.New("the index was closed"))
			x.mu.Unlock()
			return
		case <-x.kick:
		}
		x.mu.Lock()
		now := x.round
		// A kick that came between the one before and its round asked for the round that this one was.
		again := now.started
		now.started = true
		x.mu.Unlock()
		if again {
			continue
		}
		began, start := x.o.Clock(), time.Now()
		history := sync.OnceValue(func() error { return x.maps.RefreshHistory(ctx) })
		if x.past.known() { // else git has long to do, and would take a processor from the files
			go func() { _ = history() }() // and below its error
		}
		err := x.maps.Refresh(ctx)
		took := time.Since(start)
		close(now.files)
		err = errors.Join(err, history())
		if err != nil && ctx.Err() == nil {
			x.o.Log.Warn("index", "root", x.source.dir, "error", err)
		}
		x.mu.Lock()
		now.end(err)
		x.looked, x.took = began, took
		x.mu.Unlock()
	}
}

// end is called with the index's lock held.
func (r *round) end(err error) {
	select {
	case <-r.done:
	default:
		r.err = err
		close(r.done)
	}
}

// Map answers from what is indexed so far, at once but for the moment that a look at a small tree
// takes when the last one was long ago. The overlays of the request are all unsaved documents of the
// root.
func (x *Index) Map(ctx context.Context, r repomap.Request) (repomap.Map, error) {
	later := x.look(ctx)
	x.hold()
	defer x.letGo(later) // beside the map a look would cost the user who waits for it
	x.lay(ctx, r.Overlays)
	return x.maps.Map(ctx, r) // which says so where laying was cancelled
}

// look has the disk looked at if that was long ago, and waits for it if that is quick. If it is not,
// later says so: it is better done behind the map.
func (x *Index) look(ctx context.Context) (later bool) {
	x.mu.Lock()
	stale := x.round.started && !x.looked.IsZero() && x.o.Clock().Sub(x.looked) > max(lookAgain, lookShare*x.took)
	wait := x.patience
	quick := x.took <= wait
	x.mu.Unlock()
	if !stale || !quick {
		return stale
	}
	x.Changed("")
	x.mu.Lock()
	files := x.round.files
	x.mu.Unlock()
	select {
	case <-files:
	case <-time.After(2 * wait):
	case <-ctx.Done():
	}
	return false
}

// hold keeps a look that is due from beginning beside a map.
func (x *Index) hold() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.due.IsZero() && x.o.Clock().Before(x.due) {
		x.behind.Stop()
	}
}

// letGo is the end of hold: a look that is due begins when no other map is asked for. One may be asked for here.
func (x *Index) letGo(look bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if look && x.due.IsZero() {
		x.ask()
		x.due = x.o.Clock().Add(lookLast)
	}
	if !x.due.IsZero() {
		x.behind.Reset(min(lookQuiet, x.due.Sub(x.o.Clock())))
	}
}

// begin has the look begin that is due.
func (x *Index) begin() {
	x.mu.Lock()
	x.due = time.Time{}
	x.mu.Unlock()
	x.start()
}

// lay makes the overlays of the index those of the request, unless it is cancelled.
func (x *Index) lay(ctx context.Context, overlays map[string]string) {
	select {
	case x.laying <- struct{}{}:
		defer func() { <-x.laying }()
	case <-ctx.Done():
		return
	}
	for path := range x.overlays {
		if _, ok := overlays[path]; !ok {
			x.maps.Forget(path)
			delete(x.overlays, path)
		}
	}
	for path, text := range overlays {
		if !x.source.allowed(path) {
			continue
		}
		if changed, _ := x.maps.Update(ctx, path, text); changed { // it fails where it is cancelled
			x.gate.edited()
		}
		x.overlays[path] = struct{}{}
	}
}

// Wait returns when the index is up to date with the disk as it was at the last Changed, and the
// history has been read.
func (x *Index) Wait(ctx context.Context) error {
	x.mu.Lock()
	r := x.round
	x.mu.Unlock()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Changed says that the file at path may have changed on disk. It returns at once; the refresh that
// it asks for is the one that Wait then waits for.
func (x *Index) Changed(path string) {
	x.mu.Lock()
	x.ask()
	x.mu.Unlock()
	x.start()
}

// ask makes the next refresh one that Wait waits for. It is called with mu held.
func (x *Index) ask() {
	if x.round.started {
		x.round = newRound()
	}
}

// start has that refresh begin.
func (x *Index) start() {
	select {
	case x.kick <- struct{}{}:
	default:
	}
}

// Edited says that the user is typing: for two seconds at most one file at a time is parsed. It
// returns at once.
func (x *Index) Edited() { x.gate.edited() }

// Load tells what the background work is doing now.
func (x *Index) Load() Load { return x.gate.load() }

// Close stops the work in the background and waits for it.
func (x *Index) Close() {
	x.cancel()
	x.behind.Stop() // one that begins all the same asks nobody
	x.group.Wait()
	if x.workers != nil {
		x.workers.close()
	}
	x.source.close()
}

// EachPath calls f with the path of every file that is indexed so far, in order, until it returns false. Whoever keeps
// a path copies it.
func (x *Index) EachPath(f func(path string) bool) { x.maps.EachPath(f) }

// Defined lists places where a name is defined, at most so many.
func (x *Index) Defined(name string, most int) []repomap.Definition {
	return x.maps.Defined(name, most)
}

// Beginning lists names that begin so, in any case of letters, each with one place where it is defined.
func (x *Index) Beginning(prefix string, most int) []repomap.Definition {
	return x.maps.Beginning(prefix, most)
}

// Naming lists the files in whose text a name stands. complete says that every file is indexed.
func (x *Index) Naming(ctx context.Context, name string) (list []repomap.Naming, complete bool) {
	x.letGo(x.look(ctx))
	return repomap.NamesOf(x.maps).Naming(name)
}

// Outline lists the definitions of a file, outer ones first. ok says that they are those of the file on disk as it is now.
func (x *Index) Outline(path string) (list []repomap.Definition, ok bool) {
	list, id, ok := repomap.NamesOf(x.maps).Outline(path)
	if !ok {
		return nil, false
	}
	info, err := x.source.root.Lstat(path)
	id, _, _ = strings.Cut(id, markSeparator)
	return list, err == nil && identity(info) == id
}
