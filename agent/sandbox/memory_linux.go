package sandbox

import (
	"golang.org/x/sys/unix"
)

// mostMemory is what a command may take of the machine's memory.
func mostMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit) / 4 * 3
}
