//go:build unix

package vcs

import (
	"os/exec"
	"syscall"
)

// apart has a process lead a session of its own: what it starts, hooks and their children, can be ended with it, and
// asks nobody at the terminal that we were started in.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endAll asks a process that was started apart, and all that it has started, to end.
func endAll(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// killAll ends what is left of them.
func killAll(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly nothing is left
}
