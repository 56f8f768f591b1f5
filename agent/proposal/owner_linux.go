package proposal

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// startOf returns the boot and the tick in which a process was started: numbers of processes come
// again, and after a reboot ticks do too.
func startOf(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return unknownStart
	}
	// The command's name is in parentheses and may hold anything, parentheses and blanks too.
	i := bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[i+1:]))
	const start = 19 // the 22nd field of the line, counted from behind the name
	if i < 0 || len(fields) <= start {
		return unknownStart
	}
	if state := fields[0]; state == "Z" || state == "X" {
		return "ended" // it runs no more, and only its parent has not asked how it ended
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(boot) < 8 {
		return "b" + fields[start]
	}
	return string(boot[:8]) + "t" + fields[start]
}
