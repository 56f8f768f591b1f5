//go:build !unix

package index

import (
	"errors"
	"os"
	"testing"
)

// errFileTooLarge stands for an error that cannot be brought about here.
var errFileTooLarge = errors.ErrUnsupported

// makePipe ends the test: there are no named pipes among the files here.
func makePipe(t *testing.T, _ string) {
	t.Helper()
	t.Skip("no file here is a named pipe")
}

func makeDevice(string) error { return errors.ErrUnsupported }

// crash ends this process without a word.
func crash() { _ = fell(os.Getpid()) }

// fell ends another process, which has no say in it.
func fell(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

func limitFiles(uint64) error { return errors.ErrUnsupported }
