//go:build !unix

package workspace

import "io/fs"

// writable goes by the mark of a file. That of a folder means something else on Windows.
func writable(_ string, info fs.FileInfo) bool { return info.IsDir() || marked(info) }
