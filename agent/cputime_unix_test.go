//go:build unix

package agent_test

import (
	"syscall"
	"testing"
	"time"
)

// worked is how long processors have worked for this process. A busy machine lets it wait for them, which says nothing
// of what it does.
func worked(t testing.TB, _ time.Time) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
