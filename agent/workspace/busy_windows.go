package workspace

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"syscall"
)

const (
	errorInvalidFunction  = syscall.Errno(1)
	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
)

// held says whether an error means that another program keeps everybody else from a file. A file whose reader
// does not share it cannot be replaced either, and the system calls that a lack of rights.
func held(err error, replacing bool) bool {
	return errors.Is(err, errorSharingViolation) || errors.Is(err, errorLockViolation) || replacing && errors.Is(err, syscall.ERROR_ACCESS_DENIED)
}

// remove deletes a file below a root. Where the disk or the system cannot delete a file that is open elsewhere,
// os.Root does not delete at all; then it is done by name, in the folder that the root has found.
func remove(root *os.Root, name string) error {
	err := root.Remove(name)
	if !errors.Is(err, errorInvalidFunction) {
		return err
	}
	dir, openErr := root.OpenRoot(path.Dir(name))
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	defer dir.Close() // nothing is written through it
	return os.Remove(filepath.Join(dir.Name(), path.Base(name)))
}
