package index

import (
	"io/fs"
	"syscall"
)

// inode gives the number that a file has on its disk, and when it was last changed in nanoseconds: no
// program can set that time back.
func inode(info fs.FileInfo) (number uint64, changed int64, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return st.Ino, st.Ctim.Nano(), true
}
