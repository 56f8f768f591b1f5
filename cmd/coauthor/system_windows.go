package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// systemLanguage is the language in which the user has the system, as a tag; "" is unknown.
func systemLanguage() string {
	list, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(list) == 0 {
		return ""
	}
	return list[0]
}

// drawsOn says whether what is written to a console may hold escape sequences. A console reads them from when it is told
// to, which stays so: whatever of this program writes next relies on it. One before Windows 10, or with the option "Use
// legacy console", refuses.
func drawsOn(f *os.File) bool {
	return hasMode(f, windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING, true) && hasMode(f, windows.DISABLE_NEWLINE_AUTO_RETURN, false)
}

// typesOn says whether a console tells each key as escape sequences do. It is asked, and left as it was.
func typesOn(f *os.File) bool { return hasMode(f, windows.ENABLE_VIRTUAL_TERMINAL_INPUT, false) }

// hasMode says whether a console can be in a mode, and leaves it there where keep says so.
func hasMode(f *os.File, mode uint32, keep bool) (can bool) {
	conn, err := f.SyscallConn() // Fd would take the file out of the hands of the poller
	if err != nil {
		return false
	}
	err = conn.Control(func(fd uintptr) {
		console, was := windows.Handle(fd), uint32(0)
		if windows.GetConsoleMode(console, &was) != nil {
			return
		}
		can = windows.SetConsoleMode(console, was|mode) == nil
		if can && !keep {
			can = windows.SetConsoleMode(console, was) == nil
		}
	})
	return can && err == nil
}
