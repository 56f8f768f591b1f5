package workspace

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// This file is the one place that opens a file of the user's for reading. A repository can hold a
// named pipe where a text is expected, or a link to a device: opening the one waits for ever, and
// reading the other never ends. So everything that reads a file which somebody else may have put there
// goes through here: the door itself, settings files (ReadRegular for the user's, ReadBelow for the
// workspace's), and the index.

// ReadRegular reads a regular file of at most limit bytes by its name on this machine. Symbolic links
// are followed, because people link their settings from elsewhere. What is no regular file is never
// opened, and it does not wait: see OpenRegular. The error is fs.ErrNotExist (wrapped) for a missing
// file, a *RefusedError with CodeBadName or CodeTooLarge, or one of the disk.
func ReadRegular(name string, limit int64) ([]byte, error) {
	f, info, err := openRegular(onMachine{}, name)
	if err != nil {
		return nil, err
	}
	return readAll(f, info, name, limit)
}

// OpenRegularFile is OpenRegular for a file by its name on this machine, such as one of our own records.
// Symbolic links are followed.
func OpenRegularFile(name string) (*os.File, fs.FileInfo, error) {
	return openRegular(onMachine{}, name)
}

// ReadBelow is ReadRegular for a file below a folder that is not trusted: name is relative to root, and
// a symbolic link that leads out of root is an error.
func ReadBelow(root, name string, limit int64) ([]byte, error) {
	clean, err := cleanPath(name)
	if err != nil {
		return nil, err
	}
	below, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer below.Close() // nothing is written through it
	f, info, err := OpenRegular(below, clean)
	if err != nil {
		return nil, err
	}
	return readAll(f, info, clean, limit)
}

// OpenRegular opens a regular file below a root for reading and returns what the open file is. It
// looks before it opens, so that a device or a pipe is not even touched, opens without waiting, since
// another program may put a pipe there in between, and looks again at what was opened.
func OpenRegular(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	return openRegular(root, name)
}

// opener is what os.Root and the machine have in common.
type opener interface {
	Stat(name string) (fs.FileInfo, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
}

// onMachine opens files by their names on this machine.
type onMachine struct{}

func (onMachine) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

func (onMachine) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

func openRegular(from opener, name string) (*os.File, fs.FileInfo, error) {
	info, err := from.Stat(name)
	if err != nil {
		return nil, nil, busy(err, name, false)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, notRegular(name, info.Mode())
	}
	f, err := from.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, busy(err, name, false)
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notRegular(name, info.Mode())
	}
	if err != nil {
		_ = f.Close() // nothing was read or written
		return nil, nil, err
	}
	return f, info, nil
}

func notRegular(name string, mode fs.FileMode) error {
	what := "a special file"
	switch {
	case mode.IsDir():
		return &RefusedError{refused(name, CodeBadName, "it is a folder")}
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return &RefusedError{refused(name, CodeBadName, "it is "+what+", not a regular file")}
}

// readAll reads to the end and closes. A file that says that it is too large is not read at all. It may grow,
// and those of /proc claim to be empty, so the limit holds for what is read as well.
func readAll(f *os.File, info fs.FileInfo, name string, limit int64) ([]byte, error) {
	defer f.Close() // read-only
	tooLarge := &RefusedError{refused(name, CodeTooLarge, fmt.Sprintf("it is larger than the limit of %d bytes", limit))}
	if info.Size() > limit {
		return nil, tooLarge
	}
	raw := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := raw.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(raw.Len()) > limit {
		return nil, tooLarge
	}
	return raw.Bytes(), nil
}

// busy makes a refusal that a user understands of the error that another program's lock gives; other errors
// stay as they are.
func busy(err error, name string, replacing bool) error {
	if !held(err, replacing) {
		return err
	}
	return &RefusedError{refused(name, CodeBusy, "another program has locked the file; close the file there and try again")}
}
