package index

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/repomap"
)

// A repository of 200,000 files is indexed as a whole and in bounded memory. So many are made where
// COAUTHOR_LARGE is set, as .ci/run does; else a few, with and without git.
func TestVeryManyFiles(t *testing.T) {
	total, most, ways := 5_000, uint64(100<<20), []bool{false, true}
	if os.Getenv("COAUTHOR_LARGE") != "" {
		total, most, ways = 200_000, 600<<20, []bool{true}
	}
	root := t.TempDir()
	var group sync.WaitGroup
	for part := range 4 {
		group.Go(func() {
			for i := part; i < total; i += 4 {
				dir := filepath.Join(root, fmt.Sprintf("d%03d", i/500))
				name := filepath.Join(dir, fmt.Sprintf("f%d.py", i))
				text := fmt.Appendf(nil, "def name_%d(x):\n    return name_%d(x)\n", i, (i*7919+1)%total)
				err := os.WriteFile(name, text, 0o644)
				if os.IsNotExist(err) {
					if err = os.MkdirAll(dir, 0o755); err == nil {
						err = os.WriteFile(name, text, 0o644)
					}
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait() // a slow disk takes minutes for so many
	if t.Failed() {
		return
	}
	last := fmt.Sprintf("name_%d", total-1)
	for _, gits := range ways {
		if gits {
			git(t, root, "init", "-q")
		}
		start := time.Now()
		state := t.TempDir()
		x, err := Open(t.Context(), root, Options{StateDir: state})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(x.Close) // also where it fails: what goes on reading has files open that other tests count
		peak := watchMemory(t, x)
		request := repomap.Request{MentionedIdents: []string{last}, Message: "change " + last}
		got := text(t, x, request)
		if !strings.Contains(got, "def "+last) {
			t.Errorf("git %v: %s is not in the map:\n%s", gits, last, got)
		}
		if peak > most {
			t.Errorf("git %v: %d files took %d MB", gits, total, peak>>20)
		}
		t.Logf("git %v: %d files in %v, at most %d MB", gits, total, time.Since(start).Round(time.Millisecond), peak>>20)
		x.Close()
		if graphs, err := filepath.Glob(filepath.Join(state, "index", "*.graph")); err != nil || len(graphs) != 1 {
			t.Errorf("git %v: the graphs %v are stored, %v", gits, graphs, err)
		}
		x, err = Open(t.Context(), root, Options{StateDir: state})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(x.Close)
		if err := x.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if again := text(t, x, request); again != got {
			t.Errorf("git %v: the map of the second start is another one:\n%s", gits, again)
		}
		x.Close()
	}
}

// watchMemory waits for the index and gives the most memory that the process used meanwhile.
func watchMemory(t *testing.T, x *Index) (peak uint64) {
	t.Helper()
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan error, 1)
	go func() { done <- x.Wait(t.Context()) }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	hung := time.After(5 * time.Minute)
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return peak
		case <-hung:
			t.Fatal("hung")
		case <-tick.C:
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			if now.HeapAlloc > before.HeapAlloc {
				peak = max(peak, now.HeapAlloc-before.HeapAlloc)
			}
		}
	}
}
