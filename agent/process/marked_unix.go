//go:build unix && !linux

package process

// endMarked finds nothing: the system does not show the variables of a process.
func endMarked(string) bool { return false }
