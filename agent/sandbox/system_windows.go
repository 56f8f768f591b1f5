package sandbox

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// freeBytes is the room on the disk of a folder; 0 when that is not known.
func freeBytes(dir string) int64 {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0
	}
	var free uint64
	if windows.GetDiskFreeSpaceEx(name, &free, nil, nil) != nil {
		return 0
	}
	return int64(min(free, 1<<62)) //nolint:gosec // bounded
}

func taken(info fs.FileInfo) int64 { return info.Size() }

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}

// lock takes a file for this process; false when another one, or another caller in this one, has it.
func lock(f *os.File) bool {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{}) == nil
}
