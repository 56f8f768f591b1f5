package verify

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"time"

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

func apart(*exec.Cmd) {}

// end ends a command with what it has started, as far as the system knows that: a process whose parent is gone is
// nobody's.
func end(cmd *exec.Cmd, now bool) {
	if !now { // there is no way to ask
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = exec.CommandContext(ctx, "taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	_ = cmd.Process.Kill()
}

func exitStatus(err *exec.ExitError) int { return err.ExitCode() }
