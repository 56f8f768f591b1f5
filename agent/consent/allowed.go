package consent

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coauthor/agent/sandbox"
)

// allowed are the commands that the user has allowed in one folder, in a file with a line for each in its exact text.
// Another folder that is put at the same path has another file: a yes is for the folder that the user saw. The zero value
// keeps nothing. Who takes a line out is asked again.
type allowed struct {
	dir  string // of ours, with a file for each folder
	root string
}

// allowedIn returns the file of a root in a folder of ours.
func allowedIn(stateDir, folder, root string) allowed {
	if stateDir == "" || root == "" {
		return allowed{}
	}
	return allowed{dir: filepath.Join(stateDir, folder), root: root}
}

// file is where the commands of the folder stand that lies at the root now.
func (a allowed) file() (string, error) {
	id, err := sandbox.Identity(a.root)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(a.root + "\x00" + id))
	return filepath.Join(a.dir, hex.EncodeToString(sum[:8])), nil
}

// has says whether a command was allowed. It reads the file each time, because another server may work in
// the same folder. What cannot be read allows nothing.
func (a allowed) has(text string) bool {
	return a.any(func(line string) bool { return line == text })
}

// any says whether there is a command of which something is true.
func (a allowed) any(is func(text string) bool) bool {
	if a.dir == "" {
		return false
	}
	name, err := a.file()
	if err != nil {
		return false
	}
	data, err := os.ReadFile(name)
	return err == nil && slices.ContainsFunc(strings.Split(string(data), "\n"), is)
}

// add keeps a command, which is one line.
func (a allowed) add(text string) error {
	if a.dir == "" {
		return nil
	}
	if err := a.append(text); err != nil {
		return fmt.Errorf("cannot save the permission to run the command: %w", err)
	}
	return nil
}

func (a allowed) append(text string) error {
	name, err := a.file()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return err
	}
	begin := ""
	if data, err := os.ReadFile(name); err == nil && len(data) > 0 && data[len(data)-1] != '\n' {
		begin = "\n" // the last line was cut
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(begin + text + "\n")
	return errors.Join(err, f.Close())
}
