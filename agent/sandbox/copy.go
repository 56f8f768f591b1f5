package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"coauthor/agent/display"
)

// Where there are no overlays, a command runs in a copy of the folder. There is one for each folder, in a folder of ours,
// which is kept: before each command it is made equal to what the folder would be with the changes, at the cost of a look at
// each file (copysync.go). A file of which the text changes gets the time of that moment, so that no build takes an old
// result for a new one; what the last command wrote is taken away, but for cargo's results, which are the copy's own.
// No file is shared with the user's, not even by a hard link, and links are made to lead into the copy (copyfiles.go).
// What the tools are told of the user's folder in their environment is said of the copy (copyenv.go), which has a
// repository of its own (copyrepo.go).

// Names in the folder of a copy.
const (
	copyTree   = "tree"   // the copy
	copyStamps = "stamps" // what is known of its files
	copyLock   = "lock"   // held while a command runs; its time is that of the last use
	copyPrefix = "copy-"
)

// Bounds of a copy.
const (
	mostCopied = 8 << 30             // bytes
	leastFree  = 1 << 30             // bytes that stay free
	unusedTime = 14 * 24 * time.Hour // after which a copy is removed
)

// replica is the copy of one folder, while this process holds it.
type replica struct {
	root     string // the user's folder, without links in it
	identity string // of that folder, among those that may lie there
	dir      string // ours
	held     *os.File
	from     *os.Root // the user's folder
	tree     *os.Root // the copy
	list     func(ctx context.Context, root string) ([]string, error)
	skip     string // a folder of ours within root, with slashes, which is no part of any copy; any other path where there is none
}

// copyDir is where the copy of a folder lies.
func copyDir(state, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(state, copyPrefix+hex.EncodeToString(sum[:8]))
}

// openCopy waits until nobody else uses the copy of a folder, and takes it. There are no links in root.
func (s *Shadow) openCopy(ctx context.Context, root string) (*replica, error) {
	state, err := filepath.Abs(s.o.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder for copies: %w", err)
	}
	c := &replica{root: root, dir: copyDir(state, root), list: s.o.List}
	if skip, err := filepath.Rel(root, state); err == nil {
		c.skip = filepath.ToSlash(skip)
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for a copy: %w", err)
	}
	if c.dir, err = filepath.EvalSymlinks(c.dir); err != nil { // so that a program that asks where it is hears the same
		return nil, fmt.Errorf("find the folder of a copy: %w", err)
	}
	if c.held, err = os.OpenFile(filepath.Join(c.dir, copyLock), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, fmt.Errorf("open the folder of a copy: %w", err)
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !lock(c.held) {
		select {
		case <-ctx.Done():
			_ = c.held.Close()
			return nil, ctx.Err()
		case <-look.C:
		}
	}
	now := time.Now()
	_ = os.Chtimes(c.held.Name(), now, now)
	if err := c.open(); err != nil {
		c.close()
		return nil, fmt.Errorf("open the folder and its copy: %w", err)
	}
	return c, nil
}

func (c *replica) open() (err error) {
	if c.identity, err = Identity(c.root); err != nil {
		return err
	}
	if c.from, err = os.OpenRoot(c.root); err != nil {
		return err
	}
	// What a command has put in the place of the copy is not followed, and what it has locked is opened.
	if info, err := os.Lstat(c.path()); err == nil && !info.IsDir() {
		_ = os.Remove(c.path())
	}
	if err := os.MkdirAll(c.path(), 0o700); err != nil {
		return err
	}
	if err := os.Chmod(c.path(), 0o700); err != nil {
		return err
	}
	c.tree, err = os.OpenRoot(c.path())
	return err
}

// path is where the copy lies.
func (c *replica) path() string { return filepath.Join(c.dir, copyTree) }

// close gives the copy back. What is known of it stays on disk.
func (c *replica) close() {
	for _, root := range []*os.Root{c.tree, c.from} {
		if root != nil {
			_ = root.Close()
		}
	}
	_ = c.held.Close() // which also unlocks it
}

// tryCopy says why there can be no copy of a folder. How large it is shows when it is made.
func (s *Shadow) tryCopy(root string) error {
	info, err := os.Stat(root)
	switch {
	case err != nil:
		return fmt.Errorf("cannot make a copy: %w", err)
	case !info.IsDir():
		return fmt.Errorf("cannot make a copy: %s is not a folder", root)
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return fmt.Errorf("cannot make a copy: %w", err)
	}
	if free := freeBytes(s.o.Dir); free > 0 && free < leastFree {
		return fmt.Errorf("cannot make a copy: only %d MB of disk space are free in %s", free>>20, s.o.Dir)
	}
	return nil
}

// copied runs a command in the copy of its folder.
func (s *Shadow) copied(ctx context.Context, j Job) (Executed, error) {
	c, err := s.openCopy(ctx, j.root)
	if err != nil {
		return Executed{}, err
	}
	defer c.close()
	size, err := c.update(ctx, j)
	if err != nil {
		return Executed{}, err
	}
	x := Execution{Argv: c.moved(j.argv(j.temp())), Dir: filepath.Join(c.path(), filepath.FromSlash(j.Dir)), Limits: j.limits,
		Environ: c.environment(Environment(s.o.Environ, j.temp()), j.Dir)}
	if j.told != nil { // what it says of the copy it says of the folder
		j.told.from, j.told.to = c.path(), c.root
	}
	r, err := bounded(ctx, s.o.Helper, x, help{limits: j.limits, disk: c.dir, before: size, out: j.told.out()})
	r.Back = textsIn(c.path(), c.root, j.Back)
	r.At = c.path()
	return r, err
}

// update makes the copy what the folder would be, in the time that the command may take, and returns its size in bytes.
func (c *replica) update(ctx context.Context, j Job) (int64, error) {
	limited, cancel := context.WithTimeout(ctx, j.limits.Time)
	defer cancel()
	size, err := c.sync(limited, j.Laid)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case limited.Err() != nil:
		return 0, fmt.Errorf("copying the folder took longer than %s; the next check resumes the copy", display.Duration(j.limits.Time))
	case err != nil && !errors.Is(err, errTooLarge):
		return 0, fmt.Errorf("copy the folder: %w", err)
	}
	return size, err
}

// sweepCopies removes the copies that nobody has used for long.
func sweepCopies(dir string, now time.Time) {
	names, err := filepath.Glob(filepath.Join(dir, copyPrefix+"*"))
	if err != nil {
		return // no bad pattern is possible
	}
	for _, name := range names {
		held := filepath.Join(name, copyLock)
		info, err := os.Stat(held)
		if err != nil || now.Sub(info.ModTime()) < unusedTime {
			continue
		}
		f, err := os.OpenFile(held, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if lock(f) {
			removeAll(filepath.Join(name, copyTree))
			_ = os.Remove(filepath.Join(name, copyStamps))
			// The rest is next to nothing, and another process may wait for the lock.
			_ = os.Chtimes(held, now, now)
		}
		_ = f.Close()
	}
}
