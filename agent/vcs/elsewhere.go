package vcs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Elsewhere says which other repository a file belongs to, such as "the submodule lib"; "" for that of the root.
func (s *Staged) Elsewhere(ctx context.Context, name string) (string, error) {
	return elsewhere(ctx, s.root, name)
}

func elsewhere(ctx context.Context, root, name string) (string, error) {
	dir := filepath.Join(root, filepath.FromSlash(path.Dir(name)))
	for dir != root { // a folder that is gone has no repository of its own any more
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		dir = filepath.Dir(dir)
	}
	if dir == root {
		return "", nil
	}
	mine, err := output(ctx, root, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	its, err := output(ctx, dir, nil, "rev-parse", "--show-toplevel", "--show-superproject-working-tree")
	top, over, _ := bytes.Cut(its, []byte("\n"))
	if err != nil || bytes.Equal(bytes.TrimSuffix(mine, []byte("\n")), top) {
		return "", nil //nolint:nilerr // a repository that git cannot read has no files of its own
	}
	shown := filepath.FromSlash(string(top))
	if real, err := filepath.EvalSymlinks(root); err == nil {
		if below, err := filepath.Rel(real, shown); err == nil && filepath.IsLocal(below) {
			shown = filepath.ToSlash(below)
		}
	}
	if strings.TrimSpace(string(over)) != "" {
		return "the submodule " + shown, nil
	}
	return fmt.Sprintf("another git repository, %s", shown), nil
}
