//go:build unix

package vcs

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A hook that hangs ends with the commit, and so does what it has started, also where it does not want to. What it
// held open, which is closed when the last of them is gone, tells.
func TestHooksEndWithTheCommit(t *testing.T) {
	for name, script := range map[string]string{
		"hangs":         "sleep 1000 &\nwait\n",
		"will not end":  "trap '' TERM\nsleep 1000 &\nsleep 1000\nsleep 1000\n",
		"in the middle": "(sleep 1000; echo never) | cat\n",
	} {
		t.Run(name, func(t *testing.T) {
			root := mine(t, map[string]string{"a": "1\n"})
			held := filepath.Join(t.TempDir(), "held")
			if err := syscall.Mkfifo(held, 0o600); err != nil {
				t.Fatal(err)
			}
			hook(t, root, "pre-commit", "exec 9> "+held+"\n"+script)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() {
				staged, err := Stage(ctx, root, nil)
				if err == nil {
					defer func() { _ = staged.Close() }()
					err = staged.Unstage(ctx)
				}
				if err == nil {
					err = staged.AddTexts(ctx, []Content{{Path: "a", Text: "2\n"}})
				}
				if err == nil {
					_, err = staged.Commit(ctx, CommitOptions{Message: "Change a\n", Hooks: true})
				}
				done <- err
			}()
			open, err := os.Open(held) // waits for the hook
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = open.Close() }()
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("the commit says %v", err)
			}
			if _, err := io.ReadAll(open); err != nil {
				t.Error(err)
			}
			if got := asks(t, root, "rev-list", "--count", "HEAD"); got != "1\n" {
				t.Errorf("%s commits", got)
			}
		})
	}
}

// A commit whose hook leaves something running is made, and what runs is left alone.
func TestAHookLeavesSomethingRunning(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n"})
	held := filepath.Join(t.TempDir(), "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	hook(t, root, "post-commit", "cat "+held+" >&2 &\n")
	if _, err := makes(t, root, CommitOptions{Message: "Change a\n", Hooks: true}, Content{Path: "a", Text: "2\n"}); err != nil {
		t.Error(err)
	}
	end, err := os.OpenFile(held, os.O_WRONLY|syscall.O_NONBLOCK, 0) // fails when nobody reads
	if err != nil {
		t.Fatal(err)
	}
	_ = end.Close() // and so it ends
}
