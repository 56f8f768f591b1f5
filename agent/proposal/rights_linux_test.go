package proposal

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// unprivileged runs f as a user who owns nothing, on this thread alone, where the test is root.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if err := syscall.Setfsuid(65534); err != nil {
			t.Error(err)
			return
		}
		f()
	}()
	await(t, "who owns nothing", done)
}
