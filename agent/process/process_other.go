//go:build !unix && !windows

package process

import "os/exec"

func apart(*exec.Cmd) {}

func reading(*exec.Cmd) {}

// end ends the command, without asking; what it has started goes on.
func end(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }

func endAll(cmd *exec.Cmd) { end(cmd, true) }

func status(err *exec.ExitError) int { return err.ExitCode() }
