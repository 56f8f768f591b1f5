package pipeline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coauthor/agent"
	"coauthor/agent/workspace"
)

// What a scratch folder takes at most: more is no project that a script runs in by the way.
const (
	mostScratchFiles = 20_000
	mostScratchBytes = 512 << 20
)

// scratch is a folder outside of every workspace with the files of one as it is with the changes of a turn. Programs run
// there: what they write does not touch the user's files.
type scratch struct {
	dir     string
	written map[string]bool              // files that were written, by their paths
	sums    map[string][sha256.Size]byte // of the files that it holds of the workspace, by their paths
}

// newScratch makes a folder, below a folder of ours where there is one. It holds nothing yet.
func newScratch(stateDir string, now time.Time) (*scratch, error) {
	below := ""
	if stateDir != "" {
		below = filepath.Join(stateDir, "scratch")
		if err := os.MkdirAll(below, 0o700); err != nil {
			return nil, fmt.Errorf("make a folder to run the program in: %w", err)
		}
		sweepScratch(below, now)
	}
	dir, err := os.MkdirTemp(below, fmt.Sprintf("run-%d-", os.Getpid()))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("make a folder to run the program in: %w", err)
	}
	return &scratch{dir: dir, written: map[string]bool{}}, nil
}

// sweepScratch removes folders that nobody removed: those of a day before, since processes may have ended in between.
func sweepScratch(below string, now time.Time) {
	entries, err := os.ReadDir(below)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), "run-") && now.Sub(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(filepath.Join(below, e.Name()))
		}
	}
}

// update makes the folder hold the files of a listing of the workspace as they are with the changes so far. What a
// program wrote there stays, unless it stands in the way of one of them. left names files that are not copied; those of
// without are not, either.
func (s *scratch) update(ctx context.Context, ws *workspace.Workspace, now *workspace.Snapshot, listed, without []string) (left []string, err error) {
	laid, err := now.Laid(ctx)
	if err != nil {
		return nil, fmt.Errorf("copy the folder for a run: %w", err)
	}
	over := map[string]workspace.Laid{}
	files := slices.Clone(listed)
	for _, l := range laid {
		over[l.Path] = l
		files = append(files, l.Path)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return slices.Contains(without, file) })
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) > mostScratchFiles {
		return nil, agent.Problem("Run the program in a terminal.", "The folder has %d files, too many to copy for a run.", len(files))
	}
	keep, sums := map[string]bool{}, map[string][sha256.Size]byte{}
	size := 0
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, ok := over[file]
		if ok && l.Gone {
			continue
		}
		data := l.Data
		if !ok {
			data, err = ws.Door().Bytes(ctx, file)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			continue // it has gone since it was listed
		case err != nil:
			left = append(left, file) // a link that leads out, or too large
			continue
		}
		if size += len(data); size > mostScratchBytes {
			return nil, agent.Problem("Run the program in a terminal.", "The folder is larger than %d MB, too large to copy for a run.", mostScratchBytes>>20)
		}
		keep[file], sums[file] = true, sha256.Sum256(data)
		if err := s.write(file, data, modeOf(ws.Root(), file)); err != nil {
			return nil, fmt.Errorf("copy %s for a run: %w", file, err)
		}
		s.written[file] = true
	}
	for file := range s.written {
		if !keep[file] {
			_ = os.RemoveAll(filepath.Join(s.dir, filepath.FromSlash(file)))
			delete(s.written, file)
		}
	}
	s.sums = sums
	return left, nil
}

// made are the regular files below the folder, without hidden ones and folders of dependencies. What cannot be looked at is
// none.
func (s *scratch) made() (files []string, err error) {
	err = filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, failed error) error {
		rel, err := filepath.Rel(s.dir, name)
		switch rel = filepath.ToSlash(rel); {
		case err != nil || rel == ".":
			return err
		case failed != nil || !selectable(rel):
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			files = append(files, rel)
		}
		return nil
	})
	return files, err
}

// sum stands for all files of the workspace that the folder holds.
func (s *scratch) sum() [sha256.Size]byte {
	h := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(s.sums)) {
		fmt.Fprintf(h, "%q %x\n", file, s.sums[file])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// modeOf is the mode that a copy of a file gets.
func modeOf(root, file string) fs.FileMode {
	if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err == nil && info.Mode().IsRegular() {
		return info.Mode().Perm() | 0o600
	}
	return 0o644
}

func (s *scratch) write(file string, data []byte, mode fs.FileMode) error {
	name := filepath.Join(s.dir, filepath.FromSlash(file))
	info, err := os.Lstat(name)
	if err == nil && info.Mode().IsRegular() {
		if there, err := os.ReadFile(name); err == nil && bytes.Equal(there, data) {
			return os.Chmod(name, mode) // its time stays, so that builds know that it is the same
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil { //nolint:gosec // a copy of a project, in a folder that only the user sees
		return err
	}
	if err == nil && !info.Mode().IsRegular() {
		if err := os.RemoveAll(name); err != nil { // the program put something else there; a link might lead out
			return err
		}
	}
	if err := os.WriteFile(name, data, mode); err != nil {
		return err
	}
	return os.Chmod(name, mode) // whatever the umask is
}

// close removes the folder, also what a program made unreadable.
func (s *scratch) close() {
	if os.RemoveAll(s.dir) == nil {
		return
	}
	_ = filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) //nolint:gosec // a folder needs it to be removed
		}
		return nil
	})
	_ = os.RemoveAll(s.dir) // what stays is swept by the next one
}
