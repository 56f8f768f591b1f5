package proposal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coauthor/agent/id"
	"coauthor/agent/workspace"
)

// Temps remembers outside of the workspace which temporary files this process has, one record each, so
// that what a killed process left is removed by the next one, in whichever folder that works. It is a
// workspace.Temps, and safe for concurrent use.
type Temps struct {
	dir   string
	owner Owner
	alive func(Owner) bool
}

// NewTemps keeps its records in the folder dir, which it makes when it needs it, and removes what dead
// processes left. The error says what could not be removed; the Temps works all the same.
func NewTemps(dir string, owner Owner) (*Temps, error) {
	t := &Temps{dir: dir, owner: owner, alive: Owner.alive}
	return t, t.sweep()
}

// Begin implements workspace.Temps.
func (t *Temps) Begin(file string) (done func(), err error) {
	swept := t.sweep()
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return nil, fmt.Errorf("record a temporary file: %w", err)
	}
	unique, err := id.New(nil, "-")
	if err != nil {
		return nil, fmt.Errorf("record a temporary file: %w", err)
	}
	record := filepath.Join(t.dir, t.owner.Name()+unique)
	if err := os.WriteFile(record, []byte(file), 0o600); err != nil {
		return nil, fmt.Errorf("record a temporary file: %w", err)
	}
	return func() { _ = os.Remove(record) }, swept // a record without a file does no harm
}

// sweep removes the temporary files of dead processes of this machine, and then their records.
func (t *Temps) sweep() error {
	entries, err := os.ReadDir(t.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find leftover temporary files: %w", err)
	}
	var errs []error
	for _, e := range entries {
		i := strings.LastIndexByte(e.Name(), '-')
		if i < 0 {
			continue
		}
		o, ok := ParseOwner(e.Name()[:i])
		if !ok || o == t.owner || o.Host != t.owner.Host || t.alive(o) {
			continue
		}
		record := filepath.Join(t.dir, e.Name())
		err := removeLeft(record)
		if err == nil {
			err = os.Remove(record)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process sweeps too
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// removeLeft removes the file that a record names, if it is one that only we make.
func removeLeft(record string) error {
	const longest = 64 << 10
	raw, err := workspace.ReadRegular(record, longest)
	if err != nil {
		return err
	}
	file := string(raw)
	if !filepath.IsAbs(file) || !workspace.IsTemp(filepath.Base(file)) {
		return nil // half a record: the file was not made yet
	}
	info, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a leftover temporary file: %w", err)
	}
	return nil
}
