package repomap

import (
	"fmt"

	"coauthor/repomap/store"
)

const (
	spillAt    = 16 << 20 // bytes of new records that go to the store's memory in one piece
	spillLeast = 1 << 20  // fewer stay on the heap
)

// size is what the lists of a record take.
func (r *record) size() int {
	return 4*len(r.terms) + len(r.counts) + store.Size[definition]()*len(r.defs) + 4*len(r.more) + 2*len(r.body) +
		4*len(r.bodyEnd) + len(r.signatures)
}

// spill moves the lists of records, which nobody else knows yet, out of the heap, where that is
// possible and worth it, and says whether it did. While Linux's sources are indexed, server and workers take 640 MB at
// most so, and 940 MB without it.
func (x *Index) spill(batch []*record) bool {
	pager, ok := x.o.Store.(Pager)
	if !ok {
		return false
	}
	total := 0
	for _, r := range batch {
		total += r.size() + 7*8
	}
	if total < spillLeast {
		return false
	}
	buf := make([]byte, 0, total)
	for _, r := range batch {
		buf = stow(buf, r.terms)
		buf = stow(buf, r.counts)
		buf = stow(buf, r.defs)
		buf = stow(buf, r.more)
		buf = stow(buf, r.body)
		buf = stow(buf, r.bodyEnd)
		buf = append(buf, r.signatures...)
		buf = append(buf, make([]byte, -len(buf)&7)...)
	}
	kept, free, err := pager.Spill(buf)
	if err != nil || len(kept) != len(buf) {
		if x.o.Note != nil {
			x.o.Note(fmt.Sprintf("keep the index in memory: %v", err))
		}
		return false
	}
	owner := store.Lend(free)
	for _, r := range batch {
		r.owner = owner
		kept = fetch(kept, &r.terms)
		kept = fetch(kept, &r.counts)
		kept = fetch(kept, &r.defs)
		kept = fetch(kept, &r.more)
		kept = fetch(kept, &r.body)
		kept = fetch(kept, &r.bodyEnd)
		n := len(r.signatures)
		r.signatures = store.Text(kept[:n])
		kept = kept[n+-n&7:]
	}
	return true
}

func stow[T flat](buf []byte, list []T) []byte {
	buf = append(buf, store.Bytes(list)...)
	return append(buf, make([]byte, -len(buf)&7)...)
}

func fetch[T flat](from []byte, list *[]T) []byte {
	n := len(store.Bytes(*list))
	if kept, ok := store.List[T](from[:n]); ok {
		*list = kept
	}
	return from[n+-n&7:]
}
