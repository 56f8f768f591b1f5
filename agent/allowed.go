package agent

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
)

// allowed is the file with the commands that the user has allowed in one folder, a line each in their exact
// text; "" keeps none. Who takes a line out is asked again.
type allowed string

// allowedFile names the file of a root in a folder of ours.
func allowedFile(stateDir, folder, root string) allowed {
	if stateDir == "" || root == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(root))
	return allowed(filepath.Join(stateDir, folder, hex.EncodeToString(sum[:8])))
}

// has says whether a command was allowed. It reads the file each time, because another server may work in
// the same folder. What cannot be read allows nothing.
func (a allowed) has(text string) bool {
	if a == "" {
		return false
	}
	data, err := os.ReadFile(string(a))
	return err == nil && slices.Contains(strings.Split(string(data), "\n"), text)
}

// any says whether there is a command of which something is true.
func (a allowed) any(is func(text string) bool) bool {
	if a == "" {
		return false
	}
	data, err := os.ReadFile(string(a))
	return err == nil && slices.ContainsFunc(strings.Split(string(data), "\n"), is)
}

// add keeps a command, which is one line.
func (a allowed) add(text string) error {
	if a == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(string(a)), 0o700); err != nil {
		return fmt.Errorf("remember that a command may run: %w", err)
	}
	begin := ""
	if data, err := os.ReadFile(string(a)); err == nil && len(data) > 0 && data[len(data)-1] != '\n' {
		begin = "\n" // the last line was cut
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remember that a command may run: %w", err)
	}
	f, err := os.OpenFile(string(a), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("remember that a command may run: %w", err)
	}
	_, err = f.WriteString(begin + text + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("remember that a command may run: %w", err)
	}
	return nil
}
