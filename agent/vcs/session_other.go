//go:build !unix

package vcs

import "os/exec"

// apart does nothing: here the children of hooks run on when git is ended.
func apart(*exec.Cmd) {}

func endAll(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killAll(*exec.Cmd) {}
