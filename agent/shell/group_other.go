//go:build !unix

package shell

import "os/exec"

// apart does nothing: only the shell itself can be ended here, and not what it started.
func apart(*exec.Cmd) {}

// end ends the shell.
func end(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }

func code(status *exec.ExitError) int { return status.ExitCode() }
