//go:build !linux

package proposal

import (
	"os"
	"testing"
)

// unprivileged runs f as the user of the test, which cannot be root here.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("root may read everything, and a thread cannot give that up here")
	}
	f()
}
