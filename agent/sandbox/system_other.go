//go:build !linux && !darwin && !windows

package sandbox

import (
	"io/fs"
	"os"
)

func freeBytes(string) int64 { return 0 }

func taken(info fs.FileInfo) int64 { return info.Size() }

func alive(int) bool { return true }

func lock(*os.File) bool { return true }
