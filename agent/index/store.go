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
)

// store is one file that belongs to one root: two windows may share it, since each writes a file of its
// own and renames it into place.
type store struct{ file string }

func newStore(stateDir, root, ext string) store {
	sum := sha256.Sum256([]byte(root))
	return store{filepath.Join(stateDir, "index", hex.EncodeToString(sum[:12])+ext)}
}

// Load gives the last snapshot, or nil where there is none.
func (s store) Load() ([]byte, error) {
	data, err := os.ReadFile(s.file)
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
	f, err := os.CreateTemp(dir, "new-*")
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
	return nil
}
