package proposal

import (
	"errors"
	"strconv"
	"syscall"
)

// Running says whether a process exists on this machine. One that has ended can still be opened as long
// as anybody holds it, so it is asked whether it has.
func Running(pid int) bool {
	h, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return errors.Is(err, syscall.ERROR_ACCESS_DENIED) // somebody else's
	}
	defer syscall.CloseHandle(h)
	state, err := syscall.WaitForSingleObject(h, 0)
	return err == nil && state == syscall.WAIT_TIMEOUT
}

// startOf returns when a process was started: numbers of processes come again soon.
func startOf(pid int) string {
	const queryLimitedInformation = 0x1000
	h, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return unknownStart
	}
	defer syscall.CloseHandle(h)
	var made, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(h, &made, &ended, &kernel, &user); err != nil {
		return unknownStart
	}
	return strconv.FormatInt(made.Nanoseconds(), 36)
}

// syncDir does nothing: the file system keeps its names itself.
func syncDir(string) error { return nil }
