package mapper

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// mostFolders is how many bytes a listing of folders takes at most, some 400 tokens.
const mostFolders = 1600

// drawnFolders is the listing of folders that was made last.
type drawnFolders struct {
	listing uint64 // of the index, when it was made
	text    string
	shown   []string // a file in each of the folders
}

// Folders lists the folders of the root with how many files lie in and below each: the same text for the same files, "" where
// there are none. It knows what the map knows, so a file that git ignores or that may not be sent counts in none of them.
// listing is the map's: as long as no file comes or goes, and a file of each shown folder may be sent, the last one holds. Until
// the index hears of a new rule, files that may not be sent any more can still be counted in a folder that is shown.
func (k *Mapper) Folders(ctx context.Context, listing uint64) string {
	n, ok := k.Namer()
	if !ok {
		return ""
	}
	k.mu.Lock()
	last := k.folders
	k.mu.Unlock()
	if last.text != "" && last.listing == listing && len(k.ws.Door().Withheld(ctx, last.shown)) == 0 {
		return last.text
	}
	sendable := k.ws.Door().Lister(ctx)
	root := &folder{name: "./"}
	n.EachPath(func(path string) bool {
		if sendable(path) && !strings.ContainsAny(path, "\u2028\u2029") {
			root.enter(path)
		}
		return ctx.Err() == nil
	})
	if len(root.below) == 0 || ctx.Err() != nil {
		return ""
	}
	root.unfold(mostFolders)
	var b strings.Builder
	next := drawnFolders{listing: listing}
	root.write(&b, &next.shown)
	next.text = b.String()
	k.mu.Lock()
	k.folders = next
	k.mu.Unlock()
	return next.text
}

// folder is a folder of a listing.
type folder struct {
	path  string // with a slash at the end; "" is the root
	name  string // the end of it that is shown, with a slash
	level int    // how deep it is shown
	files int    // in it and below it
	code  int    // of them program text that is no test: what a request is about most often
	own   int    // of them in the folder itself
	below map[string]*folder
	open  bool   // those below it are shown
	file  string // the first one in it or below it
}

// enter counts a file.
func (f *folder) enter(path string) {
	code := 0
	if repomap.Rank(path, syntax.Code(path)) == 0 {
		code = 1
	}
	for rest := path; ; {
		f.files, f.code = f.files+1, f.code+code
		if f.file == "" {
			f.file = strings.Clone(path) // it lies in memory of the index
		}
		name, after, inside := strings.Cut(rest, "/")
		if !inside {
			f.own++
			return
		}
		if f.below == nil {
			f.below = map[string]*folder{}
		}
		next := f.below[name]
		if next == nil {
			name = strings.Clone(name) // it lies in memory of the index
			next = &folder{path: f.path + name + "/", name: name + "/"}
			f.below[name] = next
		}
		f, rest = next, after
	}
}

// unfold opens folders as far as there is room, those with the most code first.
func (f *folder) unfold(room int) {
	waiting := []*folder{f}
	for len(waiting) > 0 {
		slices.SortFunc(waiting, func(a, b *folder) int {
			return cmp.Or(cmp.Compare(b.code, a.code), cmp.Compare(b.files, a.files), strings.Compare(a.path, b.path))
		})
		next := waiting[0]
		waiting = waiting[1:]
		size := 0
		below := next.shown()
		for _, one := range below {
			size += len(one.line())
		}
		if next.open = size <= room; next.open {
			room -= size
			waiting = append(waiting, below...)
		}
	}
}

// shown are the folders below one as they are shown, by name: where a folder has nothing but another one, both in one line.
func (f *folder) shown() (list []*folder) {
	for _, key := range slices.Sorted(maps.Keys(f.below)) {
		one := f.below[key]
		for one.own == 0 && len(one.below) == 1 {
			for _, inner := range one.below {
				inner.name = one.name + inner.name
				one = inner
			}
		}
		one.level = f.level + 1
		f.below[key] = one
		list = append(list, one)
	}
	return list
}

// line is the line of a folder; of one whose folders are not shown it says how many there are.
func (f *folder) line() string {
	more := ""
	switch n := f.folders(); {
	case f.open || n == 0:
	case n == 1:
		more = " (1 folder)"
	default:
		more = fmt.Sprintf(" (%d folders)", n)
	}
	return fmt.Sprintf("%s%s %d%s\n", strings.Repeat(" ", f.level), f.name, f.files, more)
}

// folders counts those below a folder.
func (f *folder) folders() int {
	n := len(f.below)
	for _, one := range f.below {
		n += one.folders()
	}
	return n
}

// write writes the lines of a folder and of those below it that are shown, and adds a file of each.
func (f *folder) write(b *strings.Builder, shown *[]string) {
	b.WriteString(f.line())
	*shown = append(*shown, f.file)
	if !f.open {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(f.below)) {
		f.below[key].write(b, shown)
	}
}
