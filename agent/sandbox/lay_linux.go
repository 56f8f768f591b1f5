package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"coauthor/agent/workspace"
)

// lay writes files into a folder that will lie over the root, in the modes that they have there. A folder of the root that
// comes to hold the same names as before keeps its time, so that what a tool remembers of it is still true.
func lay(root, upper string, laid []workspace.Laid) error {
	times := map[string]bool{".": true} // folders of upper, and whether they hold the names that they do in the root
	for _, l := range laid {
		rel := filepath.FromSlash(resolved(root, l))
		if err := makeParents(root, upper, filepath.Dir(rel)); err != nil {
			return fmt.Errorf("lay out %s: %w", l.Path, err)
		}
		note(times, root, rel, l.Gone)
		name := filepath.Join(upper, rel)
		if l.Gone {
			if err := whiteout(name); err != nil {
				return fmt.Errorf("hide %s: %w", l.Path, err)
			}
			continue
		}
		mode := os.FileMode(0o644)
		if info, err := os.Stat(filepath.Join(root, rel)); err == nil {
			mode = info.Mode().Perm() | 0o600
		}
		if err := os.WriteFile(name, l.Data, mode); err != nil {
			return fmt.Errorf("lay out %s: %w", l.Path, err)
		}
		if err := os.Chmod(name, mode); err != nil { // whatever the umask is
			return fmt.Errorf("lay out %s: %w", l.Path, err)
		}
	}
	for dir, same := range times {
		if same {
			keepTime(filepath.Join(root, dir), filepath.Join(upper, dir))
		}
	}
	return nil
}

// note says of the folders above something that is laid whether their names stay the same.
func note(times map[string]bool, root, rel string, gone bool) {
	for changed := gone; rel != "."; rel = filepath.Dir(rel) {
		if _, err := os.Lstat(filepath.Join(root, rel)); err != nil {
			changed = true // it is new there
		}
		dir := filepath.Dir(rel)
		before, known := times[dir]
		times[dir] = (before || !known) && !changed
		changed = false
	}
}

// keepTime gives a folder that lies over another one its time. Without it, a tool takes the folder for changed.
func keepTime(from, to string) {
	if info, err := os.Stat(from); err == nil {
		_ = os.Chtimes(to, time.Time{}, info.ModTime())
	}
}

func makeParents(root, upper, dir string) error {
	if dir == "." || dir == "" {
		return nil
	}
	if err := makeParents(root, upper, filepath.Dir(dir)); err != nil {
		return err
	}
	mode := os.FileMode(0o755)
	if info, err := os.Stat(filepath.Join(root, dir)); err == nil && info.IsDir() {
		mode = info.Mode().Perm() | 0o700
	}
	err := os.Mkdir(filepath.Join(upper, dir), mode)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

// whiteout hides a file of the folder below.
func whiteout(name string) error {
	_ = os.Remove(name)
	return unix.Mknod(name, unix.S_IFCHR, 0)
}
