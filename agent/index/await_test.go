package index

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// answer takes what comes from a channel, and fails when nothing does though nothing holds it up.
func answer[T any](t *testing.T, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(hung):
		t.Fatalf("hung: %s waits", what)
	}
	return got
}

// readPipe waits for what a worker writes to a pipe when it has a text.
func readPipe(t *testing.T, pipe string) (told string) {
	t.Helper()
	prompt(t, "who reads what a worker writes", func() {
		raw, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		told = string(raw)
	})
	return told
}

// goroutines gives the stack of each goroutine.
func goroutines() []string {
	stacks := make([]byte, 1<<20)
	return strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
}

// waiting names the functions of this package in which goroutines wait, as the runtime calls that, such as
// "sync.Mutex.Lock": of each goroutine the innermost.
func waiting(state string) (in []string) {
	for _, g := range goroutines() {
		if head, _, _ := strings.Cut(g, "\n"); !strings.Contains(head, "["+state) {
			continue
		}
		for line := range strings.Lines(g) {
			if name, ok := strings.CutPrefix(line, "coauthor/agent/index."); ok {
				in = append(in, name[:strings.LastIndexByte(name, '(')])
				break
			}
		}
	}
	return in
}

// holds runs f beside the test and checks that it waits in a function, in a state, and not until release is
// called, which gives way.
func holds(t *testing.T, state, where string, f, release func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	ended := func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	var in []string
	until(t, "nobody waits in "+where, func() bool { in = waiting(state); return ended() || slices.Contains(in, where) })
	if !slices.Contains(in, where) {
		t.Errorf("%s does not wait, %v do", where, in)
	}
	release()
	answer(t, where, done)
}
