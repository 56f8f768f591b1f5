//go:build !unix

package workspace

import "io/fs"

// writable goes by the mark of a file. That of a folder means something else on Windows.
func writable(_ string, info fs.FileInfo) bool { return info.IsDir() || marked(info) }

// errNotDir is what stands in the way where a path goes through a file.
var errNotDir = fs.ErrNotExist
