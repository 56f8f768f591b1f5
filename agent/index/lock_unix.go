//go:build unix

package index

import (
	"os"
	"syscall"
)

// removeOpen says that a file can be removed while it is open.
const removeOpen = true

// lock marks an open file as its process's own until it is closed. It fails at once where it is another's.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
