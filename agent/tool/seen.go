package tool

import (
	"maps"
	"slices"

	"coauthor/edits"
)

// Seen is what tools showed the model in a turn, by file. It is not changed: With makes another one.
type Seen map[string]seenLines

// seenLines are the lines of a file that were shown.
type seenLines struct {
	lines map[int]bool
	of    int
}

// With returns what was seen with more lines.
func (s Seen) With(list []Shown) Seen {
	if len(list) == 0 {
		return s
	}
	all := Seen{}
	maps.Copy(all, s)
	for _, one := range list {
		lines := map[int]bool{}
		for n := range all[one.Path].lines {
			lines[n] = true
		}
		for n := one.First; n <= one.Last && one.First > 0; n++ {
			lines[n] = true
		}
		all[one.Path] = seenLines{lines, one.Of}
	}
	return all
}

// Files are the files of which something was seen, sorted.
func (s Seen) Files() []string { return slices.Sorted(maps.Keys(s)) }

// Without leaves out the files of which something was seen.
func (s Seen) Without(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { _, ok := s[path]; return ok })
}

// Enough says whether the model has seen what it has to know of a file for these edits of it: some of it, and all of it
// before it writes the whole file again.
func (s Seen) Enough(path string, list []edits.Edit) bool {
	f, ok := s[path]
	if !ok {
		return false
	}
	whole := slices.ContainsFunc(list, func(e edits.Edit) bool { return e.Path == path && e.Kind == edits.KindWhole })
	return len(f.lines) >= f.of || !whole
}
