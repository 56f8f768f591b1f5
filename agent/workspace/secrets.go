package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Folders of packages that were installed, of version control and of our own: what lies there is nobody's secret, or is needed
// as it is. Certificates of packages have names of secrets.
var withoutSecrets = []string{"node_modules", "bower_components", "site-packages", "dist-packages", "__pypackages__", ".git", ".hg", ".svn", ".jj", stateDir}

// Secrets lists the files of a folder on disk that the deny list names, whether git knows them or not: their paths are
// relative to it, with slashes, and sorted. The folder is the root, or another one by its path on this machine. No file is
// opened, and no link to a folder is followed.
func (s *Snapshot) Secrets(ctx context.Context, dir string) ([]string, error) {
	policy, err := s.base.w.policy(ctx)
	if err != nil {
		return nil, fmt.Errorf("search for files that may contain secrets: %w", err)
	}
	var list []string
	var visit func(rel string) error
	visit = func(rel string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := os.Open(filepath.Join(dir, filepath.FromSlash(rel)))
		if err != nil {
			return nil //nolint:nilerr // who cannot open it here cannot elsewhere
		}
		entries, err := f.ReadDir(-1)
		_ = f.Close()
		if err != nil {
			return nil //nolint:nilerr // the same
		}
		for _, e := range entries {
			name := path.Join(rel, e.Name())
			switch kind := e.Type(); {
			case slices.Contains(withoutSecrets, e.Name()): // of a worktree .git is a file
			case kind.IsDir():
				if err := visit(name); err != nil {
					return err
				}
			case (kind.IsRegular() || kind&fs.ModeSymlink != 0) && policy.rules.deny.match(name) != "":
				if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !info.IsDir() {
					list = append(list, name)
				}
			}
		}
		return nil
	}
	if err := visit(""); err != nil {
		return nil, err
	}
	if dir == s.Root() {
		for name := range s.base.open { // also one that was never saved
			if policy.rules.deny.match(name) != "" {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
