package verify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"coauthor/agent/workspace"
)

// stamp is what a file looked like when it was copied, in the folder and in the copy.
type stamp struct{ From, To mark }

// mark is an entry as it is written to disk.
type mark struct {
	Mode             fs.FileMode
	Size, Time, Meta int64
}

func markOf(p entry) mark {
	return mark{Mode: p.mode, Size: p.size, Time: p.time.UnixNano(), Meta: p.meta}
}

// state is what is kept of a copy beside it.
type state struct {
	Whole bool // it was complete once
	Files map[string]stamp
}

// copiers is how many files are copied at one time: most of it is waiting.
const copiers = 8

// syncing is one update of a copy.
type syncing struct {
	c      *replica
	first  bool // there was never a whole copy
	stamps map[string]stamp
	laid   map[string]workspace.Laid // by where it comes to lie
	kept   map[string]bool           // folders of results that stay

	mu   sync.Mutex
	done map[string]stamp // guarded by mu
}

// sync makes the copy equal to the folder with some files laid over it, and returns how many bytes it has. When it is cut
// short, what is done is kept.
func (c *replica) sync(ctx context.Context, laid []workspace.Laid) (size int64, err error) {
	entries, err := c.entries(ctx)
	if err != nil {
		return 0, err
	}
	s := &syncing{c: c, laid: map[string]workspace.Laid{}, done: map[string]stamp{}, kept: map[string]bool{}}
	known, ok := c.readState()
	s.stamps, s.first = known.Files, !known.Whole
	for _, l := range laid {
		s.laid[resolved(c.root, l)] = l
	}
	if !ok { // what lies there, nobody knows
		if err := s.clear(); err != nil {
			return 0, err
		}
	}
	for _, p := range entries {
		size += p.size
		if path.Base(p.path) == "Cargo.toml" {
			s.kept[path.Join(path.Dir(p.path), "target")] = true
		}
	}
	if err := s.room(size); err != nil {
		return 0, err
	}
	defer func() {
		if saved := c.writeState(state{Whole: !s.first || err == nil, Files: s.done}); err == nil {
			err = saved
		}
	}()
	there, err := s.look(ctx, entries)
	if err != nil {
		return 0, err
	}
	if err := s.bring(ctx, entries, there); err != nil {
		return 0, err
	}
	if err := s.lay(); err != nil {
		return 0, err
	}
	c.repository(ctx)
	return size, nil
}

// room says whether the copy has a place.
func (s *syncing) room(size int64) error {
	if size > mostCopied {
		return fmt.Errorf("%w: it has %d MB", errTooLarge, size>>20)
	}
	if free := freeBytes(s.c.dir); s.first && free > 0 && free-size < leastFree {
		return fmt.Errorf("%w: it has %d MB, and %d MB of disk are free", errTooLarge, size>>20, free>>20)
	}
	return nil
}

// resolved is where a laid file comes to lie: where its path leads through links of the folder.
func resolved(root string, l workspace.Laid) string {
	whole := filepath.Join(root, filepath.FromSlash(l.Path))
	if l.Gone {
		whole = filepath.Dir(whole)
	}
	real, err := filepath.EvalSymlinks(whole)
	if err != nil {
		return l.Path
	}
	inside, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(inside) {
		return l.Path
	}
	if l.Gone {
		inside = filepath.Join(inside, path.Base(l.Path))
	}
	return filepath.ToSlash(inside)
}

