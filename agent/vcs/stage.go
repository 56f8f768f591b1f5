package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrNothing says that there is nothing to commit.
var ErrNothing = errors.New("nothing to commit")

// Staged is a commit in the making. It is prepared in an index of its own, so that what the user has staged stays
// as it is, and nothing is changed when it comes to nothing.
type Staged struct {
	root  string
	place Place
	dir   string // of the index
	merge Merge

	amends bool   // it takes the place of the last commit
	parent string // of that; "" is none
}

// Merge joins two changes of a text. ok is false where they are in each other's way.
type Merge func(base, ours, theirs string) (merged string, ok bool)

// Content is a file as a commit is to have it.
type Content struct {
	Path string // slash-separated, relative to the root
	Text string // as the work tree has it
	Gone bool   // the commit has no such file
}

// Stage begins a commit of nothing: what is committed, the methods say. Close ends it.
func Stage(ctx context.Context, root string, merge Merge) (*Staged, error) {
	place, err := Where(ctx, root)
	if err != nil {
		return nil, err
	}
	if err := place.Writable(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "coauthor-commit-")
	if err != nil {
		return nil, fmt.Errorf("prepare a commit: %w", err)
	}
	s := &Staged{root: root, place: place, dir: dir, merge: merge}
	if err := s.takeOver(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Close drops what was prepared.
func (s *Staged) Close() error { return os.RemoveAll(s.dir) }

// envOf has git work on the index in a folder.
func envOf(dir string) []string { return []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")} }

// git runs git on the index of this commit.
func (s *Staged) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return runWriting(ctx, s.root, false, envOf(s.dir), stdin, args...)
}

// takeOver begins with the user's index.
func (s *Staged) takeOver(ctx context.Context) error {
	if err := copyIndex(s.place.GitDir, s.dir); err != nil {
		return err
	}
	unmerged, err := s.git(ctx, nil, "ls-files", "--unmerged", "-z")
	if err == nil && len(unmerged) > 0 {
		err = refuse("This repository has unresolved conflicts, so nothing was committed. Resolve them with git first.")
	}
	return err
}

// staged lists what differs from the commit before this one: the entries of both by path, from the top of the work tree.
func (s *Staged) staged(ctx context.Context) ([]entryChange, error) {
	if s.before() == "" {
		out, err := s.git(ctx, nil, "ls-files", "--stage", "--full-name", "-z", "--", ":/")
		if err != nil {
			return nil, err
		}
		return parseStage(out), nil
	}
	out, err := s.git(ctx, nil, "diff-index", "--cached", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none", "-z", s.before())
	if err != nil {
		return nil, err
	}
	return parseRaw(out), nil
}

// AnyStaged says whether the user has staged anything.
func (s *Staged) AnyStaged(ctx context.Context) (bool, error) {
	list, err := s.staged(ctx)
	return len(list) > 0, err
}

// Unstage leaves out all that the user has staged.
func (s *Staged) Unstage(ctx context.Context) error {
	list, err := s.staged(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	var in bytes.Buffer
	for _, c := range list {
		in.WriteString(c.old.line(c.path, s.place.hashSize()))
	}
	_, err = s.git(ctx, in.Bytes(), "update-index", "-z", "--index-info")
	return err
}

// AddTracked takes in all changes of tracked files below the root.
func (s *Staged) AddTracked(ctx context.Context) error {
	_, err := s.git(ctx, nil, "add", "--update", "--", ".")
	return err
}

// AddNew takes in those of the files that are on disk and that git neither has nor ignores. Others are passed over.
func (s *Staged) AddNew(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	args := []string{"ls-files", "--others", "--exclude-standard", "-z", "--"}
	for _, p := range paths {
		args = append(args, pathspec(p))
	}
	out, err := s.git(ctx, nil, args...)
	if err != nil {
		return err
	}
	args = []string{"add", "--"}
	for _, p := range fields(out) {
		if other, err := s.Elsewhere(ctx, p); err != nil {
			return err
		} else if other == "" {
			args = append(args, pathspec(p))
		}
	}
	if len(args) > 2 {
		_, err = s.git(ctx, nil, args...)
	}
	return err
}

// AddFiles takes in files as they are on disk, also new ones and those that are gone.
func (s *Staged) AddFiles(ctx context.Context, paths []string) error {
	args := []string{"add", "--all", "--"}
	for _, p := range paths {
		if other, err := s.Elsewhere(ctx, p); err != nil {
			return err
		} else if other != "" {
			return refuse("%s belongs to %s, so nothing was committed. Commit it in that folder.", p, other)
		}
		args = append(args, pathspec(p))
	}
	_, err := s.git(ctx, nil, args...)
	return err
}

// AddTexts takes in files with these texts, whatever is on disk. git's filters are run on them, as by git add.
func (s *Staged) AddTexts(ctx context.Context, contents []Content) error {
	var gone, there bytes.Buffer // a file may be where a folder was
	for _, c := range contents {
		full := s.place.Prefix + c.Path
		if c.Gone {
			gone.WriteString(entry{}.line(full, s.place.hashSize()))
			continue
		}
		hash, err := s.hash(ctx, c.Path, c.Text, "-w")
		if err != nil {
			return err
		}
		mode, err := s.mode(ctx, c.Path)
		if err != nil {
			return err
		}
		there.WriteString(entry{mode, hash}.line(full, s.place.hashSize()))
	}
	_, err := s.git(ctx, append(gone.Bytes(), there.Bytes()...), "update-index", "-z", "--index-info")
	return err
}

// Unchanged says whether a text is what the last commit has of a file, as git add would see it.
func (s *Staged) Unchanged(ctx context.Context, name, text string) (bool, error) {
	has, err := s.inHead(ctx, name)
	if err != nil || has.mode == "" {
		return false, err
	}
	hash, err := s.hash(ctx, name, text)
	return hash == has.hash, err
}

// hash is the name of a text's object as git would add a file of that name; with "-w" the repository has it then.
func (s *Staged) hash(ctx context.Context, name, text string, more ...string) (string, error) {
	args := append([]string{"hash-object", "--stdin", "--path=" + s.place.Prefix + name}, more...)
	out, err := s.git(ctx, []byte(text), args...)
	if err != nil {
		return "", fmt.Errorf("add %s to the commit: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// inHead is what the last commit has of a file.
func (s *Staged) inHead(ctx context.Context, name string) (entry, error) {
	if s.place.Head == "" {
		return entry{}, nil
	}
	out, err := s.git(ctx, nil, "ls-tree", "--full-tree", "-z", s.place.Head, "--", s.place.Prefix+name)
	if err != nil {
		return entry{}, err
	}
	list := parseTree(out)
	if len(list) == 0 || strings.HasPrefix(list[0].now.mode, "04") { // a folder is there, which may become a file
		return entry{}, nil
	}
	if !strings.HasPrefix(list[0].now.mode, "100") {
		return entry{}, refuse("%s is not a regular file in the last commit, so nothing was committed. Commit it with git.", name)
	}
	return list[0].now, nil
}

// mode is what kind of file a path is: as the last commit has it, else as it is on disk.
func (s *Staged) mode(ctx context.Context, name string) (string, error) {
	if has, err := s.inHead(ctx, name); err != nil || has.mode != "" {
		return has.mode, err
	}
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name)))
	if err == nil && info.Mode()&0o111 != 0 && filepath.Separator == '/' {
		return "100755", nil
	}
	return "100644", nil
}

// Committed gives a file as the last commit has it, in the form of the work tree. ok is false where it has none.
// An entry that is no plain file is refused.
func (s *Staged) Committed(ctx context.Context, name string) (text string, ok bool, err error) {
	has, err := s.inHead(ctx, name)
	if err != nil || has.mode == "" {
		return "", false, err
	}
	text, err = worktreeForm(ctx, s.root, has.hash, s.place.Prefix+name)
	return text, err == nil, err
}

// worktreeForm gives an object as a file of that name has it in the work tree, as far as line ends and encoding go:
// programs that the repository names as filters are not run.
func worktreeForm(ctx context.Context, root, hash, full string) (string, error) {
	env, err := noFilters(ctx, root)
	if err != nil {
		return "", err
	}
	out, err := outputWith(ctx, root, env, nil, "cat-file", "--filters", "--path="+full, hash)
	return string(out), err
}

// Files lists what the commit changes, relative to the root; what lies outside of the root begins with "../".
func (s *Staged) Files(ctx context.Context) ([]StagedFile, error) {
	list, err := s.staged(ctx)
	var files []StagedFile
	for _, c := range list {
		files = append(files, StagedFile{Path: belowPrefix(s.place.Prefix, c.path), New: c.old.mode == "", Gone: c.now.mode == "", change: c})
	}
	return files, err
}

// StagedFile is a file that a commit changes.
type StagedFile struct {
	Path      string
	New, Gone bool // which of both commits has no such file

	change entryChange
}

// Texts gives a file before the commit and in it, in the form of the work tree; "" where there is none, or no regular file.
func (s *Staged) Texts(ctx context.Context, f StagedFile) (before, now string, err error) {
	read := func(e entry) (string, error) {
		if !strings.HasPrefix(e.mode, "100") {
			return "", nil
		}
		return worktreeForm(ctx, s.root, e.hash, f.change.path)
	}
	if before, err = read(f.change.old); err == nil {
		now, err = read(f.change.now)
	}
	return before, now, err
}

// Diff gives the change as text, without these paths.
func (s *Staged) Diff(ctx context.Context, without []string) (string, error) {
	args := []string{"diff", "--cached", "--no-ext-diff", "--no-textconv", "--no-renames", "--submodule=short", "--relative"}
	if s.place.Head != "" {
		from := s.before()
		if from == "" {
			var err error
			if from, err = emptyTree(ctx, s.root); err != nil {
				return "", err
			}
		}
		args = append(args, from)
	}
	args = append(args, "--", ":/")
	for _, p := range without {
		args = append(args, ":(exclude,literal)"+p)
	}
	out, err := s.git(ctx, nil, args...)
	return string(out), err
}

// belowPrefix is a path from the top of the work tree as one that is relative to the root.
func belowPrefix(prefix, full string) string {
	if rest, ok := strings.CutPrefix(full, prefix); ok {
		return rest
	}
	return strings.Repeat("../", strings.Count(prefix, "/")) + full
}
