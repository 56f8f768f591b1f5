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
	byDir  map[string]*ignoreFolder
}

// ignoreFolder is what an ignoreReader knows of one folder.
type ignoreFolder struct {
	above  *ignoreFolder // nil of the root
	below  int           // where the names in it begin, in the paths below it
	reason string        // why it is ignored itself, and then the rules in it do not count
	rules  ignoreRules
}

// ignoreRules are the rules of one folder.
type ignoreRules struct {
	IgnoreRules
	unreadable string // the file that cannot be read
}

func newIgnoreReader(d *Door, policy *policy, files []string) *ignoreReader {
	return &ignoreReader{d: d, policy: policy, files: files, byDir: map[string]*ignoreFolder{}}
}

// ignoreReaders judge a path one after the other: what one of them ignores no rule of another brings back.
type ignoreReaders []*ignoreReader

// newIgnoreReaders makes the readers of these names and of those that the policy adds. Git's are apart from ours, so
// that no rule of a .gitignore brings back what the user keeps from models, and each added one is by itself.
func newIgnoreReaders(d *Door, policy *policy, files []string) ignoreReaders {
	list := ignoreReaders{newIgnoreReader(d, policy, files)}
	if files[0] == ".gitignore" && len(files) > 1 {
		list = ignoreReaders{newIgnoreReader(d, policy, files[:1]), newIgnoreReader(d, policy, files[1:])}
	}
	for _, name := range policy.more {
		list = append(list, newIgnoreReader(d, policy, []string{name}))
	}
	return list
}

// reason is the first reason of any of them.
func (list ignoreReaders) reason(p string) string {
	for _, m := range list {
		if reason := m.reason(p); reason != "" {
			return reason
		}
	}
	return ""
}

// reasonWithin is reason for whoever leaves when ctx ends.
func (list ignoreReaders) reasonWithin(ctx context.Context, p string) string {
	for _, m := range list {
		if reason := m.reasonWithin(ctx, p); reason != "" {
			return reason
		}
	}
	return ""
}

// reason says why a path is ignored, "" when it is not. As in git, nothing below an ignored folder
// comes back. A file that cannot be read ignores all that it could speak of.
func (m *ignoreReader) reason(p string) string { return m.judge(p, false) }

// reasonWithin is reason for whoever leaves when ctx ends; then everything is ignored. Folders of which the
// rules are known cost no goroutine, and those are nearly all of a listing.
func (m *ignoreReader) reasonWithin(ctx context.Context, p string) string {
	const stopped = " is treated as ignored: the check was stopped"
	if ctx.Err() != nil {
		return p + stopped // and what was left behind may still use m
	}
	if m.byDir[folderOf(p)] != nil {
		return m.reason(p)
	}
	reason, err := await(ctx, func() string { return m.reason(p) })
	if err != nil {
		return p + stopped
	}
	return reason
}

// folder says what the ignore files say of all files in a folder. Once ctx has ended they withhold everything, and
// are not to be asked again.
func (list ignoreReaders) folder(ctx context.Context, dir string) listed {
	said := free
	for _, m := range list {
		f, err := await(ctx, func() *ignoreFolder { return m.folder(dir) })
		if err != nil || f.reason != "" {
			return withheld
		}
		for ; f != nil; f = f.above {
			if f.rules.unreadable != "" || len(f.rules.rules) > 0 {
				said = ruled
			}
		}
	}
	return said
}

// folderOf is the folder of a clean path, "" for the root.
func folderOf(p string) string { return p[:max(0, strings.LastIndexByte(p, '/'))] }

// judge looks once at each folder above a path, whatever a path of some thousand folders is made of.
func (m *ignoreReader) judge(p string, isDir bool) string {
	in := m.folder(folderOf(p))
	if in.reason != "" {
		return p + strings.TrimPrefix(in.reason, folderOf(p))
	}
	for f := in; f != nil; f = f.above { // the deepest file has the last word
		if f.rules.unreadable != "" {
			return unreadableReason(p, f.rules.unreadable)
		}
		switch file, ignored := f.rules.Judge(p[f.below:], isDir); {
		case ignored:
			return p + " is ignored by " + file
		case file != "":
			return f.unreadableAbove(p)
		}
	}
	return ""
}

// unreadableAbove says whether an ignore file further up cannot be read, which no rule below it can make up for.
func (f *ignoreFolder) unreadableAbove(p string) string {
	for f = f.above; f != nil; f = f.above {
		if f.rules.unreadable != "" {
			return unreadableReason(p, f.rules.unreadable)
		}
	}
	return ""
}

// folder gives what is known of a folder, and finds it out.
func (m *ignoreReader) folder(dir string) *ignoreFolder {
	if known := m.byDir[dir]; known != nil {
		return known
	}
	f := &ignoreFolder{}
	if dir != "" {
		f.above, f.below = m.folder(folderOf(dir)), len(dir)+1
		f.reason = m.judge(dir, true)
	}
	if f.reason == "" {
		f.rules = m.read(dir)
	}
	m.byDir[dir] = f
	return f
}

// read gives the rules of one folder.
func (m *ignoreReader) read(dir string) ignoreRules {
	names := m.files
	if dir == "" && names[0] == ".gitignore" && !m.saved {
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
			err = rules.Add(text, file)
		}
		if err != nil {
			rules.unreadable = file
			break
		}
	}
	return rules
}

// text gives an ignore file as it is open, else as it is on disk, without a byte order mark.
func (m *ignoreReader) text(file string) (string, error) {
	if text, open := m.d.w.openText(file); open && !m.saved {
		if len(text) > maxIgnoreBytes {
			return "", &RefusedError{refused(file, CodeTooLarge, "the ignore file is too large")}
		}
		return strings.TrimPrefix(text, "\uFEFF"), nil
	}
	raw, err := m.d.w.fs.ignoreBytes(file)
	if err != nil {
		return "", err
	}
	text, _, err := decode(raw, m.policy.enc)
	if errors.Is(err, ErrUndecodable) {
		text, err = string(raw), nil // names are bytes to git, too
	}
	return strings.TrimPrefix(text, "\uFEFF"), err
}

// ignoreBytes reads an ignore file from disk. It ends in time whatever lies there.
func (f *folder) ignoreBytes(name string) ([]byte, error) {
	if f == nil {
		return nil, fs.ErrNotExist
	}
	// Most folders have none, which one question to the disk tells; what is there is opened below the root.
	if info, err := os.Lstat(filepath.Join(f.name, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
		return nil, err
	} else if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder, not an ignore file: %w", name, fs.ErrNotExist)
	}
	open, info, err := openRegular(f, name)
	if err != nil {
		return nil, err
	}
	return readAll(open, info, name, maxIgnoreBytes)
}

// isPlain says whether git reads the same rules as we do.
func isPlain(raw []byte) bool {
	return !bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) && !bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) && bytes.IndexByte(raw, 0) < 0
}

func isLink(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }

// notADirectory says whether a path could not be reached because a part of it is a file: then
// there is nothing to read below it.
func notADirectory(err error) bool { return errors.Is(err, errNotDir) }
