package index

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax"
)

// until waits for what happens beside the test.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(hung); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("hung: %s", what)
		}
	}
}

// counts gives how many workers live, and how many of them have nothing to do.
func (p *pool) counts() (all, free int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all), len(p.free)
}

// A worker serves one file after the other, and ends when nobody wants it for a while.
func TestWorkersComeAndGo(t *testing.T) {
	p := workers(t, "worker", "")
	p.idleTime = time.Hour
	for range 3 {
		if _, err := p.Tags(t.Context(), "a.go", good); err != nil {
			t.Fatal(err)
		}
		if all, free := p.counts(); all != 1 || free != 1 {
			t.Errorf("one file after the other: %d workers, %d free", all, free)
		}
	}
	var taken []*process
	for range 3 {
		w, err := p.take(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, w)
	}
	if fresh, err := p.take(t.Context(), true); err != nil || slices.Contains(taken, fresh) {
		t.Errorf("a fresh worker: %v", err)
	} else {
		p.end(fresh)
	}
	if all, free := p.counts(); all != 3 || free != 0 {
		t.Errorf("three at work: %d workers, %d free", all, free)
	}
	for _, w := range taken {
		p.give(w)
	}
	p.mu.Lock()
	p.idleTime = 10 * time.Minute
	taken[0].since = time.Now().Add(-p.idleTime)
	taken[2].since = time.Now().Add(-2 * p.idleTime)
	p.mu.Unlock()
	p.endIdle()
	if all, free := p.counts(); all != 1 || free != 1 || p.free[0] != taken[1] || p.sweep == nil {
		t.Errorf("after the sweep: %d workers, %d free, another sweep %v", all, free, p.sweep != nil)
	}
	p.mu.Lock()
	p.idleTime = time.Millisecond
	p.mu.Unlock()
	p.endIdle()
	if w, err := p.take(t.Context(), false); err != nil {
		t.Error(err)
	} else {
		p.give(w) // begins the wait for the next sweep
	}
	until(t, "an idle worker does not end", func() bool { all, free := p.counts(); return all == 0 && free == 0 })
	prompt(t, "the end of the workers", p.alive.Wait)
	p.mu.Lock()
	if p.sweep != nil {
		t.Error("nobody is left, and another sweep is to come")
	}
	p.mu.Unlock()
	if tags, err := p.Tags(t.Context(), "a.go", good); err != nil || len(tags) != 1 {
		t.Errorf("afterwards: %v %v", tags, err)
	}
}

// A file that a worker does not get done with is not tried again, as one that it crashes on.
func TestWorkerThatHangs(t *testing.T) {
	pipe, state := filepath.Join(t.TempDir(), "pipe"), t.TempDir()
	makePipe(t, pipe) // that nobody reads
	p := newPool([]string{os.Args[0], "linger", pipe}, state)
	defer p.close()
	if _, err := p.Tags(t.Context(), "a.go", good); err != nil { // it has started and is quick
		t.Fatal(err)
	}
	p.fileTime = 20 * time.Millisecond
	endless := []byte("package a // linger\n")
	for _, again := range []bool{false, true} {
		_, err := p.Tags(t.Context(), "b.go", endless)
		if !errors.Is(err, errCrashed) || errors.Is(err, errHung) == again {
			t.Errorf("again %v: %v", again, err)
		}
	}
	if all, _ := p.counts(); all != 0 {
		t.Errorf("%d workers are left", all)
	}
	want := fmt.Sprintf("%x\n", sha256.Sum256(endless))
	if text, err := os.ReadFile(p.list); err != nil || string(text) != want {
		t.Errorf("remembered %q, %v", text, err)
	}
}

