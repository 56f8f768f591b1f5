//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// exitOf is the status of a process that has ended.
func exitOf(t *testing.T, err error) int {
	t.Helper()
	var bad *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &bad):
		return bad.ExitCode()
	}
	t.Fatal(err)
	return -1
}

// TestTheProcess: arguments, streams and status of the real process.
func TestTheProcess(t *testing.T) {
	t.Parallel()
	root := lay(t, map[string]string{"a.txt": "one\ntwo\n"})
	for _, x := range []struct {
		in, args  string
		code      int
		out, errs string
	}{
		{"", "version", 0, "coauthor devel", ""},
		{"", "nonsense", 2, "", "unexpected argument nonsense"},
		{"", "ROOT/a.txt", 2, "", "Did you mean this?\n  coauthor chat "},
		{"", "apply --format klingon", 2, "", "unknown edit format"},
		{badBlock, "apply --root ROOT", 1, "no-match", ""},
		{goodBlock, "apply --root ROOT", 0, "update a.txt (+1 -1)", ""},
	} {
		cmd := startable(t, t.TempDir(), strings.Fields(strings.ReplaceAll(x.args, "ROOT", root))...)
		var out, errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(x.in), &out, &errs
		code := exitOf(t, cmd.Run())
		if code != x.code || !strings.Contains(out.String(), x.out) || !strings.Contains(errs.String(), x.errs) || (x.errs == "") != (errs.Len() == 0) {
			t.Errorf("%s: exit %d\n%s%s", x.args, code, out.String(), errs.String())
		}
	}
	if got := (&shell{root: root}).read("a.txt"); got != "uno\ntwo\n" {
		t.Errorf("a.txt is %q", got)
	}
}

// TestSignalsInterrupt: every signal that asks for the end gives up the request, and the status says so.
func TestSignalsInterrupt(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			h := newShell(t, "-- 1.md --\n"+twoReply+"-- 1.yaml --\nhold: true\n")
			cmd := startable(t, t.TempDir(), "edit", "-m", "x", "--yes", "--root", h.root, "--model", "local", "--api-base", h.server.URL, filepath.Join(h.root, "a.py"))
			cmd.Stdout, cmd.Stderr = &h.out, &h.err
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			limit, stop := context.WithTimeout(t.Context(), hung)
			defer stop()
			if err := h.server.WaitHeld(limit, 1); err != nil {
				t.Fatalf("%v\n%s", err, h.err.String())
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := exitOf(t, cmd.Wait()); code != 130 || !strings.HasSuffix(h.err.String(), "coauthor: interrupted\n") {
				t.Errorf("exit %d, told %s", code, h.err.String())
			}
			if err := h.server.WaitClosed(limit, 1); err != nil {
				t.Error(err)
			}
			if h.read("a.py") != "x = 1\r\nz = 1" {
				t.Error("something was written")
			}
		})
	}
}

// TestTheTerminalOfTheProcess is asked where the reply comes through a pipe and somebody looks.
func TestTheTerminalOfTheProcess(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{"y": "uno\ntwo\n", "n": "one\ntwo\n"} {
		root := lay(t, map[string]string{"a.txt": "one\ntwo\n"})
		cmd := startable(t, t.TempDir(), "apply", "--root", root)
		person, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer person.Close()
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(goodBlock), tty, tty
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = tty.Close()
		if err := person.SetReadDeadline(time.Now().Add(hung)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
			t.Fatal(err)
		}
		var seen strings.Builder
		for piece := make([]byte, 1024); !strings.Contains(seen.String(), "Apply this change?"); {
			n, err := person.Read(piece)
			seen.Write(piece[:n])
			if err != nil {
				t.Fatalf("no question: %v\n%s", err, seen.String())
			}
		}
		_, _ = io.WriteString(person, answer+"\n")
		rest, _ := io.ReadAll(person) // the end of a terminal is an error
		code := exitOf(t, cmd.Wait())
		if got := (&shell{root: root}).read("a.txt"); got != want || (code == 0) != (answer == "y") {
			t.Errorf("%q: exit %d, a.txt is %q\n%s%s", answer, code, got, seen.String(), rest)
		}
	}
}
