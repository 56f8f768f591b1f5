//go:build unix

package workspace

import "syscall"

var errNotDir error = syscall.ENOTDIR
