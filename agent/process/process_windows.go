package process

import (
	"context"
	"os/exec"
	"strconv"
	"time"
)

func apart(*exec.Cmd) {}

func reading(*exec.Cmd) {}

// end ends a command with what it has started, as far as the system knows that: a process whose parent is gone is
// nobody's. There is no way to ask.
func end(cmd *exec.Cmd, _ bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = exec.CommandContext(ctx, "taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	_ = cmd.Process.Kill()
}

func endAll(cmd *exec.Cmd) { end(cmd, true) }

func status(err *exec.ExitError) int { return err.ExitCode() }
