package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/workspace"
	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

const (
	idleTime   = 5 * time.Second // a worker that has nothing to do ends and gives its memory back
	tries      = 2               // of a file whose worker died
	maxCrashes = 1000            // that are remembered
	maxList    = 1 << 20         // bytes of their list
)

// pool tags files in worker processes. It is a repomap.Tagger. A file that kills two workers is
// remembered by the hash of its text and never tried again; its error says so.
//
// Its lock is held for no process and no disk: whoever is cancelled, or finds an idle worker, does not
// wait for another one's to start or to end.
type pool struct {
	argv     []string
	list     string        // file of remembered hashes, or ""
	fileTime time.Duration // see fileTime
	idleTime time.Duration // see idleTime

	alive sync.WaitGroup // workers that are being started, live, or are being ended

	mu      sync.Mutex
	free    []*process            // guarded by mu
	crashed map[[32]byte]bool     // guarded by mu
	closed  bool                  // guarded by mu
	all     map[*process]struct{} // guarded by mu
	sweep   *time.Timer           // guarded by mu
}

func newPool(argv []string, stateDir string) *pool {
	p := &pool{argv: argv, fileTime: fileTime, idleTime: idleTime, crashed: map[[32]byte]bool{}, all: map[*process]struct{}{}}
	if stateDir != "" {
		p.list = filepath.Join(stateDir, "index", "crashed-"+syntax.Fingerprint()[:16]) // other grammars get a new chance
		p.recall()
	}
	return p
}

// errCrashed says that a text has ended a worker, now or in the past.
var errCrashed = errors.New("the parser crashed on this file; only its words are indexed")

var errClosed = errors.New("the index was closed")

// Tags implements repomap.Tagger.
func (p *pool) Tags(ctx context.Context, path string, src []byte) ([]repomap.Tag, error) {
	if len(src) > syntax.MaxSize || !syntax.Knows(path, src) {
		return nil, ctx.Err() // nor would a worker find any, and it gets a copy of the text
	}
	if p.bad(src) {
		return nil, errCrashed
	}
	for try := 1; ; try++ {
		w, err := p.take(ctx, try > 1)
		if errors.Is(err, errNoWorker) {
			// The program was replaced or the system has no room: a tagless record would outlive that.
			return syntax.Tagger{}.Tags(ctx, path, src)
		}
		if err != nil {
			return nil, err
		}
		var t repomap.Tagged
		err = w.ask(ctx, []repomap.Text{{Path: path, Src: src}}, p.fileTime, func(answer repomap.Tagged) { t = answer })
		if err == nil {
			p.give(w)
			return t.Tags, t.Err
		}
		p.end(w)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p.isClosed() {
			return nil, errClosed
		}
		// Once may have been somebody else, such as a system that is out of memory.
		if try == tries || errors.Is(err, errHung) {
			p.remember(sha256.Sum256(src))
			return nil, fmt.Errorf("%w (%w)", errCrashed, err)
		}
	}
}

// TagAll implements repomap.BatchTagger. What a worker did not come to is asked for file by file, so that it shows
// which of them ended it.
func (p *pool) TagAll(ctx context.Context, texts []repomap.Text) []repomap.Tagged {
	out := make([]repomap.Tagged, len(texts))
	var places []int // of those that a worker is asked about
	var asked []repomap.Text
	for i, t := range texts {
		switch {
		case len(t.Src) > syntax.MaxSize, !syntax.Knows(t.Path, t.Src):
		case p.bad(t.Src):
			out[i].Err = errCrashed
		default:
			places, asked = append(places, i), append(asked, t)
		}
	}
	done := p.together(ctx, asked, func(k int, t repomap.Tagged) { out[places[k]] = t })
	for k := done; k < len(asked); k++ {
		t := &out[places[k]]
		t.Tags, t.Err = p.Tags(ctx, asked[k].Path, asked[k].Src)
	}
	return out
}

// together asks one worker about all texts and says how many of them it answered, from the first on.
func (p *pool) together(ctx context.Context, texts []repomap.Text, answer func(k int, t repomap.Tagged)) (done int) {
	if len(texts) < 2 {
		return 0
	}
	w, err := p.take(ctx, false)
	if err != nil {
		return 0 // to ask alone says why
	}
	err = w.ask(ctx, texts, p.fileTime, func(t repomap.Tagged) {
		answer(done, t)
		done++
	})
	if err != nil {
		p.end(w)
		return done
	}
	p.give(w)
	return done
}

