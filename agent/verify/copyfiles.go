package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is something of a folder that belongs into its copy.
type entry struct {
	path string // relative, with slashes
	mode fs.FileMode
	size int64
	time time.Time
	meta int64 // the time at which anything of it was changed, where the system tells
}

func entryOf(name string, info fs.FileInfo) entry {
	return entry{path: name, mode: info.Mode(), size: info.Size(), time: info.ModTime(), meta: changeTime(info)}
}

// mostLoose is how long a file may be that no list names, in bytes: generated code is shorter, data and binaries are not.
const mostLoose = 1 << 20

// needed are folders that no list names and that builds need.
var needed = []string{"node_modules", "vendor", "bower_components", "__pypackages__", ".bundle", ".yarn", ".dart_tool", ".svelte-kit", ".nuxt", "deps"}

var errTooLarge = errors.New("the folder is too large to copy")

// entries lists what belongs into the copy of a folder, each folder before what is in it: the files that the list names, small
// ones that it leaves out, as generated code is, and the folders in which packages lie. It leaves out what builds have
// made, which may hold the path of the user's folder and would have the next build write there, and the repository.
func (c *replica) entries(ctx context.Context) ([]entry, error) {
	listed := func(string) bool { return true }
	holds := listed
	if c.list != nil {
		names, err := c.list(ctx, c.root)
		if err != nil {
			return nil, fmt.Errorf("list its files: %w", err)
		}
		files, dirs := make(map[string]bool, len(names)), map[string]bool{}
		for _, name := range names {
			files[name] = true
			for d := path.Dir(name); d != "." && !dirs[d]; d = path.Dir(d) {
				dirs[d] = true
			}
		}
		listed, holds = func(p string) bool { return files[p] }, func(p string) bool { return dirs[p] }
	}
	var list []entry
	var whole []string // folders that are taken as they are
	err := filepath.WalkDir(c.root, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(c.root, name)
		if relErr != nil || rel == "." {
			return errors.Join(err, relErr)
		}
		rel = filepath.ToSlash(rel)
		if err != nil { // it cannot be read, or is gone by now
			return skipped(d)
		}
		for len(whole) > 0 && !strings.HasPrefix(rel, whole[len(whole)-1]+"/") {
			whole = whole[:len(whole)-1]
		}
		base := path.Base(rel)
		if base == ".git" || name == c.skip {
			return skipped(d)
		}
		if d.IsDir() {
			if len(whole) == 0 && !holds(rel) {
				if !slices.Contains(needed, base) && !strings.HasSuffix(base, ".egg-info") && !isVenv(name) {
					return fs.SkipDir
				}
				whole = append(whole, rel)
			}
			if len(whole) > 0 && madeByTools(base) {
				return fs.SkipDir
			}
		}
		info, err := d.Info()
		if err != nil {
			return skipped(d)
		}
		kind := info.Mode().Type()
		if kind != 0 && kind != fs.ModeDir && kind != fs.ModeSymlink || kind == 0 && len(whole) == 0 && !listed(rel) && info.Size() > mostLoose {
			return nil
		}
		list = append(list, entryOf(rel, info))
		return nil
	})
	return list, err
}

// skipped passes over one thing.
func skipped(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// madeByTools says whether a folder among packages holds what tools remember of a run.
func madeByTools(base string) bool {
	return base == ".cache" || base == ".vite" || base == ".vitest" || base == "__pycache__"
}

// isVenv says whether a folder is an environment of Python.
func isVenv(name string) bool {
	_, err := os.Stat(filepath.Join(name, "pyvenv.cfg"))
	return err == nil
}

// mostRewritten is how long a file may be in which the path of the folder is looked for, in bytes.
const mostRewritten = 1 << 18

// tells says whether a file of a Python environment may tell where the folder lies: how its programs are started, and
// which packages of it are used where they are.
func tells(name string) bool {
	dir, base := path.Split(name)
	switch path.Base(path.Clean(dir)) {
	case "bin", "Scripts":
		return strings.Contains(name, "env/") // .venv, venv, env
	}
	return strings.HasSuffix(base, ".pth") || strings.HasSuffix(base, ".egg-link") || strings.HasPrefix(base, "__editable__") || base == "direct_url.json"
}

// moved is a command with the copy in the place of the folder.
func (c *replica) moved(argv Command) Command {
	list := slices.Clone(argv)
	for i, word := range list {
		list[i] = c.into(word)
	}
	return list
}

// into is a path with the copy in the place of the folder; other paths, and what is none, stay.
func (c *replica) into(name string) string {
	if !filepath.IsAbs(name) || !below(c.root, name) {
		return name
	}
	rel, err := filepath.Rel(c.root, name)
	if err != nil {
		return name
	}
	return filepath.Join(c.path(), rel)
}

// leads is where a link of the copy leads: to what it leads to in the folder, and where that is inside of it, to the same
// place in the copy.
func (c *replica) leads(link, target string) string {
	if filepath.IsAbs(target) {
		return c.into(target)
	}
	whole := filepath.Join(c.root, filepath.FromSlash(path.Dir(link)), target)
	if below(c.root, whole) {
		return target
	}
	return whole
}
