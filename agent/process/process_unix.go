//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func reading(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func end(cmd *exec.Cmd, now bool) {
	signal := syscall.SIGTERM
	if now {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal) // it may be gone already
}

func endAll(cmd *exec.Cmd) {
	end(cmd, true)
	mark := markOf(cmd)
	for n := 0; n < mostRounds && mark != "" && endMarked(mark); n++ {
	}
}

// mostRounds is how often what starts others while it ends is looked for.
const mostRounds = 8

func status(err *exec.ExitError) int {
	if st, ok := err.Sys().(syscall.WaitStatus); ok && st.Signaled() {
		return 128 + int(st.Signal())
	}
	return err.ExitCode()
}
