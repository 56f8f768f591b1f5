package index

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// TestMain lets the test binary be the worker: the real one, one that a file can kill, and one that
// talks nonsense.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "worker":
			if err := ServeWorker(context.Background(), os.Stdin, os.Stdout); err != nil {
				os.Exit(1)
			}
			return
		case "fragile":
			if err := ServeWorker(context.Background(), &fragile{in: os.Stdin}, os.Stdout); err != nil {
				os.Exit(1)
			}
			return
		case "nonsense":
			_, _ = io.WriteString(os.Stdout, strings.Repeat("nonsense", 1000))
			_, _ = io.Copy(io.Discard, os.Stdin)
			return
		}
	}
	os.Exit(m.Run())
}

// fragile dies of the word segfault, as a grammar would.
type fragile struct{ in io.Reader }

func (f *fragile) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	if bytes.Contains(p[:n], []byte("segfault")) {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		select {} // until the signal arrives
	}
	return n, err
}

func workers(t *testing.T, mode, state string) *pool {
	t.Helper()
	p := newPool([]string{os.Args[0], mode}, state)
	t.Cleanup(p.close)
	return p
}

func TestWorkerTagsAsThisProcessDoes(t *testing.T) {
	p := workers(t, "worker", "")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for name, src := range map[string]string{"a.go": "package a\n\ntype T struct{}\n\nfunc (t *T) Do() {}\n", "b.py": "class A:\n    def f(self): pass\n",
				"empty.go": "", "größe.c": "int main(void) { return 0; }", "x.unknown": "?"} {
				want, err := syntax.Tagger{}.Tags(t.Context(), name, []byte(src))
				if err != nil {
					t.Error(err)
				}
				got, err := p.Tags(t.Context(), name, []byte(src))
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("%s: %v\n%s", name, err, diff)
				}
			}
		})
	}
	group.Wait()
	if n := p.running.Load(); n != 0 {
		t.Errorf("%d files are still being tagged", n)
	}
}

func TestCrashIsRememberedAndTheServerGoesOn(t *testing.T) {
	state := t.TempDir()
	p := workers(t, "fragile", state)
	good, bad := []byte("package a\n\nfunc Good() {}\n"), []byte("package a // segfault\n")
	if _, err := p.Tags(t.Context(), "bad.go", bad); !errors.Is(err, errCrashed) {
		t.Errorf("the worker died, but: %v", err)
	}
	if tags, err := p.Tags(t.Context(), "good.go", good); err != nil || len(tags) != 1 {
		t.Errorf("after a crash: %v %v", tags, err)
	}
	again := workers(t, "absent-mode-that-is-never-started", state)
	if _, err := again.Tags(t.Context(), "bad.go", bad); !errors.Is(err, errCrashed) {
		t.Errorf("the crash was forgotten: %v", err)
	}

	root := t.TempDir()
	write(t, root, map[string]string{"good.go": string(good), "bad.go": string(bad)})
	x := open(t, root, Options{Worker: []string{os.Args[0], "fragile"}})
	if got := text(t, x, repomap.Request{}); !strings.Contains(got, "func Good()") || !strings.Contains(got, "bad.go") {
		t.Errorf("got:\n%s", got)
	}
}

func TestWorkerThatCannotBeUsed(t *testing.T) {
	if _, err := workers(t, "nonsense", "").Tags(t.Context(), "a.go", []byte("package a")); err == nil {
		t.Error("nonsense was believed")
	}
	// Without the program this process parses: what failed to start must not leave a file without tags.
	if tags, err := newPool([]string{"/absent/program"}, "").Tags(t.Context(), "a.go", []byte("package a\n\nfunc A() {}\n")); err != nil || len(tags) != 1 {
		t.Errorf("%v %v", tags, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := workers(t, "worker", "")
	if _, err := p.Tags(ctx, "a.go", []byte("package a")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	p.close()
	if _, err := p.Tags(t.Context(), "a.go", []byte("package a")); err == nil {
		t.Error("a closed pool tagged a file")
	}
}

func FuzzDecodeTags(f *testing.F) {
	tags, err := syntax.Tagger{}.Tags(f.Context(), "a.go", []byte("package a\n\nfunc A() {}\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encodeTags(tags))
	f.Fuzz(func(t *testing.T, b []byte) {
		tags, err := decodeTags(b)
		if err != nil {
			return
		}
		again, err := decodeTags(encodeTags(tags))
		if diff := cmp.Diff(tags, again); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
		_, _ = readFrame(bufio.NewReader(bytes.NewReader(b)))
	})
}
