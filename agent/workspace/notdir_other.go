//go:build !unix

package workspace

import "io/fs"

var errNotDir = fs.ErrNotExist
