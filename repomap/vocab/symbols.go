package vocab

import (
	"slices"
	"sync"

	"coauthor/repomap/store"
)

// Symbols numbers strings. Numbers are given in order of arrival, so nothing that a user sees may
// depend on them. It is safe for concurrent use; a view stays valid while others add.
type Symbols struct {
	mu    sync.Mutex
	view  View     // guarded by mu; its slices only grow
	table []uint32 // of the strings after the base: number in view+1, or 0; guarded by mu
	parts *Symbols // the stems; nil in the table of stems itself

	touched byte // see touch; guarded by mu
}

// View is what a reader keeps: the strings up to a point in time. The first ones may lie in a
// loaded snapshot, which is never copied.
type View struct {
	Base  List
	Added Pieces
	Table []uint32    // of the base, from the snapshot
	Owner *store.Lent // of the base's memory
}

// List is a run of numbered strings.
type List struct {
	Blob    []byte
	Ends    []uint32 // end of each string in blob
	Stems   []uint32 // numbers in the table of stems
	StemEnd []uint32 // end of each string's stems
}

// Pieces are runs of pieceSize strings and one that grows. One list of millions would be copied each time it grows,
// while all that has been read of a tree so far is in memory.
type Pieces struct {
	full []List
	last List
}

const (
	pieceBits = 16
	pieceSize = 1 << pieceBits
)

// Loaded are the symbols of a snapshot.
func Loaded(names, stems View) *Symbols {
	return &Symbols{view: names, parts: &Symbols{view: stems}}
}

// New makes symbols without a string.
func New() *Symbols { return &Symbols{parts: &Symbols{}} }

// Loaded are the strings of the snapshot alone.
func (v *View) Loaded() View {
	alone := *v
	alone.Added = Pieces{}
	return alone
}

// Len is how many strings there are.
func (v *View) Len() int { return len(v.Base.Ends) + v.Added.Len() }

// Bytes is the text of string n, which nobody may write to.
func (v *View) Bytes(n uint32) []byte {
	if k := uint32(len(v.Base.Ends)); n >= k {
		return v.Added.bytes(n - k)
	}
	return v.Base.bytes(n)
}

func (l *List) bytes(n uint32) []byte {
	start := uint32(0)
	if n > 0 {
		start = l.Ends[n-1]
	}
	return l.Blob[start:l.Ends[n]]
}

// String is a copy of the text of string n.
func (v *View) String(n uint32) string { return string(v.Bytes(n)) }

// StemsOf are the numbers of the stems of string n.
func (v *View) StemsOf(n uint32) []uint32 {
	if k := uint32(len(v.Base.Ends)); n >= k {
		list, at := v.Added.of(n - k)
		return list.stemsOf(at)
	}
	return v.Base.stemsOf(n)
}

func (l *List) stemsOf(n uint32) []uint32 {
	start := uint32(0)
	if n > 0 {
		start = l.StemEnd[n-1]
	}
	return l.Stems[start:l.StemEnd[n]]
}

// Len is how many strings there are.
func (p *Pieces) Len() int { return len(p.full)<<pieceBits + len(p.last.Ends) }

// of gives the piece that has a string, and its place there.
func (p *Pieces) of(n uint32) (list *List, at uint32) {
	if k := int(n >> pieceBits); k < len(p.full) {
		return &p.full[k], n & (pieceSize - 1)
	}
	return &p.last, n & (pieceSize - 1)
}

func (p *Pieces) bytes(n uint32) []byte {
	list, at := p.of(n)
	return list.bytes(at)
}

// Each calls f with all pieces, in order, and the number of the first string of each.
func (p *Pieces) Each(f func(list *List, first int)) {
	for k := range p.full {
		f(&p.full[k], k<<pieceBits)
	}
	f(&p.last, len(p.full)<<pieceBits)
}

// begin begins another piece where the last one is full. Views that have the last one keep it as it is.
func (p *Pieces) begin() {
	if l := &p.last; len(l.Ends) == pieceSize {
		p.full = append(p.full, List{Blob: slices.Clone(l.Blob), Ends: slices.Clone(l.Ends),
			Stems: slices.Clone(l.Stems), StemEnd: slices.Clone(l.StemEnd)}) // without the room to grow
		p.last = List{}
	}
}

// Snapshot gives the strings known now, and their stems.
func (s *Symbols) Snapshot() (names, stems View) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts.mu.Lock()
	defer s.parts.mu.Unlock()
	return s.view, s.parts.view
}

// Find gives the number of a string, if it has one. It looks at every string that the snapshot lacks.
func (v *View) Find(text string) (uint32, bool) {
	if n := probe(v.Table, &v.Base, text, Hash(text)); n > 0 {
		return n - 1, true
	}
	for n := range uint32(v.Added.Len()) {
		if string(v.Added.bytes(n)) == text {
			return n + uint32(len(v.Base.Ends)), true
		}
	}
	return 0, false
}

// FindAll fills in the numbers of the strings that have one.
func (v *View) FindAll(list map[string]uint32) {
	for text := range list {
		if n := probe(v.Table, &v.Base, text, Hash(text)); n > 0 {
			list[text] = n - 1
		}
	}
	if len(list) == 0 {
		return
	}
	for n := range uint32(v.Added.Len()) {
		if _, ok := list[string(v.Added.bytes(n))]; ok {
			list[string(v.Added.bytes(n))] = n + uint32(len(v.Base.Ends))
		}
	}
}

// aheadBy is how many strings are looked for beside each other.
const aheadBy = 16

// AddAll numbers all of list under one lock.
func (s *Symbols) AddAll(list []string, out []uint32) []uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var hashes [aheadBy]uint32
	for len(list) > 0 {
		some := list[:min(len(list), aheadBy)]
		list = list[len(some):]
		for i, text := range some {
			hashes[i] = Hash(text)
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
func (s *Symbols) touch(hashes []uint32) {
	var found [aheadBy]uint32
	v := &s.view.Added
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
func (s *Symbols) add(text string, h uint32) uint32 {
	if n := probe(s.view.Table, &s.view.Base, text, h); n > 0 {
		return n - 1
	}
	added := &s.view.Added
	base := uint32(len(s.view.Base.Ends))
	if n := probe(s.table, added, text, h); n > 0 {
		return n - 1 + base
	}
	added.begin()
	n, v := uint32(added.Len()), &added.last
	v.Blob = append(v.Blob, text...)
	v.Ends = append(v.Ends, uint32(len(v.Blob)))
	if 4*added.Len() > 3*len(s.table) {
		s.table = HashTable(added.Len(), added.bytes)
	} else {
		enter(s.table, h, n)
	}
	if s.parts != nil {
		s.parts.mu.Lock()
		Stems(text, func(stem string) { v.Stems = append(v.Stems, s.parts.add(stem, Hash(stem))) })
		s.parts.mu.Unlock()
		v.StemEnd = append(v.StemEnd, uint32(len(v.Stems)))
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

// HashTable makes the table of n strings.
func HashTable(n int, text func(n uint32) []byte) []uint32 {
	size := 1024
	for 2*size < 3*(n+1) {
		size *= 2
	}
	table := make([]uint32, size)
	for k := range uint32(n) {
		enter(table, Hash(store.Text(text(k))), k)
	}
	return table
}

// Hash is FNV-1a with a final mix: the same in every process.
func Hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 15
	h *= 0x85ebca6b
	return h ^ h>>13
}
