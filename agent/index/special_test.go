//go:build unix

package index

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestStateThatIsNoFile puts pipes where the index keeps its files. Nothing waits for them.
func TestStateThatIsNoFile(t *testing.T) {
	state := t.TempDir()
	s := newStore(state, "/root", ".map")
	list := newPool(nil, state).list
	if err := os.MkdirAll(filepath.Join(state, "index"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{s.file, list} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := s.Load(); err == nil {
			t.Error("a pipe was loaded")
		}
		if _, _, err := s.Page(); err == nil {
			t.Error("a pipe was mapped")
		}
		p := newPool(nil, state)
		p.remember([32]byte{1})
		if len(p.crashed) != 1 {
			t.Errorf("%d crashes", len(p.crashed))
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("hung: the index waits for a pipe")
	}
}

// TestGitThatWaitsForAPipe has an ignore file that git waits for. The tree is listed without git then.
func TestGitThatWaitsForAPipe(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, map[string]string{"a.go": "package a\n", "sub/b.go": "package b\n"})
	fresh, before := sourceOf(t, root, nil), sourceOf(t, root, nil)
	if got := names(list(t, before)); got != "a.go sub/b.go" {
		t.Errorf("%q", got)
	}
	if err := syscall.Mkfifo(filepath.Join(root, ".gitignore"), 0o644); err != nil {
		t.Fatal(err)
	}
	for what, s := range map[string]*source{"never listed": fresh, "listed before": before} {
		s.gitPatience = 200 * time.Millisecond
		told := 0
		s.note = func(string) { told++ }
		if got := names(list(t, s)); got != "a.go sub/b.go" || told != 1 {
			t.Errorf("%s: %q, told %d times", what, got, told)
		}
	}
}
