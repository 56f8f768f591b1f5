package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Memory holds texts under the paths of files, with slashes and relative.
type Memory interface {
	// Get returns a text; the error is fs.ErrNotExist where there is none.
	Get(ctx context.Context, path string) (string, error)
	// Set puts a text in the place of the one that is there.
	Set(ctx context.Context, path, text string) error
	// List returns all paths, sorted.
	List(ctx context.Context) ([]string, error)
	// Delete takes a text away; one that is not there is no error.
	Delete(ctx context.Context, path string) error
}

// Disk is the Memory of a folder. Hidden folders, such as .git, are none of it, and no link leads out of it.
func Disk(folder string) Memory { return disk(folder) }

type disk string

// Get implements Memory.
func (d disk) Get(_ context.Context, name string) (text string, err error) {
	err = d.in(func(r *os.Root) error {
		data, err := r.ReadFile(filepath.FromSlash(name))
		text = string(data)
		return err
	})
	return text, err
}

// Set implements Memory.
func (d disk) Set(_ context.Context, name, text string) error {
	return d.in(func(r *os.Root) error {
		if dir := path.Dir(name); dir != "." {
			if err := r.MkdirAll(filepath.FromSlash(dir), 0o777); err != nil {
				return err
			}
		}
		return r.WriteFile(filepath.FromSlash(name), []byte(text), 0o666)
	})
}

// List implements Memory.
func (d disk) List(context.Context) (list []string, err error) {
	err = d.in(func(r *os.Root) error {
		return fs.WalkDir(r.FS(), ".", func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && name != "." && strings.HasPrefix(e.Name(), "."):
				return fs.SkipDir
			case e.Type().IsRegular():
				list = append(list, name)
			}
			return nil
		})
	})
	slices.Sort(list)
	return list, err
}

// Delete implements Memory.
func (d disk) Delete(_ context.Context, name string) error {
	return d.in(func(r *os.Root) error {
		if err := r.Remove(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// in does something in the folder.
func (d disk) in(do func(*os.Root) error) error {
	r, err := os.OpenRoot(string(d))
	if err != nil {
		return fmt.Errorf("open the folder of the project: %w", err)
	}
	return errors.Join(do(r), r.Close())
}

// copyAll puts all texts of one memory into another.
func copyAll(ctx context.Context, from, to Memory) error {
	list, err := from.List(ctx)
	if err != nil {
		return fmt.Errorf("list the files of the project: %w", err)
	}
	for _, name := range list {
		text, err := from.Get(ctx, name)
		if err == nil {
			err = to.Set(ctx, name, text)
		}
		if err != nil {
			return fmt.Errorf("copy %s for the run: %w", name, err)
		}
	}
	return nil
}
