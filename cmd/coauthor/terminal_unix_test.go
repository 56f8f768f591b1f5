//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// screen is a pseudo-terminal with a command of ours on it, and the person before it.
type screen struct {
	t      *testing.T
	person *os.File
	ended  chan int

	mu   sync.Mutex
	seen strings.Builder // guarded by mu
	at   int             // guarded by mu; what expect has gone past
}

// onScreen runs a command with all its streams on a pseudo-terminal of 80 columns.
func (h *shell) onScreen(args ...string) *screen {
	h.t.Helper()
	person, tty, err := pty.Open()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		h.t.Fatal(err)
	}
	s := &screen{t: h.t, person: person, ended: make(chan int, 1)}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second) // only a hang takes so long
	home := h.t.TempDir()
	env := map[string]string{"HOME": home, "TERM": "xterm", "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config")}
	read := make(chan struct{})
	go func() {
		defer close(read)
		piece := make([]byte, 4096)
		for {
			n, err := person.Read(piece)
			s.mu.Lock()
			s.seen.Write(piece[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		code := run(ctx, args, Streams{In: tty, Out: tty, Err: tty, Env: func(name string) string { return env[name] }})
		_ = tty.Close() // the reader sees the end
		<-read
		s.ended <- code
	}()
	h.t.Cleanup(func() {
		cancel()
		<-ran
		_ = person.Close()
	})
	return s
}

// edit asks for a change on a pseudo-terminal.
func (h *shell) editOnScreen(args ...string) *screen {
	return h.onScreen(append([]string{"edit", "-m", "Make x two.", "--format", "diff", filepath.Join(h.root, "a.py"),
		"--root", h.root, "--model", "local", "--api-base", h.server.URL}, args...)...)
}

// text is everything that was shown so far, with plain line ends.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.seen.String(), "\r\n", "\n")
}

// expect waits until a text is shown, behind what was expected before.
func (s *screen) expect(text string) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		all := s.text()
		s.mu.Lock()
		at := min(s.at, len(all))
		i := strings.Index(all[at:], text)
		if i >= 0 {
			s.at = at + i + len(text)
		}
		s.mu.Unlock()
		if i >= 0 {
			return
		}
	}
	s.t.Fatalf("%q is not shown:\n%s", text, s.text())
}

// types types.
func (s *screen) types(text string) {
	s.t.Helper()
	if _, err := s.person.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// exit waits for the end of the command.
func (s *screen) exit(want int) {
	s.t.Helper()
	select {
	case code := <-s.ended:
		if code != want {
			s.t.Errorf("exit %d, want %d:\n%s", code, want, s.text())
		}
	case <-time.After(20 * time.Second):
		s.t.Fatalf("the command does not end:\n%s", s.text())
	}
}

const wantsOther = "-- 1.md --\nother.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n-- 2.md --\n" +
	"other.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n"

// Every question of the command line takes y, n, the first letter and the word, and asks again for
// anything else.
func TestQuestionsOnATerminal(t *testing.T) {
	for _, c := range []struct {
		answer string
		added  bool
	}{{"y", true}, {"a", true}, {"add", true}, {"YES", true}, {"n", false}, {"s", false}, {"skip", false}, {"", false}} {
		h := newShell(t, wantsOther)
		h.put("other.py", "y = 1\n")
		s := h.editOnScreen()
		s.expect("other.py")
		s.expect("[add/skip] (default: skip)")
		s.types("what?\n")
		s.expect("That is no answer. Type add or skip")
		s.expect("[add/skip]")
		s.types(c.answer + "\n")
		if !c.added {
			s.exit(1)
			if h.read("other.py") != "y = 1\n" {
				t.Errorf("%q: other.py was changed", c.answer)
			}
			continue
		}
		s.expect("Apply this change? [yes/no] (default: no)")
		s.types("y\n")
		s.exit(0)
		if h.read("other.py") != "y = 2\n" {
			t.Errorf("%q: other.py is %q", c.answer, h.read("other.py"))
		}
	}
}

// An unfinished line is no consent, and neither is the end of the input.
func TestEndOfInputIsTheDefault(t *testing.T) {
	for _, typed := range []string{"\x04", "y\x04\x04"} { // Ctrl-D
		h := newShell(t, "-- 1.md --\n"+twoReply)
		s := h.editOnScreen()
		s.expect("Apply this change?")
		s.types(typed)
		s.expect("Nothing was written.")
		s.exit(1)
		if h.read("a.py") != "x = 1\r\nz = 1" {
			t.Errorf("%q: a.py was changed", typed)
		}
	}
}

// What standard input is called does not matter: /dev/null is nobody.
func TestDevNullIsNoTerminal(t *testing.T) {
	fd, err := syscall.Open(os.DevNull, syscall.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	null := os.NewFile(uintptr(fd), "/dev/stdin")
	defer null.Close()
	if isTerminal(null) {
		t.Error("/dev/null counts as a terminal")
	}
	h := newShell(t, "-- 1.md --\n"+twoReply)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	env := map[string]string{"HOME": t.TempDir()}
	code := run(ctx, []string{"edit", "-m", "Make x two.", "--format", "diff", filepath.Join(h.root, "a.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL},
		Streams{In: null, Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }})
	if code != 1 || !strings.Contains(h.err.String(), "no terminal to ask on") || strings.Contains(h.err.String(), "Apply this change?") {
		t.Errorf("exit %d, told %s", code, h.err.String())
	}
}
