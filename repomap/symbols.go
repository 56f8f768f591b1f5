package repomap

import (
	"slices"
	"sync"

	"coauthor/repomap/store"
)

// symbols numbers strings. Numbers are given in order of arrival, so nothing that a user sees may
// depend on them. It is safe for concurrent use; a view stays valid while others add.
type symbols struct {
	mu    sync.Mutex
	view  symbolView // guarded by mu; its slices only grow
	table []uint32   // of the strings after the base: number in view+1, or 0; guarded by mu
	parts *symbols   // the stems; nil in the table of stems itself

	touched byte // see touch; guarded by mu
}

// symbolView is what a reader keeps: the strings up to a point in time. The first ones may lie in a
// loaded snapshot, which is never copied.
type symbolView struct {
	base  symbolList
	added symbolPieces
	table []uint32    // of the base, from the snapshot
	owner *store.Lent // of the base's memory
}

// symbolList is a run of numbered strings.
type symbolList struct {
	blob    []byte
	ends    []uint32 // end of each string in blob
	stems   []uint32 // numbers in the table of stems
	stemEnd []uint32 // end of each string's stems
}

// symbolPieces are runs of pieceSize strings and one that grows. One list of millions would be copied each time it grows,
// while all that has been read of a tree so far is in memory.
type symbolPieces struct {
	full []symbolList
	last symbolList
}

const (
	pieceBits = 16
	pieceSize = 1 << pieceBits
)

func newSymbols() *symbols { return &symbols{parts: &symbols{}} }

func (v *symbolView) len() int { return len(v.base.ends) + v.added.len() }

func (v *symbolView) bytes(n uint32) []byte {
	if k := uint32(len(v.base.ends)); n >= k {
		return v.added.bytes(n - k)
	}
	return v.base.bytes(n)
}

func (l *symbolList) bytes(n uint32) []byte {
	start := uint32(0)
	if n > 0 {
		start = l.ends[n-1]
	}
	return l.blob[start:l.ends[n]]
}

func (v *symbolView) string(n uint32) string { return string(v.bytes(n)) }

func (v *symbolView) stemsOf(n uint32) []uint32 {
	if k := uint32(len(v.base.ends)); n >= k {
		list, at := v.added.of(n - k)
		return list.stemsOf(at)
	}
	return v.base.stemsOf(n)
}

func (l *symbolList) stemsOf(n uint32) []uint32 {
	start := uint32(0)
	if n > 0 {
		start = l.stemEnd[n-1]
	}
	return l.stems[start:l.stemEnd[n]]
}

func (p *symbolPieces) len() int { return len(p.full)<<pieceBits + len(p.last.ends) }

// of gives the piece that has a string, and its place there.
func (p *symbolPieces) of(n uint32) (list *symbolList, at uint32) {
	if k := int(n >> pieceBits); k < len(p.full) {
		return &p.full[k], n & (pieceSize - 1)
	}
	return &p.last, n & (pieceSize - 1)
}

func (p *symbolPieces) bytes(n uint32) []byte {
	list, at := p.of(n)
	return list.bytes(at)
}

// each calls f with all pieces, in order, and the number of the first string of each.
func (p *symbolPieces) each(f func(list *symbolList, first int)) {
	for k := range p.full {
		f(&p.full[k], k<<pieceBits)
	}
	f(&p.last, len(p.full)<<pieceBits)
}

// begin begins another piece where the last one is full. Views that have the last one keep it as it is.
func (p *symbolPieces) begin() {
	if l := &p.last; len(l.ends) == pieceSize {
		p.full = append(p.full, symbolList{blob: slices.Clone(l.blob), ends: slices.Clone(l.ends),
			stems: slices.Clone(l.stems), stemEnd: slices.Clone(l.stemEnd)}) // without the room to grow
		p.last = symbolList{}
	}
}

// snapshot gives the strings known now, and their stems.
func (s *symbols) snapshot() (names, stems symbolView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts.mu.Lock()
	defer s.parts.mu.Unlock()
	return s.view, s.parts.view
}

// find gives the number of a string, if it has one. It looks at every string that the snapshot lacks.
func (v *symbolView) find(text string) (uint32, bool) {
	if n := probe(v.table, &v.base, text, hashString(text)); n > 0 {
		return n - 1, true
	}
	for n := range uint32(v.added.len()) {
		if string(v.added.bytes(n)) == text {
			return n + uint32(len(v.base.ends)), true
		}
	}
	return 0, false
}