// bad says that a text is one of those that are never tried again. There are next to none, so texts are hashed only
// where there is something to compare them with.
func (p *pool) bad(src []byte) bool {
	p.mu.Lock()
	none := len(p.crashed) == 0
	p.mu.Unlock()
	if none {
		return false
	}
	sum := sha256.Sum256(src)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.crashed[sum]
}

func (p *pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// take gives an idle worker, if not a fresh one is wanted, or starts one.
func (p *pool) take(ctx context.Context, fresh bool) (*process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w, err := p.idle(fresh)
	if w != nil || err != nil {
		return w, err
	}
	to := make(chan outcome)
	go p.start(ctx, to)
	select {
	case o := <-to:
		return o.w, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// idle gives a worker that has nothing to do, or none, and then one may be started.
func (p *pool) idle(fresh bool) (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	if n := len(p.free); n > 0 && !fresh {
		w := p.free[n-1]
		p.free = p.free[:n-1]
		return w, nil
	}
	p.alive.Add(1) // with the lock: none is added once the pool is closed
	return nil, nil
}

// outcome is what came of starting a worker.
type outcome struct {
	w   *process
	err error
}

// start starts a worker for the one who waits at to. When nobody does any more, it is the next one's.
func (p *pool) start(ctx context.Context, to chan<- outcome) {
	w, err := startProcess(ctx, p.argv)
	if err != nil {
		p.alive.Done()
	} else if err = p.enter(w); err != nil {
		p.end(w)
	}
	select {
	case to <- outcome{w, err}:
	case <-ctx.Done():
		if err == nil {
			p.give(w)
		}
	}
}

// enter counts a worker in, unless the pool has been closed meanwhile.
func (p *pool) enter(w *process) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errClosed
	}
	p.all[w] = struct{}{}
	return nil
}

// give puts a worker back, and has it ended when nobody wants it.
func (p *pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed { // and so it is ended already
		return
	}
	w.since = time.Now()
	p.free = append(p.free, w)
	if p.sweep == nil {
		p.sweep = time.AfterFunc(p.idleTime, p.endIdle)
	}
}

// endIdle ends the workers that had nothing to do for a while.
func (p *pool) endIdle() {
	var idle []*process
	p.mu.Lock()
	p.sweep = nil
	p.free = slices.DeleteFunc(p.free, func(w *process) bool {
		long := time.Since(w.since) >= p.idleTime
		if long {
			idle = append(idle, w)
		}
		return long
	})
	if len(p.free) > 0 {
		p.sweep = time.AfterFunc(p.idleTime, p.endIdle)
	}
	p.mu.Unlock()
	for _, w := range idle {
		p.end(w)
	}
}

// end kills a worker, which holds nothing that could be lost. Nobody but close waits until it is gone.
func (p *pool) end(w *process) {
	p.mu.Lock()
	delete(p.all, w)
	p.mu.Unlock()
	w.ended.Do(func() {
		_ = w.cmd.Process.Kill()
		go func() {
			defer p.alive.Done()
			_ = w.cmd.Wait() // it was killed, so it says so
		}()
	})
}

// close ends all workers and waits until they are gone.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	all := slices.Collect(maps.Keys(p.all))
	p.free = nil
	p.mu.Unlock()
	for _, w := range all {
		p.end(w)
	}
	p.alive.Wait()
}

// remember notes a text that must not be parsed again, also for the next start.
func (p *pool) remember(sum [32]byte) {
	p.mu.Lock()
	known := len(p.crashed) >= maxCrashes || p.crashed[sum]
	if !known {
		p.crashed[sum] = true
	}
	p.mu.Unlock()
	if known {
		return
	}
	_ = os.MkdirAll(filepath.Dir(p.list), 0o700) // without it the file cannot be opened, as it cannot without a name
	if info, err := os.Stat(p.list); err == nil && !info.Mode().IsRegular() {
		return // a pipe would be waited for
	}
	// What is not written is tried once more in the next session.
	if f, err := os.OpenFile(p.list, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
		_, _ = fmt.Fprintf(f, "%x\n", sum)
		_ = f.Close()
	}
}

func (p *pool) recall() {
	text, _ := workspace.ReadRegular(p.list, maxList) // what cannot be read is not there
	for line := range strings.Lines(string(text)) {
		sum, err := hex.DecodeString(strings.TrimSuffix(line, "\n"))
		if err == nil && len(sum) == sha256.Size && len(p.crashed) < maxCrashes {
			p.crashed[[sha256.Size]byte(sum)] = true
		}
	}
}
