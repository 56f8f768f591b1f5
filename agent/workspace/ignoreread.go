package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// What an ignore file may have at most. A longer one cannot be read, so all that it might hide is hidden:
// rules without end would take time without end.
const (
	maxIgnoreBytes = 1 << 20
	maxIgnoreRules = 10_000
)

// ignoreReader judges paths by the ignore files of certain names and reads each file once.
type ignoreReader struct {
	d      *Door
	policy *policy
	files  []string
	saved  bool // the disk counts, whatever is open
	byDir  map[string]ignoreRules
	dirs   map[string]string // reasons of folders
}

// ignoreRules are the rules of one folder.
type ignoreRules struct {
	rules      []ignoreRule
	unreadable string // the file that cannot be read
}

func newIgnoreReader(d *Door, policy *policy, files []string) *ignoreReader {
	return &ignoreReader{d: d, policy: policy, files: files, byDir: map[string]ignoreRules{}, dirs: map[string]string{}}
}

// reason says why a path is ignored, "" when it is not. As in git, nothing below an ignored folder
// comes back. A file that cannot be read ignores all that it could speak of.
func (m *ignoreReader) reason(p string) string { return m.judge(p, false) }

// reasonWithin is reason for whoever leaves when ctx ends; then everything is ignored. Folders of which the
// rules are known cost no goroutine, and those are nearly all of a listing.
func (m *ignoreReader) reasonWithin(ctx context.Context, p string) string {
	stopped := p + " counts as ignored: the check was stopped"
	if ctx.Err() != nil {
		return stopped // and what was left behind may still use m
	}
	dir := path.Dir(p)
	if _, known := m.byDir[strings.TrimPrefix(dir, ".")]; known {
		return m.reason(p)
	}
	reason, err := await(ctx, func() string { return m.reason(p) })
	if err != nil {
		return stopped
	}
	return reason
}

func (m *ignoreReader) judge(p string, isDir bool) string {
	dir := path.Dir(p)
	if dir == "." {
		dir = ""
	}
	above := ""
	if dir != "" {
		known, ok := m.dirs[dir]
		if !ok {
			known = m.judge(dir, true)
			m.dirs[dir] = known
		}
		above = known
	}
	if above != "" {
		return p + strings.TrimPrefix(above, dir)
	}
	parts := strings.Split(p, "/")
	base := parts[len(parts)-1]
	rel := base
	for up := len(parts) - 1; up >= 0; up-- { // the deepest file has the last word
		if up < len(parts)-1 {
			rel = parts[up] + "/" + rel
		}
		of := m.read(parts[:up])
		if of.unreadable != "" {
			return unreadableReason(p, of.unreadable)
		}
		for k := len(of.rules) - 1; k >= 0; k-- {
			switch rule := &of.rules[k]; {
			case !rule.fits(rel, base, isDir):
			case rule.negated:
				return m.unreadableAbove(p, parts[:up])
			default:
				return p + " is ignored by " + rule.file
			}
		}
	}
	return ""
}

// unreadableAbove says whether an ignore file further up cannot be read, which no rule below it can make up for.
func (m *ignoreReader) unreadableAbove(p string, parts []string) string {
	for up := len(parts) - 1; up >= 0; up-- {
		if file := m.read(parts[:up]).unreadable; file != "" {
			return unreadableReason(p, file)
		}
	}
	return ""
}

// read gives the rules of one folder.
func (m *ignoreReader) read(domain []string) ignoreRules {
	dir := path.Join(domain...)
	if known, ok := m.byDir[dir]; ok {
		return known
	}
	names := m.files
	if dir == "" && len(names) > 0 && names[0] == ".gitignore" && !m.saved {
		names = append([]string{".git/info/exclude"}, names...)
	}
	var rules ignoreRules
	for _, name := range names {
		file := path.Join(dir, name)
		text, err := m.text(file)
		if errors.Is(err, fs.ErrNotExist) || notADirectory(err) {
			continue
		}
		if err == nil {
			err = rules.add(text, file)
		}
		if err != nil {
			rules.unreadable = file
			break
		}
	}
	m.byDir[dir] = rules
	return rules
}

// text gives an ignore file as it is open, else as it is on disk, without a byte order mark.
func (m *ignoreReader) text(file string) (string, error) {
	if text, open := m.d.w.openText(file); open && !m.saved {
		if len(text) > maxIgnoreBytes {
			return "", &RefusedError{refused(file, CodeTooLarge, "it is too large for an ignore file")}
		}
		return strings.TrimPrefix(text, "\uFEFF"), nil
	}
	raw, err := m.d.ignoreBytes(file)
	if err != nil {
		return "", err
	}
	text, _, err := decode(raw, m.policy.enc)
	if errors.Is(err, ErrUndecodable) {
		text, err = string(raw), nil // names are bytes to git, too
	}
	return strings.TrimPrefix(text, "\uFEFF"), err
}

// add reads the rules of a text, with the meaning that git gives to blanks at the end.
func (r *ignoreRules) add(text, file string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = line[:len(line)-1]
		}
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r.rules = append(r.rules, parseRule(line, file))
		if len(r.rules) > maxIgnoreRules {
			return fmt.Errorf("%s has more than %d rules", file, maxIgnoreRules)
		}
	}
	return nil
}

// ignoreBytes reads an ignore file from disk. It ends in time whatever lies there.
func (d *Door) ignoreBytes(name string) ([]byte, error) {
	// Most folders have none, which one question to the disk tells; what is there is opened below the root.
	if info, err := os.Lstat(filepath.Join(d.w.root, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
		return nil, err
	} else if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder and has no rules: %w", name, fs.ErrNotExist)
	}
	f, info, err := openRegular(d.w.fs, name)
	if err != nil {
		return nil, err
	}
	return readAll(f, info, name, maxIgnoreBytes)
}

// isPlain says whether git reads the same rules as we do.
func isPlain(raw []byte) bool {
	return !bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) && !bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) && bytes.IndexByte(raw, 0) < 0
}

func isLink(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }

// notADirectory says whether a path could not be reached because a part of it is a file: then
// there is nothing to read below it.
func notADirectory(err error) bool { return errors.Is(err, errNotDir) }
