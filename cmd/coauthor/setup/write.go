package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"coauthor/agent/settings"
	"coauthor/edits"
)

// Lines are the values as they are written into a file that has none of them.
func Lines(list []settings.Given) string {
	text, err := settings.Rewrite(nil, list...)
	if err != nil {
		return ""
	}
	return string(text)
}

// Report lists ways for somebody who writes the lines themselves.
func Report(ways []Way) string {
	var b strings.Builder
	for _, w := range ways {
		name := w.provider + "/NAME"
		if len(w.Models) > 0 {
			name = w.Models[0]
		}
		b.WriteString(w.Title + ":\n")
		for line := range strings.Lines(Lines(given(name, w.Given))) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// Difference shows the lines that a file loses and gains.
func Difference(old, now []byte) string {
	var b strings.Builder
	for _, h := range edits.Diff(string(old), string(now)) {
		for _, side := range []struct{ sign, text string }{{"- ", h.Old}, {"+ ", h.New}} {
			for line := range strings.Lines(side.text) {
				b.WriteString(side.sign + strings.TrimRight(line, "\r\n") + "\n")
			}
		}
	}
	return b.String()
}

// Write replaces a user's file of settings, or makes it with its folder. A link stays, and what it leads to is replaced. Where
// the file is not any more what it was read as, nothing is written.
func Write(path string, old, now []byte) error {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	mode := os.FileMode(0o600)
	is, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	case err == nil && string(is) != string(old):
		err = errors.New("the file has changed meanwhile; run coauthor init again")
	case err == nil:
		var info os.FileInfo
		if info, err = os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	_, err = temp.Write(now)
	err = errors.Join(err, temp.Chmod(mode), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
