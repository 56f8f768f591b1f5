package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"coauthor/agent/workspace"
)

// maxWalked ends the walk of a tree that no one meant to open, such as a home directory.
const maxWalked = 200_000

// skipped are folders of tools, which hold copies and caches where no ignore file says so.
var skipped = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true, "node_modules": true,
	"__pycache__": true, ".venv": true, ".tox": true, ".cache": true, ".coauthor": true}

var errEnough = errors.New("enough")

// walk lists a tree without git. Links are not followed, so it ends.
func (s *source) walk(ctx context.Context) ([]string, error) {
	var out []string
	folders := map[string]*folder{}
	err := fs.WalkDir(s.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil || err != nil {
			return ctx.Err() // a folder that may not be read, or is gone, has no files
		}
		above := folders[path.Dir(name)]
		if d.IsDir() && skipped[d.Name()] || above.ignores(name, d.IsDir()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			folders[name] = s.folder(name, above)
			return nil
		}
		if d.Type().IsRegular() {
			if out = append(out, name); len(out) >= s.most {
				return errEnough
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		s.note(fmt.Sprintf("%s is not in a git repository; only its first %d files are indexed", s.dir, s.most))
		err = nil
	}
	return out, err
}

// folder is one that is walked, with its rules.
type folder struct {
	above *folder // nil of the root
	below int     // where the names in it begin, in the paths below it
	rules workspace.IgnoreRules
}

// ignores says whether a file or folder somewhere below is left out. The deepest ignore file has the last word.
func (f *folder) ignores(name string, isDir bool) bool {
	for ; f != nil; f = f.above {
		if file, ignored := f.rules.Judge(name[f.below:], isDir); file != "" {
			return ignored
		}
	}
	return false
}

// folder reads the ignore files of one folder.
func (s *source) folder(dir string, above *folder) *folder {
	f := &folder{}
	if dir != "." {
		f.above, f.below = above, len(dir)+1
	}
	for _, name := range []string{".gitignore", ".ignore"} {
		full := path.Join(dir, name)
		if info, err := s.root.Lstat(full); err != nil || !info.Mode().IsRegular() {
			continue
		}
		var text []byte
		if file, _, err := workspace.OpenRegular(s.root, full); err == nil {
			text, _ = io.ReadAll(io.LimitReader(file, 1<<20)) // what could be read of it holds
			_ = file.Close()                                  // read-only
		}
		if err := f.rules.Add(strings.TrimPrefix(string(text), "\uFEFF"), full); err != nil {
			s.note(err.Error())
		}
	}
	return f
}
