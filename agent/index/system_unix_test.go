//go:build unix

package index

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// errFileTooLarge is what a write beyond limitFiles gives.
var errFileTooLarge error = syscall.EFBIG

// makePipe makes a named pipe, which whoever opens it waits for.
func makePipe(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
}

// makeDevice makes a device that reads as zeros without end.
func makeDevice(name string) error { return syscall.Mknod(name, syscall.S_IFCHR|0o666, 1<<8|5) }

// crash ends this process as a broken pointer does.
func crash() {
	_ = fell(os.Getpid()) // a process may always signal itself
	time.Sleep(time.Hour) // until the signal arrives; select {} would be a deadlock, which ends a program without C, and both ends at once hang
}

// fell ends another process as a broken pointer in it would.
func fell(pid int) error { return syscall.Kill(pid, syscall.SIGSEGV) }

// limitFiles keeps this process from writing files of more than so many bytes.
func limitFiles(most uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most})
}
