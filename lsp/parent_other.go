//go:build !unix

package lsp

import "os"

// processAlive asks the system whether a process exists.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // nothing is held that matters
	return true
}
