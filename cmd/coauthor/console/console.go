package console

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/term"
)

// Is reports whether a stream is a terminal, where colours and questions make sense. Other devices, /dev/null above all, are none.
func Is(stream any) bool {
	f, ok := Unwrap(stream).(*os.File)
	if !ok {
		return false
	}
	conn, err := f.SyscallConn() // Fd would take the file out of the hands of the poller
	is := false
	if err == nil {
		err = conn.Control(func(fd uintptr) { is = term.IsTerminal(int(fd)) })
	}
	return err == nil && is
}

// Unwrap is what a stream leads to in the end: a writer over another one has a method Unwrap that returns it.
func Unwrap(stream any) any {
	for {
		w, ok := stream.(interface{ Unwrap() io.Writer })
		if !ok {
			return stream
		}
		stream = w.Unwrap()
	}
}

// Open opens the terminal of this process for reading.
func Open() (io.ReadCloser, error) {
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	return os.Open(name)
}

// Width is how many columns a terminal has, or a session on it; 0 where nobody knows.
func Width(out io.Writer) int {
	if within, ok := Unwrap(out).(interface{ Width() int }); ok {
		return within.Width()
	}
	width, _ := Size(out)
	return width
}

// Size is how wide and how high a terminal is, in columns and rows; 0 where nobody knows.
func Size(out io.Writer) (width, height int) {
	f, ok := Unwrap(out).(*os.File)
	if !ok {
		return 0, 0
	}
	conn, err := f.SyscallConn() // Fd would take the file out of the hands of the poller
	if err != nil {
		return 0, 0
	}
	_ = conn.Control(func(fd uintptr) { width, height, _ = term.GetSize(int(fd)) }) // then they are 0
	return width, height
}
