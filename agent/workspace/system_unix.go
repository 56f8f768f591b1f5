//go:build unix

package workspace

import (
	"io/fs"
	"syscall"
)

// writable asks the system, which also knows what is on a file system that can only be read.
func writable(abs string, info fs.FileInfo) bool {
	const mayWrite, maySearch = 2, 1
	wanted := uint32(mayWrite)
	if info.IsDir() {
		wanted |= maySearch
	}
	return marked(info) && syscall.Access(abs, wanted) == nil
}

// errNotDir is what stands in the way where a path goes through a file.
var errNotDir error = syscall.ENOTDIR
