//go:build unix

package lsp

import (
	"errors"
	"syscall"
)

// processAlive asks the system whether a process exists; one that may not be signalled does.
func processAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
