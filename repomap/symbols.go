package repomap

import "sync"

// symbols numbers strings. Numbers are given in order of arrival, so nothing that a user sees may
// depend on them. It is safe for concurrent use; a view stays valid while others add.
type symbols struct {
	mu    sync.Mutex
	view  symbolView // guarded by mu; its slices only grow
	table []uint32   // open addressing: number+1, or 0; guarded by mu
	parts *symbols   // the stems; nil in the table of stems itself
}

// symbolView is what a reader keeps: the strings up to a point in time.
type symbolView struct {
	blob    []byte
	ends    []uint32 // end of each string in blob
	stems   []uint32 // numbers in the table of stems
	stemEnd []uint32 // end of each string's stems
}

func newSymbols() *symbols { return &symbols{parts: &symbols{}} }

func (v *symbolView) len() int { return len(v.ends) }

func (v *symbolView) bytes(n uint32) []byte {
	start := uint32(0)
	if n > 0 {
		start = v.ends[n-1]
	}
	return v.blob[start:v.ends[n]]
}

func (v *symbolView) string(n uint32) string { return string(v.bytes(n)) }

func (v *symbolView) stemsOf(n uint32) []uint32 {
	start := uint32(0)
	if n > 0 {
		start = v.stemEnd[n-1]
	}
	return v.stems[start:v.stemEnd[n]]
}

// snapshot gives the strings known now, and their stems.
func (s *symbols) snapshot() (names, stems symbolView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts.mu.Lock()
	defer s.parts.mu.Unlock()
	return s.view, s.parts.view
}

// addAll numbers all of list under one lock.
func (s *symbols) addAll(list []string, out []uint32) []uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range list {
		out = append(out, s.add(text))
	}
	return out
}

// find gives the number of a string that is known.
func (s *symbols) find(text string) (uint32, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.table) == 0 {
		return 0, false
	}
	slot := s.slot(text)
	return s.table[slot] - 1, s.table[slot] != 0
}

// add is called with mu held.
func (s *symbols) add(text string) uint32 {
	if 4*(len(s.view.ends)+1) > 3*len(s.table) {
		s.grow()
	}
	slot := s.slot(text)
	if n := s.table[slot]; n != 0 {
		return n - 1
	}
	v := &s.view
	n := uint32(len(v.ends))
	v.blob = append(v.blob, text...)
	v.ends = append(v.ends, uint32(len(v.blob)))
	s.table[slot] = n + 1
	if s.parts != nil {
		s.parts.mu.Lock()
		stems(text, func(stem string) { v.stems = append(v.stems, s.parts.add(stem)) })
		s.parts.mu.Unlock()
		v.stemEnd = append(v.stemEnd, uint32(len(v.stems)))
	}
	return n
}

func (s *symbols) slot(text string) uint32 {
	mask := uint32(len(s.table) - 1)
	for i := hashString(text) & mask; ; i = (i + 1) & mask {
		n := s.table[i]
		if n == 0 || string(s.view.bytes(n-1)) == text {
			return i
		}
	}
}

func (s *symbols) grow() {
	size := max(1024, 2*len(s.table))
	s.table = make([]uint32, size)
	mask := uint32(size - 1)
	for n := range s.view.ends {
		i := hashString(string(s.view.bytes(uint32(n)))) & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = uint32(n) + 1
	}
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
