package repomap

import (
	"slices"
	"strings"

	"coauthor/repomap/record"
)

// ordered are records in order of path: a list that nobody writes to, and those that came since. A growing index
// is published many times; sorting all of its files each time would take as long as reading many of them.
type ordered struct {
	files []*record.Record
	sum   uint64           // listing(files)
	fresh []*record.Record // each takes the place of those before it of the same path
}

func (o *ordered) add(r *record.Record) { o.fresh = append(o.fresh, r) }

// merge brings what came since into the list.
func (o *ordered) merge() {
	if len(o.fresh) == 0 {
		return
	}
	slices.SortStableFunc(o.fresh, func(a, b *record.Record) int { return strings.Compare(a.Path, b.Path) })
	files := make([]*record.Record, 0, len(o.files)+len(o.fresh))
	rest := o.files
	for i, r := range o.fresh {
		if i+1 < len(o.fresh) && o.fresh[i+1].Path == r.Path {
			continue // the next one came later
		}
		at, found := findPath(rest, r.Path)
		files = append(append(files, rest[:at]...), r)
		if found {
			at++
		} else {
			o.sum += pathSum(r.Path)
		}
		rest = rest[at:]
	}
	o.files, o.fresh = append(files, rest...), nil
}

// find gives the record of a path, or nil.
func (o *ordered) find(path string) *record.Record {
	o.merge()
	if at, found := findPath(o.files, path); found {
		return o.files[at]
	}
	return nil
}

// follow drops what a listing does not name, and says how much that was. It gives what must be read: files that are not
// in the list, or are there as they were.
func (o *ordered) follow(listed []File) (stale []File, gone int) {
	o.merge()
	kept, left := make([]*record.Record, 0, len(o.files)), o.files
	for _, f := range listed {
		for len(left) > 0 && left[0].Path < f.Path {
			left = o.drop(left)
		}
		if len(left) == 0 || left[0].Path != f.Path {
			stale = append(stale, f)
			continue
		}
		if left[0].ID != f.ID {
			stale = append(stale, f)
		}
		kept, left = append(kept, left[0]), left[1:]
	}
	for len(left) > 0 {
		left = o.drop(left)
	}
	if gone = len(o.files) - len(kept); gone > 0 {
		o.files = kept
	}
	return stale, gone
}

func (o *ordered) drop(left []*record.Record) []*record.Record {
	o.sum -= pathSum(left[0].Path)
	return left[1:]
}
