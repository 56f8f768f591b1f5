package userfiles

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"time"

	"coauthor/agent/process"
)

const (
	keyCommandTime = time.Minute // whoever unlocks a store of keys types a password
	keyCommandMax  = 64 << 10    // bytes that are read of what it prints
)

// KeyCommand runs the user's own command that prints a key. Only their own settings name one (package
// settings sees to that). It runs in their home folder, never in a workspace, so that no program of a
// repository can stand in for theirs, and what it prints is in no log and no message.
func (f *Files) KeyCommand(ctx context.Context, command string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, keyCommandTime, fmt.Errorf("the command took longer than %s", keyCommandTime))
	defer cancel()
	shell, flag := "/bin/sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	cmd := exec.CommandContext(ctx, shell, flag, command)
	cmd.Dir = f.Home()
	cmd.WaitDelay = 100 * time.Millisecond // children may keep the pipe open
	out := &cut{max: keyCommandMax}
	cmd.Stdout = out
	process.Apart(cmd)
	cmd.Cancel = func() error { process.End(cmd, true); return nil }
	err := cmd.Run()
	if cmd.Process != nil {
		process.End(cmd, true) // what it left running; an agent that keeps a store of keys open has a group of its own
	}
	var status *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.As(err, &status) && status.Exited():
		return "", fmt.Errorf("the command exited with status %d", status.ExitCode())
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return "", errors.New("the command did not start")
	}
	return string(out.kept), nil
}

// cut keeps the beginning of what is written to it. It has the methods of a writer alone: with those of a buffer, the whole
// output would be read into it.
type cut struct {
	kept []byte
	max  int
}

// Write implements io.Writer. It takes everything, so that the command does not fail by it.
func (c *cut) Write(p []byte) (int, error) {
	c.kept = append(c.kept, p[:min(max(c.max-len(c.kept), 0), len(p))]...)
	return len(p), nil
}
