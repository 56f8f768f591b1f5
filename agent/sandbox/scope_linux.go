package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockScopes is the version of Landlock that knows scopes: Linux 6.12.
const landlockScopes = 6

// landlock is the version of Landlock that the system has; 0 for none.
func landlock() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// unreachable keeps this thread, and what it starts, from the sockets without a file of other processes: where the network is
// the machine's own, these are too. An older system has no means to that.
func unreachable() error {
	if landlock() < landlockScopes {
		return nil
	}
	attr := unix.LandlockRulesetAttr{Scoped: unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("block the sockets of other programs: %w", errno)
	}
	defer func() { _ = unix.Close(int(fd)) }()
	if _, _, errno = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("block the sockets of other programs: %w", errno)
	}
	return nil
}
