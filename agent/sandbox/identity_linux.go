package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// folderIdentity is the number of the folder and the time at which it was made: a number is given again soon after a folder is
// removed. The number of the disk is none of it, which may be another one after each start. A file system without such times
// has 0 for them.
func folderIdentity(root string) (string, error) {
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, root, unix.AT_STATX_SYNC_AS_STAT, unix.STATX_INO|unix.STATX_BTIME, &st); err != nil {
		return "", err
	}
	if st.Mask&unix.STATX_BTIME == 0 {
		st.Btime = unix.StatxTimestamp{}
	}
	return fmt.Sprintf("%d-%d.%09d", st.Ino, st.Btime.Sec, st.Btime.Nsec), nil
}
