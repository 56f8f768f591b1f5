//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"coauthor/agent/workspace"
)

// However a command ends in the middle of writing, no temporary file of it stays for ever.
func TestNoTemporaryFileStaysBehind(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		next   []string // what is run next, and cleans
	}{
		{syscall.SIGHUP, nil},
		{syscall.SIGTERM, nil},
		{syscall.SIGKILL, []string{"apply", "--yes", "--format", "whole", "--root"}},
		{syscall.SIGKILL, []string{"edit", "-m", "x", "--model", "local", "--api-base", "http://127.0.0.1:9", "--root"}},
	} {
		t.Run(fmt.Sprint(c.signal, c.next), func(t *testing.T) {
			t.Parallel()
			root, home := t.TempDir(), t.TempDir()
			killWhileWriting(t, root, home, c.signal)
			left := temporaries(t, root)
			if c.next == nil {
				if len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
				return
			}
			if len(left) == 0 {
				t.Fatal("the kill left nothing, so nothing is tested")
			}
			elsewhere := t.TempDir() // any folder does
			next := startable(t, home, append(c.next, elsewhere)...)
			next.Stdin = strings.NewReader("b.py\n```\ny = 1\n```\n")
			out, _ := next.CombinedOutput() // the edit has no model to ask
			if left := temporaries(t, root); len(left) > 0 {
				t.Errorf("left behind after the next command: %v\n%s", left, out)
			}
		})
	}
}

// killWhileWriting applies a large reply, and sends a signal to it at a moment when it has a temporary file.
func killWhileWriting(t *testing.T, root, home string, signal syscall.Signal) {
	t.Helper()
	var reply bytes.Buffer
	for i := range 500 {
		fmt.Fprintf(&reply, "d%d/f%d.py\n```\n%s```\n\n", i%7, i, strings.Repeat("x = 1\n", 500))
	}
	cmd := startable(t, home, "apply", "--yes", "--format", "whole", "--root", root)
	cmd.Stdin = &reply
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill(); await(t, ended, "the end of a process that was killed") }()
	for deadline := time.Now().Add(hung); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		select {
		case <-ended:
			t.Fatal("the command ended before it was caught while writing")
		default:
		}
		if len(temporaries(t, root)) == 0 {
			continue
		}
		_ = cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(5 * time.Millisecond) // the stop is not at once
		caught := len(temporaries(t, root)) > 0
		if caught {
			_ = cmd.Process.Signal(signal)
		}
		_ = cmd.Process.Signal(syscall.SIGCONT)
		if !caught {
			continue
		}
		select {
		case <-ended:
		case <-time.After(hung):
			t.Fatalf("%v did not end it", signal)
		}
		return
	}
	t.Fatal("it was never caught while writing")
}

func temporaries(t *testing.T, root string) []string {
	t.Helper()
	var list []string
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error { // files come and go
		if err == nil && workspace.IsTemp(d.Name()) {
			list = append(list, name)
		}
		return nil
	})
	return list
}