// clear empties the copy.
func (s *syncing) clear() error {
	entries, err := fs.ReadDir(s.c.tree.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := s.remove(e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// look takes away what does not belong into the copy, and returns what is there. It goes by what the names are now: what a
// command has put in the place of a folder is not followed.
func (s *syncing) look(ctx context.Context, entries []entry) (map[string]entry, error) {
	want := make(map[string]fs.FileMode, len(entries))
	for _, p := range entries {
		want[p.path] = p.mode.Type()
	}
	for name, l := range s.laid {
		if l.Gone {
			delete(want, name)
			continue
		}
		want[name] = 0
		for d := path.Dir(name); d != "."; d = path.Dir(d) {
			want[d] = fs.ModeDir
		}
	}
	there := make(map[string]entry, len(entries))
	var extra []string
	err := fs.WalkDir(s.c.tree.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if name == "." {
			return err
		}
		kind, wanted := want[name]
		switch {
		case name == ".git", !wanted && s.kept[name] && d.IsDir():
			return skipped(d)
		case err != nil, !wanted, kind != d.Type():
			extra = append(extra, name)
			return skipped(d)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		there[name] = entryOf(name, info)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range extra {
		if err := s.remove(name); err != nil {
			return nil, err
		}
	}
	return there, nil
}

// remove takes something out of the copy, also what a command made unreadable.
func (s *syncing) remove(name string) error {
	err := s.c.tree.RemoveAll(name)
	if err == nil {
		return nil
	}
	unlockIn(s.c.tree, name)
	return s.c.tree.RemoveAll(name)
}

// unlockIn makes folders readable that lie in another one.
func unlockIn(root *os.Root, dir string) {
	info, err := root.Lstat(dir)
	if err != nil || !info.IsDir() {
		return
	}
	_ = root.Chmod(dir, 0o700)
	entries, err := fs.ReadDir(root.FS(), dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			unlockIn(root, path.Join(dir, e.Name()))
		}
	}
}

// bring copies what is not there as it is in the folder. What comes to lie over it is left to lay.
func (s *syncing) bring(ctx context.Context, entries []entry, there map[string]entry) error {
	work := make(chan entry)
	var failed error
	var once sync.Once
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	for range copiers {
		all.Go(func() {
			for p := range work {
				if err := s.file(p); err != nil {
					once.Do(func() { failed = fmt.Errorf("%s: %w", p.path, err) })
					cancel()
				}
			}
		})
	}
	for _, p := range entries {
		if limited.Err() != nil {
			break
		}
		if _, over := s.laid[p.path]; over {
			continue
		}
		now, is := there[p.path]
		if p.mode.IsDir() { // at once: its files come next
			if err := s.folder(p, is && now.mode == p.mode|0o700); err != nil {
				once.Do(func() { failed = fmt.Errorf("%s: %w", p.path, err) })
				break
			}
			continue
		}
		if known, ok := s.stamps[p.path]; ok && is && known.From == markOf(p) && known.To == markOf(now) {
			s.note(p.path, known)
			continue
		}
		select {
		case work <- p:
		case <-limited.Done():
		}
	}
	close(work)
	all.Wait()
	return errors.Join(ctx.Err(), failed)
}

func (s *syncing) note(name string, st stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[name] = st
}

func (s *syncing) folder(p entry, as bool) error {
	if as {
		return nil
	}
	if err := s.c.tree.Mkdir(p.path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.c.tree.Chmod(p.path, p.mode.Perm()|0o700)
}

// file copies a file or a link. One that is gone by now, or cannot be read, is left out.
func (s *syncing) file(p entry) error {
	from := filepath.Join(s.c.root, filepath.FromSlash(p.path))
	if err := s.c.tree.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // never over the old one: it may be open, or another name of something
	}
	if p.mode.Type() == fs.ModeSymlink {
		target, err := os.Readlink(from)
		if err != nil {
			return nil //nolint:nilerr // it is gone
		}
		if err := s.c.tree.Symlink(s.c.leads(p.path, target), p.path); err != nil {
			return err
		}
		return s.stamped(p)
	}
	ok, err := s.contents(p, from)
	if err != nil || !ok {
		return err
	}
	if s.first { // as old as in the folder: to a build, what came first there came first here
		if err := s.c.tree.Chtimes(p.path, p.time, p.time); err != nil {
			return err
		}
	}
	return s.stamped(p)
}

// contents copies the bytes of a file: as a clone where the file system can do that.
func (s *syncing) contents(p entry, from string) (ok bool, err error) {
	in, err := os.Open(from)
	if err != nil {
		return false, nil //nolint:nilerr // it is gone, or not for this user
	}
	defer in.Close()
	mode := p.mode.Perm() | 0o600
	var text io.Reader = in
	if tells(p.path) && p.size <= mostRewritten {
		data, err := io.ReadAll(io.LimitReader(in, mostRewritten+1))
		if err != nil {
			return false, err
		}
		text = bytes.NewReader(bytes.ReplaceAll(data, []byte(s.c.root), []byte(s.c.path())))
	} else if cloned(s.c.tree, from, p.path) {
		return true, s.c.tree.Chmod(p.path, mode)
	}
	out, err := s.c.tree.OpenFile(p.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(out, text)
	if err == nil {
		err = out.Chmod(mode) // whatever the umask is
	}
	return err == nil, errors.Join(err, out.Close())
}

// stamped notes what a file is now.
func (s *syncing) stamped(p entry) error {
	info, err := s.c.tree.Lstat(p.path)
	if err != nil {
		return err
	}
	s.note(p.path, stamp{From: markOf(p), To: markOf(entryOf(p.path, info))})
	return nil
}

// lay puts over the copy what is not on disk. A file that lies there already stays, with its time.
func (s *syncing) lay() error {
	names := make([]string, 0, len(s.laid))
	for name := range s.laid {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := s.layOne(name, s.laid[name]); err != nil {
			return fmt.Errorf("lay out %s: %w", name, err)
		}
	}
	return nil
}

func (s *syncing) layOne(name string, l workspace.Laid) error {
	tree := s.c.tree
	if l.Gone {
		return s.remove(name)
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(filepath.Join(s.c.root, filepath.FromSlash(name))); err == nil {
		mode = info.Mode().Perm() | 0o600
	}
	if info, err := tree.Lstat(name); err == nil && info.Mode() == mode && info.Size() == int64(len(l.Data)) {
		if now, err := tree.ReadFile(name); err == nil && bytes.Equal(now, l.Data) {
			return nil
		}
	}
	if dir := path.Dir(name); dir != "." {
		if err := tree.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := s.remove(name); err != nil {
		return err
	}
	if err := tree.WriteFile(name, l.Data, mode); err != nil {
		return err
	}
	return tree.Chmod(name, mode)
}

// readState returns what is known of the copy; false when that is nothing.
func (c *replica) readState() (st state, ok bool) {
	f, err := os.Open(filepath.Join(c.dir, copyStamps))
	if err != nil {
		return state{}, false
	}
	defer f.Close()
	if err := gob.NewDecoder(f).Decode(&st); err != nil {
		return state{}, false
	}
	return st, true
}

// writeState keeps what is known of the copy.
func (c *replica) writeState(st state) error {
	f, err := os.CreateTemp(c.dir, copyStamps+"-*")
	if err != nil {
		return fmt.Errorf("note what is in the copy: %w", err)
	}
	out := bufio.NewWriter(f)
	err = errors.Join(gob.NewEncoder(out).Encode(st), out.Flush(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, copyStamps))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("note what is in the copy: %w", err)
	}
	return nil
}
