//go:build unix

package proposal

import (
	"errors"
	"os"
	"syscall"
)

// Running says whether a process exists on this machine; one that may not be signalled does.
func Running(pid int) bool {
	p, _ := os.FindProcess(pid) // never fails here
	err := p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// syncDir makes a new name in a folder survive a crash.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close() // read-only
	return d.Sync()
}
