package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
)

// hung is how long only something that hangs takes, also on a machine whose disk is busy with other work.
const hung = 2 * time.Minute

// prompt fails when f does not return though nothing holds it up.
func prompt(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(hung):
		t.Fatalf("hung: %s waits", what)
	}
}

// Whoever reads what the editor says tells the index of keys and of changed files, and waits for no parse,
// however long an unsaved document takes. Cancelling ends the wait of those who asked for maps.
func TestNobodyWaitsForAParse(t *testing.T) {
	root, pipe := t.TempDir(), filepath.Join(t.TempDir(), "pipe")
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Before() {}\n"})
	x := open(t, root, Options{Worker: []string{os.Args[0], "linger", pipe}})
	makePipe(t, pipe)
	unsaved := repomap.Request{Budget: 1000, Overlays: map[string]string{"a.go": "package a\n\nfunc Unsaved() {} // linger\n"}}
	parsing, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() { _, err := x.Map(parsing, unsaved); first <- err }()
	readPipe(t, pipe) // the worker has the text
	write(t, root, map[string]string{"b.go": "package a\n\nfunc After() {}\n"})
	prompt(t, "telling of a change", func() {
		x.Edited()
		x.Changed("b.go")
		x.Load()
	})
	prompt(t, "the refresh", func() {
		if err := x.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
	impatient, stop := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() { _, err := x.Map(impatient, repomap.Request{Budget: 1000}); second <- err }()
	until(t, "the second map does not wait for the first one's document", func() bool { return slices.Contains(waiting("select"), "(*Index).lay") })
	for _, c := range []struct {
		what   string
		cancel func()
		err    chan error
	}{{"the second map", stop, second}, {"the first map", cancel, first}} {
		c.cancel()
		if err := answer(t, c.what, c.err); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	if got := text(t, x, unsaved); !strings.Contains(got, "Unsaved") || !strings.Contains(got, "After") || strings.Contains(got, "Before") {
		t.Errorf("afterwards:\n%s", got)
	}
	if got := text(t, x, repomap.Request{}); strings.Contains(got, "Unsaved") || !strings.Contains(got, "Before") {
		t.Errorf("without the document:\n%s", got)
	}
}

// Documents that are open when the server starts are laid over what the last one knew: only they and what
// differs on disk are tagged.
func TestOpenDocumentsKeepTheSnapshot(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	files := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		files[name+".go"] = "package a\n\nfunc In" + name + "() {}\n"
	}
	write(t, root, files)
	open(t, root, Options{StateDir: state}).Close()
	write(t, root, map[string]string{"c.go": "package a\n\nfunc Changed() {}\n"})
	for range 5 { // the document may come before the snapshot or after it
		list := filepath.Join(t.TempDir(), "tagged")
		before, err := os.ReadFile(newStore(state, root, ".map").file)
		if err != nil {
			t.Fatal(err)
		}
		x, err := Open(t.Context(), root, Options{StateDir: state, Worker: []string{os.Args[0], "listed", list}})
		if err != nil {
			t.Fatal(err)
		}
		text(t, x, repomap.Request{Overlays: map[string]string{"a.go": "package a\n\nfunc Unsaved() {}\n"}})
		wait(t, x)
		if got := complete(t, x); !strings.Contains(got, "Changed") || !strings.Contains(got, "Ina") || !strings.Contains(got, "Ine") {
			t.Errorf("got:\n%s", got)
		}
		x.Close()
		tagged, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(string(tagged))
		slices.Sort(names)
		if diff := cmp.Diff([]string{"a.go", "c.go"}, names); diff != "" {
			t.Errorf("tagged: %s", diff)
		}
		if err := os.WriteFile(newStore(state, root, ".map").file, before, 0o600); err != nil { // for the next round
			t.Fatal(err)
		}
	}
}

// inStart waits until a goroutine of this process is about to start another one.
func inStart(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for end := time.Now().Add(hung); ; time.Sleep(time.Millisecond) {
		if n := runtime.Stack(stacks, true); strings.Contains(string(stacks[:n]), "syscall.forkExec(") {
			return
		}
		if time.Now().After(end) {
			t.Fatal("hung: nothing is started")
		}
	}
}

// A worker that takes its time to start holds up nobody but the one who needs it, who can be cancelled.
func TestSlowStartOfAWorker(t *testing.T) {
	p := workers(t, "worker", "")
	if _, err := p.Tags(t.Context(), "a.go", good); err != nil {
		t.Fatal(err)
	}
	busy, err := p.take(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock() // nothing starts in this process from now on
	release := sync.OnceFunc(syscall.ForkLock.RUnlock)
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := p.Tags(ctx, "b.go", good); ended <- err }()
	inStart(t)
	prompt(t, "a file for which there is a worker", func() {
		p.give(busy)
		if tags, err := p.Tags(t.Context(), "c.go", good); err != nil || len(tags) != 1 {
			t.Errorf("%v %v", tags, err)
		}
	})
	cancel()
	if err := answer(t, "who is cancelled", ended); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	release()
	// The worker that came too late serves the next one.
	for end := time.Now().Add(hung); ; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		free := len(p.free)
		p.mu.Unlock()
		if free == 2 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("hung: %d workers are free", free)
		}
	}
	var taken []*process
	for range 2 {
		w, err := p.take(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		var got repomap.Tagged
		if err := w.ask(t.Context(), []repomap.Text{{Path: "d.go", Src: good}}, hung, func(t repomap.Tagged) { got = t }); err != nil || got.Err != nil || len(got.Tags) != 1 {
			t.Errorf("%v %v", got, err)
		}
		taken = append(taken, w)
	}
	p.close()
	for _, w := range taken {
		if w.cmd.ProcessState == nil {
			t.Error("a worker outlives its pool")
		}
		p.give(w) // too late
	}
	if all, free := p.counts(); all != 0 || free != 0 {
		t.Errorf("closed: %d workers, %d free", all, free)
	}
	p.close()
}

// Nobody is there any more for a worker that cannot be started in the end.
func TestCancelBeforeAStartThatFails(t *testing.T) {
	p := newPool([]string{"/absent/program"}, "")
	syscall.ForkLock.RLock()
	release := sync.OnceFunc(syscall.ForkLock.RUnlock)
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := p.Tags(ctx, "a.go", good); ended <- err }()
	inStart(t)
	cancel()
	if err := answer(t, "who is cancelled", ended); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	release()
	prompt(t, "the one who starts it", func() {
		for slices.ContainsFunc(goroutines(), func(g string) bool { return strings.Contains(g, "index.(*pool).start(") }) {
			runtime.Gosched()
		}
	})
	if all, free := p.counts(); all != 0 || free != 0 {
		t.Errorf("%d workers, %d free", all, free)
	}
	p.close()
}

// A pool that is closed while a worker starts waits for that one too, and it ends.
func TestCloseWhileAWorkerStarts(t *testing.T) {
	p := workers(t, "worker", "")
	syscall.ForkLock.RLock()
	release := sync.OnceFunc(syscall.ForkLock.RUnlock)
	defer release()
	ended := make(chan error, 1)
	go func() { _, err := p.Tags(t.Context(), "a.go", good); ended <- err }()
	inStart(t)
	holds(t, "sync.WaitGroup.Wait", "(*pool).close", p.close, release)
	if err := answer(t, "who asked", ended); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
	if len(p.all) != 0 || len(p.free) != 0 {
		t.Errorf("%d workers, %d free", len(p.all), len(p.free))
	}
}
