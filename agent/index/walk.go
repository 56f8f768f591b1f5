package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

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
	patterns := map[string][]gitignore.Pattern{} // folder -> its rules and those above it
	err := fs.WalkDir(s.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil || err != nil {
			return ctx.Err() // a folder that may not be read, or is gone, has no files
		}
		above := patterns[path.Dir(name)]
		if d.IsDir() && skipped[d.Name()] || gitignore.NewMatcher(above).Match(strings.Split(name, "/"), d.IsDir()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			patterns[name] = slices.Concat(above, s.rules(name))
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
		s.note(fmt.Sprintf("%s holds %d files or more and is in no git repository: the rest is left out", s.dir, s.most))
		err = nil
	}
	return out, err
}

// rules reads the ignore files of one folder.
func (s *source) rules(dir string) []gitignore.Pattern {
	var out []gitignore.Pattern
	var domain []string
	if dir != "." {
		domain = strings.Split(dir, "/")
	}
	for _, name := range []string{".gitignore", ".ignore"} {
		full := path.Join(dir, name)
		if info, err := s.root.Lstat(full); err != nil || !info.Mode().IsRegular() {
			continue
		}
		var text []byte
		if f, _, err := workspace.OpenRegular(s.root, full); err == nil {
			text, _ = io.ReadAll(io.LimitReader(f, 1<<20)) // what could be read of it holds
			_ = f.Close()                                  // read-only
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\r\n")
			if !strings.HasPrefix(line, "#") { // an empty rule matches nothing
				out = append(out, gitignore.ParsePattern(line, domain))
			}
		}
	}
	return out
}
