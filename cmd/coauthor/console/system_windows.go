package console

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Language is the language in which the user has the system, as a tag; "" is unknown.
func Language() string {
	list, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(list) == 0 {
		return ""
	}
	return list[0]
}

// console is a terminal with its modes.
type console struct{ file *os.File }

func modesOf(f *os.File) modes { return console{f} }

func (c console) get() (bits uint32, err error) {
	err = c.do(func(h windows.Handle) error { return windows.GetConsoleMode(h, &bits) })
	return bits, err
}

func (c console) set(bits uint32) error {
	return c.do(func(h windows.Handle) error { return windows.SetConsoleMode(h, bits) })
}

func (c console) do(what func(windows.Handle) error) error {
	conn, err := c.file.SyscallConn() // Fd would take the file out of the hands of the poller
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = what(windows.Handle(fd)) })
	return errors.Join(err, failed)
}
