package sandbox

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
	"strings"
	"sync"
	"time"

	"coauthor/agent/workspace"
)

// stamp is what a file looked like when it was copied, in the folder and in the copy.
type stamp struct{ From, To mark }

// mark is an entry as it is written to disk. Meta is the time at which anything of it was changed, where the system tells.
type mark struct {
	Mode             fs.FileMode
	Size, Time, Meta int64
}

func markOf(info fs.FileInfo) mark {
	return mark{Mode: info.Mode(), Size: info.Size(), Time: info.ModTime().UnixNano(), Meta: changeTime(info)}
}

// state is what is kept of a copy beside it. It is true as long as the marks are, whatever was done to the copy since.
type state struct {
	Folder  string                      // the identity of the user's folder
	Whole   bool                        // it was complete once
	Folders map[string]map[string]stamp // of the files, by folder and name
}

func (s state) files() (n int) {
	for _, f := range s.Folders {
		n += len(f)
	}
	return n
}

// copiers is how many files are copied at one time: most of it is waiting.
const copiers = 8

// syncing is one update of a copy.
type syncing struct {
	c     *replica
	first bool                      // there was never a whole copy
	known state                     // before
	laid  map[string]workspace.Laid // by where it comes to lie

	mu   sync.Mutex
	done map[string]map[string]stamp // guarded by mu
}

// sync makes the copy equal to the folder with some files laid over it, and returns how many bytes it has. When it is cut
// short, what is done is kept.
func (c *replica) sync(ctx context.Context, laid []workspace.Laid) (int64, error) {
	s := &syncing{c: c, laid: map[string]workspace.Laid{}}
	ok := false
	read := make(chan struct{})
	go func() { // beside the listing
		defer close(read)
		s.known, ok = c.readState()
	}()
	list, err := c.named(ctx)
	<-read
	if err != nil {
		return 0, err
	}
	s.first = !s.known.Whole
	for _, l := range laid {
		s.laid[resolved(c.root, l)] = l
	}
	if !ok { // what lies there, nobody knows
		if err := s.clear(); err != nil {
			return 0, err
		}
	}
	found, err := s.look(ctx, list)
	if err != nil {
		return 0, err
	}
	if err := s.fits(found.size); err != nil {
		return 0, err
	}
	s.done = found.same
	if err := s.equalize(ctx, found); err != nil {
		return 0, err
	}
	c.repository(ctx)
	return found.size, nil
}

// equalize does what a look has found. What is known of the copy is written only where it has become something else.
func (s *syncing) equalize(ctx context.Context, found compared) (err error) {
	before := s.known.files()
	defer func() {
		if whole := !s.first || err == nil; found.files != before || len(found.todo) > 0 || whole != s.known.Whole {
			if saved := s.c.writeState(state{Folder: s.c.identity, Whole: whole, Folders: s.done}); err == nil {
				err = saved
			}
		}
	}()
	if slices.ContainsFunc(found.todo, func(p entry) bool { return p.meddled && p.loose }) {
		found.extra, found.kept = append(found.extra, found.kept...), nil // they may be made of it
	}
	for _, name := range found.extra {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.remove(name); err != nil {
			return err
		}
	}
	s.date(found)
	if err := s.bring(ctx, found.todo); err != nil {
		return err
	}
	return s.lay()
}

// date decides the times that files get in the copy, by which builds tell what to make again. In the first copy, and where a
// command has changed them, it is that of the folder: what came first there comes first here, and of all that the command
// made nothing stays. The others are newer than anything that was made of them, in the order of the folder; with results of
// cargo in the copy, so are those that a command has changed.
func (s *syncing) date(found compared) {
	if s.first {
		return
	}
	slices.SortStableFunc(found.todo, func(a, b entry) int { return a.time.Compare(b.time) })
	now := time.Now()
	for i := range found.todo {
		if p := &found.todo[i]; !p.meddled || !p.loose && len(found.kept) > 0 {
			p.time = now.Add(time.Duration(i))
		}
	}
}

// fits says why there is no place for the copy.
func (s *syncing) fits(size int64) error {
	if size > mostCopied {
		return fmt.Errorf("%w: it has %d MB", errTooLarge, size>>20)
	}
	if free := freeBytes(s.c.dir); s.first && free > 0 && free-size < leastFree {
		return fmt.Errorf("%w: it has %d MB, and %d MB of disk space are free", errTooLarge, size>>20, free>>20)
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

// bring copies entries of the folder.
func (s *syncing) bring(ctx context.Context, todo []entry) error {
	slices.SortFunc(todo, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	for _, p := range todo { // each before those in it
		if p.mode.IsDir() {
			if err := s.folder(p); err != nil {
				return fmt.Errorf("%s: %w", p.path, err)
			}
		}
	}
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
	for _, p := range todo {
		if p.mode.IsDir() {
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
	dir := path.Dir(name)
	if s.done[dir] == nil {
		s.done[dir] = map[string]stamp{}
	}
	s.done[dir][path.Base(name)] = st
}

func (s *syncing) folder(p entry) error {
	if err := s.c.tree.Mkdir(p.path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.c.tree.Chmod(p.path, p.mode.Perm()|0o700)
}

// file copies a file or a link. One that is gone by now, or cannot be read, is left out.
func (s *syncing) file(p entry) error {
	if err := s.c.tree.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // never over the old one: it may be open, or another name of something
	}
	if p.mode.Type() == fs.ModeSymlink {
		target, err := s.c.from.Readlink(p.path)
		if err != nil {
			return nil //nolint:nilerr // it is gone
		}
		if err := s.c.tree.Symlink(s.c.leads(p.path, target), p.path); err != nil {
			return err
		}
		return s.stamped(p)
	}
	ok, err := s.contents(p)
	if err != nil || !ok {
		return err
	}
	if err := s.c.tree.Chtimes(p.path, p.time, p.time); err != nil {
		return err
	}
	return s.stamped(p)
}

// contents copies the bytes of a file: as a clone where the file system can do that.
func (s *syncing) contents(p entry) (ok bool, err error) {
	in, err := s.c.from.Open(p.path)
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
	} else if cloned(s.c.tree, filepath.Join(s.c.root, filepath.FromSlash(p.path)), p.path) {
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
	s.note(p.path, stamp{From: p.mark, To: markOf(info)})
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
	if err := gob.NewDecoder(bufio.NewReader(f)).Decode(&st); err != nil || st.Folder != c.identity {
		return state{}, false // of another folder, that lay at this path, a file may look the same
	}
	return st, true
}

// writeState keeps what is known of the copy.
func (c *replica) writeState(st state) error {
	f, err := os.CreateTemp(c.dir, copyStamps+"-*")
	if err != nil {
		return fmt.Errorf("record the contents of the copy: %w", err)
	}
	out := bufio.NewWriter(f)
	err = errors.Join(gob.NewEncoder(out).Encode(st), out.Flush(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, copyStamps))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("record the contents of the copy: %w", err)
	}
	return nil
}
