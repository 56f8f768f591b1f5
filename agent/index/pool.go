package index

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"coauthor/agent/workspace"
	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

const (
	fileTime   = 90 * time.Second // for one file in a worker, which itself gives up after sixty
	idleTime   = 5 * time.Second  // a worker that has nothing to do ends and gives its memory back
	tries      = 2                // of a file whose worker died
	maxCrashes = 1000             // that are remembered
	maxList    = 1 << 20          // bytes of their list
)

// pool tags files in worker processes. It is a repomap.Tagger. A file that kills two workers is
// remembered by the hash of its text and never tried again; its error says so.
type pool struct {
	argv []string
	list string // file of remembered hashes, or ""

	running atomic.Int32 // files being tagged now: the scheduler's counter

	mu      sync.Mutex
	free    []*process        // guarded by mu
	crashed map[[32]byte]bool // guarded by mu
	closed  bool              // guarded by mu
	all     map[*process]bool // guarded by mu
	sweep   *time.Timer       // guarded by mu
}

// process is one worker. It serves one file at a time.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	since time.Time // idle since
}

func newPool(argv []string, stateDir string) *pool {
	p := &pool{argv: argv, crashed: map[[32]byte]bool{}, all: map[*process]bool{}}
	if stateDir != "" {
		p.list = filepath.Join(stateDir, "index", "crashed-"+syntax.Fingerprint()[:16]) // other grammars get a new chance
		p.recall()
	}
	return p
}

// errCrashed says that a text has ended a worker, now or in the past.
var errCrashed = errors.New("the parser crashed on this file; it is indexed by its words alone")

var (
	errNoWorker = errors.New("start the index worker")
	errHung     = errors.New("the worker did not answer in time")
	errClosed   = errors.New("the index was closed")
)

// Tags implements repomap.Tagger.
func (p *pool) Tags(ctx context.Context, path string, src []byte) ([]repomap.Tag, error) {
	sum := sha256.Sum256(src)
	p.mu.Lock()
	bad := p.crashed[sum]
	p.mu.Unlock()
	if bad {
		return nil, errCrashed
	}
	p.running.Add(1)
	defer p.running.Add(-1)
	for try := 1; ; try++ {
		w, err := p.take(ctx, try > 1)
		if errors.Is(err, errNoWorker) {
			// The program was replaced or the system has no room: a tagless record would outlive that.
			return syntax.Tagger{}.Tags(ctx, path, src)
		}
		if err != nil {
			return nil, err
		}
		tags, refused, err := w.ask(ctx, path, src)
		if err == nil {
			p.give(w)
			return tags, refused
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
			p.remember(sum)
			return nil, fmt.Errorf("%w (%w)", errCrashed, err)
		}
	}
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
	// The worker outlives the call that starts it; what it is asked has a limit of its own.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.argv[0], p.argv[1:]...)
	cmd.Env = workerEnvironment()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoWorker, err)
	}
	w := &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16)}
	p.all[w] = true
	return w, nil
}

// workerEnvironment keeps the user's secrets out of a process that needs nothing of them.
func workerEnvironment() []string {
	var out []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG", "GOCOVERDIR"} {
		if v := os.Getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return append(out, "GOMAXPROCS=1", "GOGC=50")
}

// ask has one file tagged. refused is the worker's own error about this file; err means that the
// worker is of no more use.
func (w *process) ask(ctx context.Context, path string, src []byte) (tags []repomap.Tag, refused, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, fileTime, errHung)
	defer cancel()
	defer func() {
		if err != nil && errors.Is(context.Cause(ctx), errHung) {
			err = errHung
		}
	}()
	stop := context.AfterFunc(ctx, func() { _ = w.cmd.Process.Kill() }) // unblocks the pipes below
	defer stop()
	var frame bytes.Buffer
	if err := errors.Join(writeFrame(&frame, []byte(path)), writeFrame(&frame, src)); err != nil {
		return nil, nil, err
	}
	if _, err := w.in.Write(frame.Bytes()); err != nil {
		return nil, nil, err
	}
	status, err := w.out.ReadByte()
	if err != nil {
		return nil, nil, err
	}
	body, err := readFrame(w.out)
	if err != nil {
		return nil, nil, err
	}
	if status != 0 {
		return nil, errors.New(string(body)), nil
	}
	tags, err = decodeTags(body)
	return tags, nil, err
}

// give puts a worker back, and has it ended when nobody wants it.
func (p *pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		delete(p.all, w)
		w.stop()
		return
	}
	w.since = time.Now()
	p.free = append(p.free, w)
	if p.sweep == nil {
		p.sweep = time.AfterFunc(idleTime, p.endIdle)
	}
}

// endIdle ends the workers that had nothing to do for a while.
func (p *pool) endIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sweep = nil
	kept := p.free[:0]
	for _, w := range p.free {
		if time.Since(w.since) < idleTime {
			kept = append(kept, w)
			continue
		}
		delete(p.all, w)
		w.stop()
	}
	if p.free = kept; len(kept) > 0 && !p.closed {
		p.sweep = time.AfterFunc(idleTime, p.endIdle)
	}
}

func (p *pool) end(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, w)
	w.stop()
}

// stop kills a worker, which holds nothing that could be lost, and waits for it.
func (w *process) stop() {
	_ = w.in.Close()
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait() // it was killed, so it says so
}

// close ends all workers.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.sweep != nil {
		p.sweep.Stop()
	}
	for w := range p.all {
		w.stop()
	}
	p.all, p.free = nil, nil
}

// remember notes a text that must not be parsed again, also for the next start.
func (p *pool) remember(sum [32]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.crashed) >= maxCrashes {
		return
	}
	p.crashed[sum] = true
	if p.list == "" {
		return
	}
	if err := os.MkdirAll(filepath.Dir(p.list), 0o700); err != nil {
		return // it is tried once more in the next session
	}
	if info, err := os.Stat(p.list); err == nil && !info.Mode().IsRegular() {
		return // a pipe would be waited for
	}
	f, err := os.OpenFile(p.list, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(f, "%x\n", sum) // as above
	_ = f.Close()
}

func (p *pool) recall() {
	text, err := workspace.ReadRegular(p.list, maxList)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		var sum [32]byte
		var got []byte
		if n, _ := fmt.Sscanf(line, "%x", &got); n == 1 && len(got) == len(sum) && len(p.crashed) < maxCrashes {
			copy(sum[:], got)
			p.crashed[sum] = true
		}
	}
}
