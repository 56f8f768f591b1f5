package repomap

import (
	"context"
	"fmt"
	"io"
)

// journalFrom is how many files an index writes a journal of: fewer are sooner read again.
const journalFrom = 16

// startJournal opens the journal for the files that are to be read, or gives nil. Without one an index that is
// interrupted begins again, no more.
func (x *Index) startJournal(files int) *journal {
	kept, ok := x.o.Store.(Journal)
	if !ok || files < journalFrom {
		return nil
	}
	j := &journal{failed: func(err error) {
		if x.o.Note != nil {
			x.o.Note(fmt.Sprintf("write the index's journal: %v", err))
		}
	}}
	var err error
	if j.to, err = kept.Append(); err != nil {
		j.failed(err)
		return nil
	}
	if _, err := j.to.Write(x.journalHeader()); err != nil {
		j.failed(err)
		j.close()
		return nil
	}
	return j
}

// resume takes over what journals know of stale files, and gives those that none of them knows.
func (x *Index) resume(ctx context.Context, stale []File) (unknown []File, err error) {
	kept, ok := x.o.Store.(Journal)
	if !ok || len(stale) < journalFrom {
		return stale, nil
	}
	wanted := make(map[string]string, len(stale))
	for _, f := range stale {
		wanted[f.Path] = f.ID
	}
	in := intake{x: x}
	err = kept.Parts(func(part io.Reader) error {
		return x.replay(part, func(r *record) error {
			if id, ok := wanted[r.path]; ok && id == r.id {
				delete(wanted, r.path)
				in.add(r)
			}
			return ctx.Err()
		})
	})
	in.take()
	if len(wanted) == len(stale) {
		return stale, err
	}
	x.mu.Lock()
	x.publish()
	x.mu.Unlock()
	for _, f := range stale {
		if _, ok := wanted[f.Path]; ok {
			unknown = append(unknown, f)
		}
	}
	return unknown, err
}

// clear removes the journals of what the store's snapshot holds now, and those that earlier processes have left:
// where no snapshot was due, they know of no more files than are read again at each start.
func (x *Index) clear(stale int) {
	kept, ok := x.o.Store.(Journal)
	if ok && (stale >= journalFrom || !x.cleared) {
		kept.Clear()
		x.cleared = true
	}
}
