package hangtest

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

// Mount mounts a file system of which nobody answers the questions, and returns its folder. Whoever asks for
// anything in it waits until release is called, or the test ends, and has an error then. Where mounting is
// not allowed the test is skipped.
func Mount(t testing.TB) (dir string, release func()) {
	t.Helper()
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("no file system can be made to hang here:", err)
	}
	dir = t.TempDir()
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d", fd, os.Getuid(), os.Getgid())
	if err := syscall.Mount("hang", dir, "fuse", syscall.MS_NOSUID|syscall.MS_NODEV, options); err != nil {
		_ = syscall.Close(fd) // nothing was mounted
		t.Skip("no file system can be made to hang here:", err)
	}
	released := false
	release = func() {
		if released {
			return
		}
		released = true
		if err := syscall.Close(fd); err != nil { // all who wait have an error now
			t.Error(err)
		}
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(release)
	return dir, release
}