// findAll fills in the numbers of the strings that have one.
func (v *symbolView) findAll(list map[string]uint32) {
	for text := range list {
		if n := probe(v.table, &v.base, text, hashString(text)); n > 0 {
			list[text] = n - 1
		}
	}
	if len(list) == 0 {
		return
	}
	for n := range uint32(v.added.len()) {
		if _, ok := list[string(v.added.bytes(n))]; ok {
			list[string(v.added.bytes(n))] = n + uint32(len(v.base.ends))
		}
	}
}

// aheadBy is how many strings are looked for beside each other.
const aheadBy = 16

// addAll numbers all of list under one lock.
func (s *symbols) addAll(list []string, out []uint32) []uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var hashes [aheadBy]uint32
	for len(list) > 0 {
		some := list[:min(len(list), aheadBy)]
		list = list[len(some):]
		for i, text := range some {
			hashes[i] = hashString(text)
		}
		s.touch(hashes[:len(some)])
		for i, text := range some {
			out = append(out, s.add(text, hashes[i]))
		}
	}
	return out
}

// touch reads what add will read, for many hashes: places of a large table are far away in memory, and a processor
// fetches several of them in the time of one when none depends on another. It is called with mu held.
func (s *symbols) touch(hashes []uint32) {
	var found [aheadBy]uint32
	v := &s.view.added
	if len(s.table) == 0 {
		return
	}
	mask := uint32(len(s.table) - 1)
	for i, h := range hashes {
		found[i] = s.table[h&mask]
	}
	sum := byte(0)
	for i, h := range hashes {
		if e := found[i]; e != 0 && (e^h)&^mask == 0 {
			if text := v.bytes(e&mask - 1); len(text) > 0 {
				sum += text[0]
			}
		}
	}
	s.touched += sum // or a compiler would see that nothing comes of it
}

// add numbers a string of which it is given the hash. It is called with mu held.
func (s *symbols) add(text string, h uint32) uint32 {
	if n := probe(s.view.table, &s.view.base, text, h); n > 0 {
		return n - 1
	}
	added := &s.view.added
	base := uint32(len(s.view.base.ends))
	if n := probe(s.table, added, text, h); n > 0 {
		return n - 1 + base
	}
	added.begin()
	n, v := uint32(added.len()), &added.last
	v.blob = append(v.blob, text...)
	v.ends = append(v.ends, uint32(len(v.blob)))
	if 4*added.len() > 3*len(s.table) {
		s.table = hashTable(added.len(), added.bytes)
	} else {
		enter(s.table, h, n)
	}
	if s.parts != nil {
		s.parts.mu.Lock()
		stems(text, func(stem string) { v.stems = append(v.stems, s.parts.add(stem, hashString(stem))) })
		s.parts.mu.Unlock()
		v.stemEnd = append(v.stemEnd, uint32(len(v.stems)))
	}
	return n + base
}

// A table of strings has open addressing and is at most three quarters full. Of an entry the bits that count the
// slots are one more than the number of a string, which fits, and the others are those of its hash: of all the
// strings that lie on the way to one, next to none has to be looked at, each of them far away in memory.

// probe gives one more than the place of text in the list, or 0.
func probe(table []uint32, list interface{ bytes(n uint32) []byte }, text string, h uint32) uint32 {
	if len(table) == 0 {
		return 0
	}
	mask := uint32(len(table) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := table[i]
		if e == 0 {
			return 0
		}
		if (e^h)&^mask == 0 && string(list.bytes(e&mask-1)) == text {
			return e & mask
		}
	}
}

func enter(table []uint32, h, n uint32) {
	mask := uint32(len(table) - 1)
	i := h & mask
	for table[i] != 0 {
		i = (i + 1) & mask
	}
	table[i] = h&^mask | n + 1
}

// hashTable makes the table of n strings.
func hashTable(n int, text func(n uint32) []byte) []uint32 {
	size := 1024
	for 2*size < 3*(n+1) {
		size *= 2
	}
	table := make([]uint32, size)
	for k := range uint32(n) {
		enter(table, hashString(store.Text(text(k))), k)
	}
	return table
}

// hashString is FNV-1a with a final mix: the same in every process.
func hashString(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 15
	h *= 0x85ebca6b
	return h ^ h>>13
}
