package index

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coauthor/agent/workspace"
)

// A part of a journal is a file beside the snapshot, which its process holds locked while it writes to it. The
// lock ends with the process, however that ends, so a file that can be locked is nobody's.

// partTries is how often a file may be taken away between its making and its locking.
const partTries = 8

// leftFor is after how long a file that was to become another one is taken for what a killed process has left.
const leftFor = 24 * time.Hour

func (s store) partPrefix() string { return filepath.Base(s.file) + ".new-" }

// Append implements repomap.Journal.
func (s store) Append() (io.WriteCloser, error) {
	dir := filepath.Dir(s.file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var last error
	for range partTries {
		f, err := os.CreateTemp(dir, s.partPrefix()+"*")
		if err != nil {
			return nil, err
		}
		if last = own(f); last == nil {
			return f, nil
		}
		_ = f.Close()
		_ = os.Remove(f.Name()) // nobody could tell whose it is
	}
	return nil, last
}

// own locks a new file. It fails where another process has taken the file for nobody's in between.
func own(f *os.File) error {
	if err := lock(f); err != nil {
		return err
	}
	made, err := f.Stat()
	if err != nil {
		return err
	}
	there, err := os.Lstat(f.Name())
	if err == nil && !os.SameFile(made, there) {
		err = fmt.Errorf("%s is another file now", f.Name())
	}
	return err
}

// Parts implements repomap.Journal.
func (s store) Parts(read func(part io.Reader) error) error {
	for _, name := range s.parts() {
		f, _, err := workspace.OpenRegularFile(name)
		if err != nil {
			continue // it was cleared meanwhile, or is no file
		}
		err = read(f)
		_ = f.Close() // read-only
		if err != nil {
			return err
		}
	}
	return nil
}

// parts names the files of the journal.
func (s store) parts() (names []string) {
	dir := filepath.Dir(s.file)
	entries, _ := os.ReadDir(dir) // without the folder there are none
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), s.partPrefix()) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}

// Clear implements repomap.Journal. It also removes what processes that were killed while they saved have left.
func (s store) Clear() {
	for _, name := range s.parts() {
		f, _, err := workspace.OpenRegularFile(name)
		if err != nil {
			continue
		}
		free := lock(f) == nil
		if free && removeOpen {
			_ = os.Remove(name) // while it is locked: nobody else takes it for its own
		}
		_ = f.Close()
		if free && !removeOpen {
			_ = os.Remove(name) // fails where it is open
		}
	}
	dir := filepath.Dir(s.file)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		ours := strings.HasPrefix(e.Name(), savePrefix) || strings.HasPrefix(e.Name(), spillPrefix)
		if err == nil && ours && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftFor {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
