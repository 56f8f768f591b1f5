package proposal

import "os"

// running relies on FindProcess, which here fails for a number that no process has.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // only the finding counted
	return true
}

// syncDir does nothing: the file system keeps its names itself.
func syncDir(string) error { return nil }
