package vcs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// WorkDiff is what the work tree below a root has different from a commit, new files that git does not ignore
// included. Programs that the repository names, such as filters, are not run for it.
type WorkDiff struct {
	root, from string
	env        []string
	dir        string // of an index that git may write to
}

// OpenDiff begins a comparison with a commit; "" is the empty tree. Close ends it.
func OpenDiff(ctx context.Context, root, from string) (*WorkDiff, error) {
	place, err := Where(ctx, root)
	if err != nil {
		return nil, err
	}
	if from == "" {
		out, err := output(ctx, root, strings.NewReader(""), "hash-object", "-t", "tree", "-w", "--stdin")
		if err != nil {
			return nil, err
		}
		from = strings.TrimSpace(string(out))
	}
	env, err := noFilters(ctx, root)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "coauthor-diff-")
	if err != nil {
		return nil, fmt.Errorf("compare with git: %w", err)
	}
	d := &WorkDiff{root: root, from: from, dir: dir, env: append(env, "GIT_INDEX_FILE="+filepath.Join(dir, "index"))}
	err = copyIndex(place.GitDir, dir)
	if err == nil {
		_, err = outputWith(ctx, root, d.env, nil, "add", "--intent-to-add", "--", ".")
	}
	if err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

// Close drops what the comparison needed.
func (d *WorkDiff) Close() error { return os.RemoveAll(d.dir) }

// Paths lists the files that differ, relative to the root.
func (d *WorkDiff) Paths(ctx context.Context) ([]string, error) {
	out, err := d.diff(ctx, []string{"--name-only", "-z"}, nil)
	return fields(out), err
}

// Text is the difference, without these files, with so many lines around each place.
func (d *WorkDiff) Text(ctx context.Context, without []string, around int) (string, error) {
	out, err := d.diff(ctx, []string{"--unified=" + strconv.Itoa(around)}, without)
	return string(out), err
}

func (d *WorkDiff) diff(ctx context.Context, how, without []string) ([]byte, error) {
	args := append([]string{"diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all", "--relative"}, how...)
	args = append(args, d.from, "--", ".")
	for _, p := range without {
		args = append(args, ":(exclude,literal)"+p)
	}
	return outputWith(ctx, d.root, d.env, nil, args...)
}

// CommitOf finds the commit of a branch, a tag or another name. ok is false where there is none.
func CommitOf(ctx context.Context, root, name string) (hash string, ok bool, err error) {
	if name == "" || strings.HasPrefix(name, "-") { // which git would take for an option
		return "", false, nil
	}
	out, err := output(ctx, root, nil, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	if none := (*failure)(nil); errors.As(err, &none) {
		return "", false, nil
	}
	hash = strings.TrimSpace(string(out))
	return hash, err == nil && hash != "", err
}

// Forked is the commit at which two branches parted; "" where they have nothing in common.
func Forked(ctx context.Context, root, one, other string) (string, error) {
	out, err := output(ctx, root, nil, "merge-base", one, other)
	if none := (*failure)(nil); errors.As(err, &none) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// Parent is the first parent of a commit; "" where it has none.
func Parent(ctx context.Context, root, commit string) (string, error) {
	hash, _, err := CommitOf(ctx, root, commit+"^1")
	return hash, err
}

// copyIndex puts a copy of a repository's index into a folder: git has noted in it which files it need not read again.
// The copy has the time of the index: a file that was written since that time may have changed without a sign of it.
func copyIndex(gitDir, dir string) error {
	from, err := os.Open(filepath.Join(gitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read git's index: %w", err)
	}
	defer func() { _ = from.Close() }() // only read
	info, err := from.Stat()
	if err != nil {
		return fmt.Errorf("read git's index: %w", err)
	}
	to, err := os.Create(filepath.Join(dir, "index"))
	if err != nil {
		return fmt.Errorf("copy git's index: %w", err)
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err == nil {
		err = os.Chtimes(to.Name(), info.ModTime(), info.ModTime())
	}
	if err != nil {
		return fmt.Errorf("copy git's index: %w", err)
	}
	return nil
}
