package workspace

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// What Below looks at: whoever keeps more than that in such a folder did not write it by hand.
const (
	belowDepth   = 8
	belowEntries = 4096
)

// Below lists the files on disk below a folder whose names end in suffix, sorted. It asks the door nothing:
// what is done with a file still passes Check. It looks through no symbolic link to a folder but the given
// one, and at 4096 entries at most. A folder that is not there, or cannot be listed, holds nothing.
func (d *Door) Below(ctx context.Context, folder, suffix string) []string {
	clean, err := cleanPath(folder)
	if err != nil || d.w.fs == nil {
		return nil
	}
	list, err := await(ctx, func() []string {
		l := below{d: d, ctx: ctx, suffix: suffix, left: belowEntries}
		l.walk(clean, belowDepth)
		return l.found
	})
	if err != nil {
		return nil
	}
	slices.Sort(list)
	return list
}

// Listed says whether the disk lists something by this name: a file, or what Check then refuses, such as a
// folder or a link that leads out.
func (d *Door) Listed(path string) bool {
	clean, err := cleanPath(path)
	if err != nil || d.w.fs == nil {
		return false
	}
	_, err = d.w.fs.Lstat(clean)
	return err == nil
}

// below is a listing in the making.
type below struct {
	d      *Door
	ctx    context.Context
	suffix string
	left   int // entries that may still be looked at
	found  []string
}

func (b *below) walk(folder string, depth int) {
	entries, err := through(b.d.w.fs, func(r *os.Root) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS(), folder) })
	if err != nil {
		return
	}
	for _, e := range entries {
		if b.left--; b.left < 0 || b.ctx.Err() != nil {
			return
		}
		name := path.Join(folder, e.Name())
		switch {
		case e.IsDir():
			if depth > 1 {
				b.walk(name, depth-1)
			}
		case strings.HasSuffix(e.Name(), b.suffix):
			b.found = append(b.found, name)
		}
	}
}
