package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// folder is the directory of a root, opened when it is first needed. Opening may take as long as the file
// system likes. One that could not be opened is tried again by the next who needs it, since it may have
// been made, or mounted, meanwhile.
type folder struct {
	name string // absolute

	mu      sync.Mutex
	root    *os.Root      // guarded by mu; nil until it is open
	opening chan struct{} // guarded by mu; not nil while somebody opens it, closed when that is over
	closed  bool          // guarded by mu
}

// open returns the open directory. The error is one that is for the user to read.
func (f *folder) open() (*os.Root, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.opening != nil {
		wait := f.opening
		f.mu.Unlock()
		<-wait
		f.mu.Lock()
	}
	switch {
	case f.closed:
		return nil, f.givenUp()
	case f.root != nil:
		return f.root, nil
	}
	f.opening = make(chan struct{})
	f.mu.Unlock()
	root, err := openFolder(f.name)
	f.mu.Lock()
	close(f.opening)
	f.opening = nil
	if err == nil && f.closed {
		_ = root.Close() // nothing was written through it
		return nil, f.givenUp()
	}
	f.root = root
	if err != nil {
		err = &RefusedError{refused(".", CodeNoFolder, "cannot open the workspace folder: "+err.Error())}
	}
	return root, err
}

func (f *folder) givenUp() error {
	return fmt.Errorf("the folder %s does not respond, and Coauthor no longer uses it: %w", f.name, fs.ErrClosed)
}

func openFolder(name string) (*os.Root, error) {
	// A named pipe in place of the folder would be waited for.
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", name)
	}
	return os.OpenRoot(name)
}

// close gives the directory up. It does not wait for one that is being opened.
func (f *folder) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	root := f.root
	f.root = nil
	if root == nil {
		return nil
	}
	return root.Close()
}

// through gives what op finds below the open directory.
func through[T any](f *folder, op func(*os.Root) (T, error)) (T, error) {
	root, err := f.open()
	if err != nil {
		var none T
		return none, err
	}
	return op(root)
}

// do is through for what has nothing but an error.
func (f *folder) do(op func(*os.Root) error) error {
	_, err := through(f, func(r *os.Root) (struct{}, error) { return struct{}{}, op(r) })
	return err
}

// The methods that follow are those of os.Root.

func (f *folder) Stat(name string) (fs.FileInfo, error) {
	return through(f, func(r *os.Root) (fs.FileInfo, error) { return r.Stat(name) })
}

func (f *folder) Lstat(name string) (fs.FileInfo, error) {
	return through(f, func(r *os.Root) (fs.FileInfo, error) { return r.Lstat(name) })
}

func (f *folder) Readlink(name string) (string, error) {
	return through(f, func(r *os.Root) (string, error) { return r.Readlink(name) })
}

func (f *folder) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return through(f, func(r *os.Root) (*os.File, error) { return r.OpenFile(name, flag, perm) })
}

func (f *folder) Rename(from, to string) error {
	return f.do(func(r *os.Root) error { return r.Rename(from, to) })
}

func (f *folder) Link(from, to string) error {
	return f.do(func(r *os.Root) error { return r.Link(from, to) })
}

func (f *folder) Remove(name string) error {
	return f.do(func(r *os.Root) error { return remove(r, name) })
}

func (f *folder) Chmod(name string, mode fs.FileMode) error {
	return f.do(func(r *os.Root) error { return r.Chmod(name, mode) })
}

func (f *folder) Mkdir(name string, mode fs.FileMode) error {
	return f.do(func(r *os.Root) error { return r.Mkdir(name, mode) })
}

func (f *folder) MkdirAll(name string, mode fs.FileMode) error {
	return f.do(func(r *os.Root) error { return r.MkdirAll(name, mode) })
}
