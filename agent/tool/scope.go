package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// scope is what a call may look at: the files of the root with the changes of the turn, without what is not sent to a model.
type scope struct {
	box      *Box // its list of files serves all calls
	ctx      context.Context
	snapshot *workspace.Snapshot
}

// admit asks the door for a file and reads it. What may not go out is refused in the words that the user
// reads, too.
func (s *scope) admit(name string) (*workspace.Document, error) {
	d := s.box.o.Door.Check(s.ctx, name, workspace.OpSend)
	if d.Path != "" {
		name = d.Path
	}
	if d.Verdict == workspace.Refuse && s.folder(name) {
		return nil, refuse("%s is a folder. Next: %s.", name, next(List, "path", name))
	}
	agreed := d.Verdict == workspace.Ask && slices.Contains(s.box.o.Agreed, name)
	if d.Verdict != workspace.Allow && !agreed {
		return nil, refuse("%s is not sent to the model: %s.", name, strings.TrimSuffix(d.Reason, "."))
	}
	doc, err := s.snapshot.Document(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.absent(name)
	}
	return doc, err
}

// absent says that there is no such file, and names up to three that may be meant.
func (s *scope) absent(name string) error {
	files, err := s.listing()
	if err != nil {
		return err
	}
	var close []string
	base := strings.ToLower(path.Base(name))
	for _, f := range files {
		other := strings.ToLower(path.Base(f))
		if base != "" && (strings.Contains(other, base) || strings.Contains(base, other)) {
			close = append(close, f)
		}
	}
	slices.SortStableFunc(close, func(a, b string) int { // the most alike first
		return abs(len(path.Base(a))-len(base)) - abs(len(path.Base(b))-len(base))
	})
	if len(close) > 3 {
		close = close[:3]
	}
	if len(close) == 0 {
		return refuse("There is no file %s. Next: %s.", name, next(List, "path", "."))
	}
	return refuse("There is no file %s. Similar names: %s.", name, strings.Join(close, ", "))
}

func abs(n int) int { return max(n, -n) }

func (s *scope) folder(name string) bool {
	files, err := s.listing()
	return err == nil && (name == "." || slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, name+"/") }))
}

// listing returns the files that may be named, sorted: those of the root with the changes of the turn.
func (s *scope) listing() ([]string, error) {
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	if s.box.files != nil {
		return s.box.files, nil
	}
	var disk []string
	if s.box.o.Files != nil {
		var err error
		if disk, err = s.box.o.Files(s.ctx); err != nil {
			return nil, fmt.Errorf("list the files: %w", err)
		}
	}
	set := map[string]bool{}
	for _, p := range disk {
		set[p] = true
	}
	for _, d := range s.snapshot.Open() {
		set[d.Path] = true
	}
	for _, c := range s.snapshot.Changes() {
		switch c.Op {
		case edits.OpDelete:
			delete(set, c.Path)
		case edits.OpRename:
			delete(set, c.Path)
			set[c.To] = true
		case edits.OpCreate, edits.OpUpdate:
			set[c.Path] = true
		}
	}
	may := s.box.o.Door.Lister(s.ctx)
	files := make([]string, 0, len(set))
	for p := range set {
		if may(p) {
			files = append(files, p)
		}
	}
	if s.ctx.Err() != nil {
		return nil, s.ctx.Err()
	}
	slices.Sort(files)
	s.box.files = files
	return files, nil
}

// below returns the files at or below a path.
func (s *scope) below(where string) ([]string, error) {
	files, err := s.listing()
	if err != nil {
		return nil, err
	}
	where = strings.Trim(path.Clean("/"+strings.TrimSpace(where)), "/")
	if where == "" {
		return files, nil
	}
	var list []string
	for _, f := range files {
		if f == where || strings.HasPrefix(f, where+"/") {
			list = append(list, f)
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	if _, err := s.admit(where); err != nil {
		return nil, err // it says why it is not there
	}
	return []string{where}, nil
}

// without takes out the files whose content does not leave the machine without a question.
func (s *scope) without(files []string) map[string]bool {
	bad := map[string]bool{}
	for _, f := range s.box.o.Door.Withheld(s.ctx, files) {
		if !slices.Contains(s.box.o.Agreed, f) {
			bad[f] = true
		}
	}
	return bad
}

// text reads a file for looking through many: what is open or changed from the snapshot, the rest from disk
// without keeping it.
func (s *scope) text(name string) (string, error) {
	if s.held()[name] {
		return s.snapshot.Read(name)
	}
	return s.box.o.Door.DiskText(s.ctx, name)
}

// held are the files of which the snapshot has a text of its own.
func (s *scope) held() map[string]bool {
	set := map[string]bool{}
	for _, d := range s.snapshot.Open() {
		set[d.Path] = true
	}
	for _, c := range s.snapshot.Changes() {
		set[c.Path] = true
		if c.To != "" {
			set[c.To] = true
		}
	}
	return set
}

// scan looks through files, several at a time, until the time is over. The hits are in the order of the files; read of them were looked
// at, from the first on.
func (s *scope) scan(files []string, re *regexp.Regexp, end time.Time) (hits []found, read int, err error) {
	ctx, cancel := context.WithDeadline(s.ctx, end)
	defer cancel()
	held := s.held()
	all := make([]found, len(files))
	var next, done atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostReaders, len(files)) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				f, ok := s.look(ctx, files[i], held[files[i]], re)
				if !ok {
					return
				}
				all[i] = f
				done.Add(1)
			}
		})
	}
	group.Wait()
	if s.ctx.Err() != nil {
		return nil, 0, s.ctx.Err()
	}
	var paths []string
	for _, h := range all {
		if len(h.lines) > 0 {
			hits = append(hits, h)
			paths = append(paths, h.path)
		}
	}
	bad := s.without(paths)
	return slices.DeleteFunc(hits, func(h found) bool { return bad[h.path] }), int(done.Load()), s.ctx.Err()
}

const mostReaders = 4 // at a time

// look looks through one file. ok is false where the time was over before that.
func (s *scope) look(ctx context.Context, name string, held bool, re *regexp.Regexp) (f found, ok bool) {
	f = found{path: name, held: held}
	var text string
	var err error
	if held {
		text, err = s.snapshot.Read(name)
	} else {
		text, err = s.box.o.Door.DiskText(ctx, name)
	}
	if ctx.Err() != nil {
		return f, false
	}
	if err == nil && len(text) <= mostSearch && strings.IndexByte(text[:min(len(text), 8000)], 0) < 0 {
		if f.lines = matching(text, re); len(f.lines) > 0 {
			f.text = text
		}
	}
	return f, true
}
