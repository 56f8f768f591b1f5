package index

import (
	"io/fs"
	"syscall"
)

// inode gives the number that a file has on its disk, and when it was last changed in nanoseconds: no
// program can set that time back.
func inode(info fs.FileInfo) (number uint64, changed int64, ok bool) {
	st := info.Sys().(*syscall.Stat_t) // as of every file that was looked at on a disk
	return st.Ino, st.Ctimespec.Nano(), true
}
