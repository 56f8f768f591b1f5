package index

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coauthor/agent/workspace"
	flat "coauthor/repomap/store"
)

// store is one file that belongs to one root: two windows may share it, since each writes a file of its
// own and renames it into place.
type store struct {
	file  string
	pages *flat.Pages
}

func newStore(stateDir, root, ext string) store {
	sum := sha256.Sum256([]byte(root))
	return store{file: filepath.Join(stateDir, "index", hex.EncodeToString(sum[:12])+ext), pages: &flat.Pages{}}
}

// How files begin that are on their way to be another one, or to have no name.
const savePrefix, spillPrefix = "new-", "part-"

// maxSnapshotBytes is many times what the largest repositories need.
const maxSnapshotBytes = 1<<31 - 1

// Load gives the last snapshot, or nil where there is none.
func (s store) Load() ([]byte, error) {
	data, err := workspace.ReadRegular(s.file, maxSnapshotBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save puts a snapshot in place of the last one.
func (s store) Save(write func(io.Writer) error) error {
	dir := filepath.Dir(s.file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("save index: %w", err)
	}
	f, err := os.CreateTemp(dir, savePrefix+"*")
	if err != nil {
		return fmt.Errorf("save index: %w", err)
	}
	if err = errors.Join(write(f), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), s.file)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what is left of it is of no use
		return fmt.Errorf("save index: %w", err)
	}
	sweep(dir)
	return nil
}

// leftFor is after how long a file that was to become another one is taken for what a killed process has left.
const leftFor = 24 * time.Hour

// sweep removes what processes that were killed while they saved have left.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		ours := strings.HasPrefix(e.Name(), savePrefix) || strings.HasPrefix(e.Name(), spillPrefix)
		if err == nil && ours && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftFor {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Page implements repomap.Pager: the snapshot is mapped, not copied.
func (s store) Page() ([]byte, func(), error) {
	f, info, err := workspace.OpenRegularFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() <= maxSnapshotBytes { // else Load says that it is too large
		if data, free, err := s.pages.Open(f, int(info.Size())); err == nil {
			return data, free, nil
		}
	}
	data, err := s.Load()
	return data, nil, err
}

// Spill implements repomap.Pager: data goes to a file without a name.
func (s store) Spill(data []byte) ([]byte, func(), error) {
	if !flat.CanMap {
		return nil, nil, flat.ErrNotMapped
	}
	dir := filepath.Dir(s.file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, err
	}
	f, err := os.CreateTemp(dir, spillPrefix+"*")
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	_, err = f.Write(data)
	err = errors.Join(os.Remove(f.Name()), err)
	if err != nil {
		return nil, nil, err
	}
	return s.pages.Open(f, len(data))
}

// Rest implements repomap.Pager.
func (s store) Rest() { s.pages.Rest() }
