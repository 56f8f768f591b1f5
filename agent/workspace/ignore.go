package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignored returns for each of the paths why it is ignored, "" when it is not.
func (d *Door) ignored(ctx context.Context, paths []string) map[string]string {
	out := map[string]string{}
	own := ignoreFiles
	if d.w.o.Ignore != nil && !d.unsavedGitignore() {
		if answer, err := d.w.o.Ignore(ctx, paths); err == nil {
			own = ignoreFiles[1:]
			for p, yes := range answer {
				if yes {
					out[p] = p + " is ignored by git"
				}
			}
		}
	}
	m := &ignoreReader{d: d, byDir: map[string][]ignorePattern{}}
	for _, p := range paths {
		switch {
		case out[p] != "":
		case ctx.Err() != nil:
			out[p] = p + " counts as ignored: the check was stopped"
		default:
			out[p] = m.reason(p, own)
		}
	}
	return out
}

// unsavedGitignore says whether a .gitignore is open in the editor: then git, which sees only the
// disk, is not asked.
func (d *Door) unsavedGitignore() bool {
	d.w.mu.Lock()
	defer d.w.mu.Unlock()
	for p := range d.w.open {
		if path.Base(p) == ".gitignore" {
			return true
		}
	}
	return false
}

type ignorePattern struct {
	gitignore.Pattern
	file string
}

// ignoreReader reads each ignore file once for a set of paths.
type ignoreReader struct {
	d     *Door
	byDir map[string][]ignorePattern
}

// reason walks from the root down: once a directory is ignored nothing below it comes back, as in
// git. A file that cannot be read ignores all that it could speak of.
func (m *ignoreReader) reason(p string, files []string) string {
	parts := strings.Split(p, "/")
	var patterns []ignorePattern
	for i := range parts {
		dir := path.Join(parts[:i]...)
		found, unreadable := m.read(dir, parts[:i], files)
		if unreadable != "" {
			return p + " counts as ignored: " + unreadable + " cannot be read"
		}
		patterns = append(patterns, found...)
		isDir := i < len(parts)-1
		for k := len(patterns) - 1; k >= 0; k-- {
			verdict := patterns[k].Match(parts[:i+1], isDir)
			if verdict == gitignore.Include {
				break
			}
			if verdict == gitignore.Exclude {
				return p + " is ignored by " + patterns[k].file
			}
		}
	}
	return ""
}

func (m *ignoreReader) read(dir string, domain, files []string) (patterns []ignorePattern, unreadable string) {
	if known, ok := m.byDir[dir]; ok {
		return known, ""
	}
	names := files
	if dir == "" && files[0] == ".gitignore" {
		names = append([]string{".git/info/exclude"}, files...)
	}
	for _, name := range names {
		file := path.Join(dir, name)
		text, open := m.d.w.openText(file)
		if !open {
			doc, err := m.d.read(file)
			switch {
			case errors.Is(err, fs.ErrNotExist), notADirectory(err):
				continue
			case err != nil:
				return nil, file
			}
			text = doc.Text
		}
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\r\n")
			if trimmed := strings.TrimSpace(line); trimmed == "" || strings.HasPrefix(line, "#") {
				continue
			}
			patterns = append(patterns, ignorePattern{gitignore.ParsePattern(line, domain), file})
		}
	}
	m.byDir[dir] = patterns
	return patterns, ""
}

// notADirectory says whether a path could not be reached because a part of it is a file: then
// there is nothing to read below it.
func notADirectory(err error) bool { return errors.Is(err, errNotDir) }
