package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	mark mark
	// meddled: in the folder it is as it was when it was copied, and in the copy a command has changed it.
	meddled bool
	loose   bool // the list does not name it, as is so for what builds have left among the sources
}

func entryOf(name string, info fs.FileInfo) entry {
	return entry{path: name, mode: info.Mode(), size: info.Size(), time: info.ModTime(), mark: markOf(info)}
}

// mostLoose is how long a file may be that no list fileNames, in bytes: generated code is shorter, data and binaries are not.
const mostLoose = 1 << 20

// needed are folders that no list names and that builds need.
var needed = []string{"node_modules", "vendor", "bower_components", "__pypackages__", ".bundle", ".yarn", ".dart_tool", ".svelte-kit", ".nuxt", "deps"}

var errTooLarge = errors.New("the folder is too large to copy")

// fileNames are the files that a list fileNames, in order. nil is every file.
type fileNames []string

// holds says whether a folder holds one of them.
func (n fileNames) holds(dir string) bool {
	if n == nil {
		return true
	}
	at, _ := slices.BinarySearch(n, dir+"/")
	return at < len(n) && strings.HasPrefix(n[at], dir+"/")
}

// has says whether a file is one of them.
func (n fileNames) has(file string) bool {
	if n == nil {
		return true
	}
	_, ok := slices.BinarySearch(n, file)
	return ok
}

// named asks for the names of the files that belong to the folder.
func (c *replica) named(ctx context.Context) (fileNames, error) {
	if c.list == nil {
		return nil, nil
	}
	list, err := c.list(ctx, c.root)
	if err != nil {
		return nil, fmt.Errorf("list its files: %w", err)
	}
	if list == nil {
		list = []string{}
	}
	if !slices.IsSorted(list) {
		list = slices.Sorted(slices.Values(list))
	}
	return list, nil
}

// belongs says whether something that lies in a folder is part of the copy: the files that the list fileNames, small ones that it
// leaves out, as generated code is, and the folders in which packages lie. What builds have made is none, which may hold the
// path of the user's folder and would have the next build write there, nor is the repository. whole says of a folder that
// everything in it is taken, whatever the list says, as is so for what lies in a folder that is.
func (c *replica) belongs(list fileNames, dir string, info fs.FileInfo, inWhole bool) (yes, whole bool) {
	base := info.Name()
	kind := info.Mode().Type()
	switch {
	case base == ".git":
		return false, false
	case kind == fs.ModeSymlink:
		return true, false
	case kind == 0:
		return inWhole || info.Size() <= mostLoose || list.has(inside(dir, base)), false
	case kind != fs.ModeDir:
		return false, false
	}
	name := inside(dir, base)
	whole = inWhole
	if !whole && !list.holds(name) {
		if !slices.Contains(needed, base) && !strings.HasSuffix(base, ".egg-info") && !c.isVenv(name) {
			return false, false
		}
		whole = true
	}
	return name != c.skip && (!whole || !madeByTools(base)), whole
}

// inside is the path of something in a folder of the copy.
func inside(dir, base string) string {
	if dir == "." {
		return base
	}
	return dir + "/" + base
}

// madeByTools says whether a folder among packages holds what tools remember of a run.
func madeByTools(base string) bool {
	return base == ".cache" || base == ".vite" || base == ".vitest" || base == "__pycache__"
}

// isVenv says whether a folder is an environment of Python.
func (c *replica) isVenv(name string) bool {
	_, err := c.from.Lstat(inside(name, "pyvenv.cfg"))
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
func (c *replica) moved(argv []string) []string {
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
