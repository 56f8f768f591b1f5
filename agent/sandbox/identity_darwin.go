package sandbox

import (
	"fmt"
	"os"
	"syscall"
)

// folderIdentity is the number of the folder and the time at which it was made.
func folderIdentity(root string) (string, error) {
	info, err := os.Stat(root)
	if err != nil {
		return "", err
	}
	st := info.Sys().(*syscall.Stat_t) // as of everything that was looked at on a disk
	return fmt.Sprintf("%d-%d.%09d", st.Ino, st.Birthtimespec.Sec, st.Birthtimespec.Nsec), nil
}
