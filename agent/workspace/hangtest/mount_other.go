//go:build !linux

package hangtest

import "testing"

// Mount skips the test: there is no file system here that can be made to hang.
func Mount(t testing.TB) (dir string, release func()) {
	t.Helper()
	t.Skip("no file system can be made to hang here")
	return "", nil
}
