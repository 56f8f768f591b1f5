package tool

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Sizes of what tree shows.
const (
	mostFoldersShown = 100
	mostKinds        = 2 // of files, by their endings
)

// folder is what lies below a folder.
type folder struct {
	files int
	kinds map[string]int // by their endings
	level int            // below the one that is asked for, from 1
}

// tree shows the folders below a folder, as deep as there is room for.
func (l *looking) tree(a Args) error {
	where, files, err := l.inFolder(a)
	if err != nil {
		return err
	}
	folders, levels := folders(files, where)
	deepest := max(a.number("depth", 0), 0)
	if deepest == 0 {
		deepest = deepestIn(levels, l.o.half(mostFoldersShown))
	}
	names := slices.Sorted(maps.Keys(folders))
	slices.SortFunc(names, byParts)
	shown, all := 0, 0
	for _, name := range names {
		f := folders[name]
		if f.level > deepest {
			continue
		}
		all++
		base := path.Base(name) + "/"
		if f.level == 0 {
			base = "."
			if where != "" {
				base = where + "/"
			}
		}
		line := fmt.Sprintf("%s%s %s", strings.Repeat("  ", f.level), base, f)
		if l.page.full(line) || shown == 2*mostFoldersShown {
			continue
		}
		l.page.say("%s\n", line)
		shown++
	}
	l.page.finish("%d of %s.", shown, count(len(folders), "folder"))
	if deepest < len(levels)-1 && shown == all {
		l.page.end += fmt.Sprintf(" Those below level %d are not shown: name one as the path to see what is below it.", deepest)
	} else if shown < all {
		l.page.end += " Name one of them as the path, or a smaller depth, to see the others."
	}
	return nil
}

// folders are all folders below one, and itself, and how many of them lie on which level.
func folders(files []string, where string) (by map[string]*folder, levels []int) {
	by = map[string]*folder{where: {kinds: map[string]int{}}}
	for _, f := range files {
		level, rest := 0, strings.TrimPrefix(strings.TrimPrefix(f, where), "/")
		for at := where; ; level++ {
			one := by[at]
			if one == nil {
				one = &folder{kinds: map[string]int{}, level: level}
				by[at] = one
			}
			one.files++
			one.kinds[path.Ext(f)]++
			name, more, inside := strings.Cut(rest, "/")
			if !inside {
				break
			}
			at, rest = path.Join(at, name), more
		}
	}
	for _, f := range by {
		for len(levels) <= f.level {
			levels = append(levels, 0)
		}
		levels[f.level]++
	}
	return by, levels
}

// deepestIn is the level down to which so many folders lie, at least the first.
func deepestIn(levels []int, most int) int {
	sum := 0
	for level, n := range levels {
		if sum += n; sum > most && level > 1 {
			return level - 1
		}
	}
	return max(len(levels)-1, 1)
}

// byParts orders paths so that what lies in a folder follows it.
func byParts(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}

// String tells how many files there are and what most of them are.
func (f *folder) String() string {
	kinds := slices.SortedFunc(maps.Keys(f.kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.kinds[b], f.kinds[a]), strings.Compare(a, b))
	})
	var said []string
	for _, kind := range kinds[:min(len(kinds), mostKinds)] {
		if kind != "" {
			said = append(said, fmt.Sprintf("%d %s", f.kinds[kind], kind))
		}
	}
	if len(said) == 0 {
		return count(f.files, "file")
	}
	return fmt.Sprintf("%s (%s)", count(f.files, "file"), strings.Join(said, ", "))
}
