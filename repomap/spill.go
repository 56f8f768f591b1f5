package repomap

import (
	"coauthor/repomap/record"
	"coauthor/repomap/store"
)

const (
	spillAt    = 16 << 20 // bytes of new records that go to the store's memory in one piece
	spillLeast = 1 << 20  // fewer stay on the heap
)

// spill moves the lists of records, which nobody else knows yet, out of the heap, where that is
// possible and worth it, and says whether it did. While Linux's sources are indexed, server and workers take 640 MB at
// most so, and 940 MB without it.
func (k *storage) spill(batch []*record.Record) bool {
	pager, ok := k.store.(Pager)
	if !ok {
		return false
	}
	total := 0
	for _, r := range batch {
		total += r.Size() + 7*8
	}
	if total < spillLeast {
		return false
	}
	buf := make([]byte, 0, total)
	for _, r := range batch {
		buf = stow(buf, r.Terms)
		buf = stow(buf, r.Counts)
		buf = stow(buf, r.Defs)
		buf = stow(buf, r.More)
		buf = stow(buf, r.Body)
		buf = stow(buf, r.BodyEnd)
		buf = append(buf, r.Signatures...)
		buf = append(buf, make([]byte, -len(buf)&7)...)
	}
	kept, free, err := pager.Spill(buf)
	if err != nil || len(kept) != len(buf) {
		k.say("keep the index in memory", err)
		return false
	}
	owner := store.Lend(free)
	for _, r := range batch {
		r.Owner = owner
		kept = fetch(kept, &r.Terms)
		kept = fetch(kept, &r.Counts)
		kept = fetch(kept, &r.Defs)
		kept = fetch(kept, &r.More)
		kept = fetch(kept, &r.Body)
		kept = fetch(kept, &r.BodyEnd)
		n := len(r.Signatures)
		r.Signatures = store.Text(kept[:n])
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
