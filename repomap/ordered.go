package repomap

import (
	"slices"
	"strings"
)

// ordered are records in order of path: a list that nobody writes to, and those that came since. A growing index
// is published many times; sorting all of its files each time would take as long as reading many of them.
type ordered struct {
	files []*record
	sum   uint64    // listing(files)
	fresh []*record // each takes the place of those before it of the same path
}

func (o *ordered) add(r *record) { o.fresh = append(o.fresh, r) }

// merge brings what came since into the list.
func (o *ordered) merge() {
	if len(o.fresh) == 0 {
		return
	}
	slices.SortStableFunc(o.fresh, func(a, b *record) int { return strings.Compare(a.path, b.path) })
	files := make([]*record, 0, len(o.files)+len(o.fresh))
	rest := o.files
	for i, r := range o.fresh {
		if i+1 < len(o.fresh) && o.fresh[i+1].path == r.path {
			continue // the next one came later
		}
		at, found := findPath(rest, r.path)
		files = append(append(files, rest[:at]...), r)
		if found {
			at++
		} else {
			o.sum += pathSum(r.path)
		}
		rest = rest[at:]
	}
	o.files, o.fresh = append(files, rest...), nil
}

// keep drops the records of all other paths.
func (o *ordered) keep(paths map[string]bool) {
	o.merge()
	files := make([]*record, 0, len(o.files))
	for _, r := range o.files {
		if paths[r.path] {
			files = append(files, r)
		} else {
			o.sum -= pathSum(r.path)
		}
	}
	o.files = files
}
