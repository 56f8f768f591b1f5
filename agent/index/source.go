package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// maxRead is what is read of one file at most; repomap keeps nothing of a larger one.
const maxRead = 4<<20 + 1

// gitPatience is how long git may take to list the files: many times what the largest trees take.
const gitPatience = 2 * time.Minute

// source lists and reads the files below one folder. It is safe for concurrent use.
type source struct {
	dir  string
	root *os.Root
	door func(path string) bool
	note func(string)
	git  atomic.Bool // git has listed the files once

	gitPatience time.Duration // see gitPatience
	most        int           // files that a walk lists
}

func newSource(dir string, door func(string) bool) (*source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", dir, err)
	}
	return &source{dir: dir, root: root, door: door, note: func(string) {}, gitPatience: gitPatience, most: maxWalked}, nil
}

func (s *source) close() { _ = s.root.Close() } // read-only

func (s *source) allowed(path string) bool { return s.door == nil || s.door(path) }

// List names the regular files that git would show, or where there is no git those that no ignore
// file names. It looks at what git tracks while git looks for the rest.
func (s *source) List(ctx context.Context) ([]repomap.File, error) {
	var parts [][]repomap.File
	var group sync.WaitGroup
	err := s.names(ctx, func(paths []string) {
		part := make([]repomap.File, len(paths))
		parts = append(parts, part)
		group.Go(func() { s.look(ctx, paths, part) })
	}, func() { parts = nil })
	group.Wait()
	if err = errors.Join(ctx.Err(), err); err != nil {
		return nil, err
	}
	var files []repomap.File
	for _, part := range parts {
		files = merged(files, slices.DeleteFunc(part, func(f repomap.File) bool { return f.ID == "" }))
	}
	s.mark(ctx, files)
	return files, nil
}

// merged adds the files that are not in the list yet. Both are in order of path, and so is what comes of them.
func merged(list, more []repomap.File) []repomap.File {
	if len(list) == 0 || len(more) == 0 {
		return append(list, more...)
	}
	out := make([]repomap.File, 0, len(list)+len(more))
	for _, f := range more {
		at, found := slices.BinarySearchFunc(list, f.Path, func(f repomap.File, path string) int { return strings.Compare(f.Path, path) })
		out, list = append(out, list[:at]...), list[at:]
		if !found {
			out = append(out, f)
		}
	}
	return append(out, list...)
}

// names is List without a look at the files, some of which may be gone. It gives them in parts, each sorted, and calls
// again where those so far are worth nothing.
func (s *source) names(ctx context.Context, give func(paths []string), again func()) error {
	limited, cancel := context.WithTimeout(ctx, s.gitPatience)
	defer cancel()
	err := vcs.EachFiles(limited, s.dir, give)
	switch {
	case err == nil:
		s.git.Store(true)
		return nil
	case ctx.Err() != nil:
		return err
	case limited.Err() != nil: // git waits for ever where an ignore file is a pipe
		s.note(fmt.Sprintf("list %s without git, which did not finish within %v", s.dir, s.gitPatience))
	case errors.Is(err, vcs.ErrNotGit):
	case !s.git.Load(): // a broken repository, or another user's; what worked before is a bad moment
		s.note(fmt.Sprintf("list %s without git: %v", s.dir, err))
	default:
		return err
	}
	again()
	paths, err := s.walk(ctx)
	slices.Sort(paths)
	give(paths)
	return err
}

// lookAtOnce is how many files one goroutine looks at before it takes others.
const lookAtOnce = 256

// look notes of each path what the disk says of it, in to; what is no regular file, is not ours to read, or has no name
// that can be written has no ID. Files are only looked at, not opened: Read goes through the root.
func (s *source) look(ctx context.Context, paths []string, to []repomap.File) {
	dir := filepath.Clean(s.dir) + string(filepath.Separator) // the paths are clean
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(paths)/lookAtOnce+1) {
		group.Go(func() {
			for {
				from := int(next.Add(lookAtOnce)) - lookAtOnce
				for i := from; i < min(from+lookAtOnce, len(paths)); i++ {
					if ctx.Err() != nil {
						return
					}
					to[i].Path = paths[i]
					info, err := os.Lstat(dir + filepath.FromSlash(paths[i]))
					switch {
					case err != nil || !info.Mode().IsRegular() || !s.allowed(paths[i]): // deleted but tracked, a link, a pipe, or not ours to read
					case !nameable(paths[i]):
						s.note(fmt.Sprintf("skipped %q: the file name is not usable in a prompt", paths[i]))
					default:
						to[i].Size, to[i].ID = info.Size(), identity(info)
					}
				}
				if from >= len(paths) {
					return
				}
			}
		})
	}
	group.Wait()
}

// nameable says whether a path can stand in a line of text and be written back by its reader.
func nameable(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsFunc(path, unicode.IsControl)
}

// identity changes with every write that a file system tells of.
func identity(info fs.FileInfo) string {
	b := strconv.AppendInt(nil, info.Size(), 36)
	b = strconv.AppendInt(append(b, '.'), info.ModTime().UnixNano(), 36)
	if number, changed, ok := inode(info); ok {
		b = strconv.AppendUint(append(b, '.'), number, 36)
		b = strconv.AppendInt(append(b, '.'), changed, 36)
	}
	return string(b)
}

// Read appends a file's text to memory. The file is opened without waiting, since a pipe may have taken its place.
func (s *source) Read(ctx context.Context, path string, memory []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, info, err := workspace.OpenRegular(s.root, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() >= maxRead {
		return nil, fmt.Errorf("the file is too large (%d MB)", info.Size()>>20)
	}
	text := bytes.NewBuffer(slices.Grow(memory, int(info.Size())+bytes.MinRead)) // with room to find the end
	if _, err := text.ReadFrom(io.LimitReader(f, maxRead)); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
