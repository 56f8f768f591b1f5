//go:build unix

package shell

import (
	"os/exec"
	"syscall"
)

// apart has a command begin a group of processes of its own, which ends as a whole.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end asks the group of a command to end, or makes it.
func end(cmd *exec.Cmd, now bool) {
	signal := syscall.SIGTERM
	if now {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal) // it may be gone already
}

func code(status *exec.ExitError) int {
	if w, ok := status.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return status.ExitCode()
}
