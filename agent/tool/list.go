package tool

import (
	"fmt"
	"path"
	"strings"
)

// mostEntries is how many entries list shows at once.
const mostEntries = 100

// inFolder is the folder that a call names, and the files below it.
func (l *looking) inFolder(a Args) (where string, files []string, err error) {
	where = strings.Trim(path.Clean("/"+strings.TrimSpace(a.text("path"))), "/")
	if files, err = l.scope.below(where); err != nil {
		return where, nil, err
	}
	if len(files) == 1 && files[0] == where {
		return where, nil, refuse("%s is a file. Next: %s.", where, next(Read, "path", where))
	}
	return where, files, nil
}

// list shows files and folders below a folder.
func (l *looking) list(a Args) error {
	where, files, err := l.inFolder(a)
	if err != nil {
		return err
	}
	depth, offset, page := max(a.number("depth", 2), 1), max(a.number("offset", 0), 0), l.o.half(mostEntries)
	var entries []string
	counts := map[string]int{}
	for _, f := range files {
		rest := strings.TrimPrefix(strings.TrimPrefix(f, where), "/")
		parts := strings.Split(rest, "/")
		for n := 1; n < len(parts) && n <= depth; n++ {
			folder := path.Join(where, strings.Join(parts[:n], "/")) + "/"
			if counts[folder] == 0 {
				entries = append(entries, folder)
			}
			counts[folder]++
		}
		if len(parts) <= depth {
			entries = append(entries, f)
		}
	}
	shown := 0
	for _, e := range entries[min(offset, len(entries)):] {
		if n := counts[e]; n > 0 {
			e = fmt.Sprintf("%s (%s)", e, count(n, "file"))
		}
		if shown == page || l.page.full(e) {
			break
		}
		l.page.say("%s\n", e)
		shown++
	}
	name := where
	if name == "" {
		name = "."
	}
	switch at := offset + shown; {
	case len(entries) == 0:
		l.page.finish("There are no files.")
	case shown == 0:
		l.page.finish("There are only %s; nothing from %d on.", count(len(entries), "entry"), offset)
	case at < len(entries):
		l.page.finish("Entries %d-%d of %d. Next: %s.", offset+1, at, len(entries), next(List, "path", name, "depth", depth, "offset", at))
	default:
		l.page.finish("Entries %d-%d of %d.", offset+1, at, len(entries))
	}
	return nil
}