// What is remembered of crashes is bounded, belongs to these grammars, and may be damaged.
func TestListOfCrashes(t *testing.T) {
	state := t.TempDir()
	sum := func(i int) [32]byte { return sha256.Sum256(fmt.Append(nil, i)) }
	p := newPool(nil, state)
	if want := filepath.Join(state, "index", "crashed-"+syntax.Fingerprint()[:16]); p.list != want { // else what was known is lost
		t.Errorf("the list is %s, was %s", p.list, want)
	}
	if p.remember(sum(1)); len(p.crashed) != 1 {
		t.Errorf("%d are remembered", len(p.crashed))
	}
	p.remember(sum(1))
	line := fmt.Sprintf("%x\n", sum(1))
	if text, err := os.ReadFile(p.list); err != nil || string(text) != line {
		t.Errorf("kept %q, %v", text, err)
	}
	if info, err := os.Stat(p.list); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	for text, want := range map[string]int{"": 0, "nonsense\n": 0, line: 1, strings.ToUpper(line): 1, "\n\n" + line + "zz\n" + fmt.Sprintf("%x", sum(2)): 2,
		line[:62] + "\n": 0, line[:64] + "00\n": 0, line[:64] + "zz\n": 0, line[:63] + "\n" + line: 1} {
		if err := os.WriteFile(p.list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := newPool(nil, state); len(got.crashed) != want || want > 0 && !got.crashed[sum(1)] {
			t.Errorf("%q: %d are remembered, want %d", text, len(got.crashed), want)
		}
	}
	var many strings.Builder
	for i := range maxCrashes - 1 {
		fmt.Fprintf(&many, "%x\n", sum(i))
	}
	if err := os.WriteFile(p.list, []byte(many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	full := newPool(nil, state)
	for i := range 3 {
		full.remember(sum(-1 - i))
	}
	if len(full.crashed) != maxCrashes || !full.crashed[sum(-1)] {
		t.Errorf("%d are remembered", len(full.crashed))
	}
	if text, err := os.ReadFile(p.list); err != nil || len(text) != maxCrashes*65 {
		t.Errorf("%d bytes are kept, %v", len(text), err)
	}
	if err := os.WriteFile(p.list, []byte(many.String()+many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := newPool(nil, state); len(got.crashed) != maxCrashes-1 {
		t.Errorf("%d are remembered", len(got.crashed))
	}
	for i := range 100 { // of windows that wrote at once
		fmt.Fprintf(&many, "%x\n", sum(-1-i))
	}
	for padding, want := range map[int]int{0: maxCrashes, maxList - many.Len(): maxCrashes, maxList - many.Len() + 1: 0} {
		if err := os.WriteFile(p.list, []byte(many.String()+strings.Repeat("x", padding)), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := newPool(nil, state); len(got.crashed) != want {
			t.Errorf("%d bytes more: %d are remembered, want %d", padding, len(got.crashed), want)
		}
	}
	nowhere := newPool(nil, "")
	if nowhere.remember(sum(1)); len(nowhere.crashed) != 1 || nowhere.list != "" {
		t.Errorf("without a place: %d, %q", len(nowhere.crashed), nowhere.list)
	}
	below := newPool(nil, p.list) // which is no folder
	if below.remember(sum(1)); !below.crashed[sum(1)] {
		t.Error("below a file: it is not known even now")
	}
}

// Who gives a worker back need do no more: it ends by itself when nobody wants it, and the next one too.
func TestIdleWorkersEnd(t *testing.T) {
	p := workers(t, "worker", "")
	p.idleTime = time.Millisecond
	for range 2 {
		if _, err := p.Tags(t.Context(), "a.go", good); err != nil {
			t.Fatal(err)
		}
		until(t, "an idle worker does not end", func() bool { all, _ := p.counts(); return all == 0 })
	}
}

// A worker needs nothing of the user's environment, least of all what is secret.
func TestEnvironmentOfWorkers(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "GIT_DIR", "GOMAXPROCS", "GOGC", "COAUTHOR_MODEL"} {
		t.Setenv(name, "from-the-user")
	}
	for _, missing := range []string{"", "PATH", "HOME", "TMPDIR", "LANG", "GOCOVERDIR"} {
		file := filepath.Join(t.TempDir(), "environment")
		want := map[string]string{"GOMAXPROCS": "1"}
		for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG", "GOCOVERDIR"} {
			if name == missing {
				t.Setenv(name, "")
				continue
			}
			want[name] = t.TempDir()
			t.Setenv(name, want[name])
		}
		p := newPool([]string{os.Args[0], "environment", file}, "")
		if _, err := p.Tags(t.Context(), "a.go", good); err != nil {
			t.Fatal(err)
		}
		p.close()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for e := range strings.SplitSeq(string(text), "\n") {
			name, value, _ := strings.Cut(e, "=")
			if _, twice := got[name]; twice {
				t.Errorf("%s is set twice", name)
			}
			got[name] = value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("without %s: %s", missing, diff)
		}
	}
}
