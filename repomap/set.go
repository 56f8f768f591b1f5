package repomap

// set is a set of numbers: symbols, stems. A bit for each keeps the sets that are asked for every word of
// every file small enough for the caches of a processor.
type set []uint64

func newSet(n int) set { return make(set, n/64+1) }

func (s set) add(n uint32) { s[n>>6] |= 1 << (n & 63) }

func (s set) has(n uint32) bool { return s[n>>6]>>(n&63)&1 != 0 }
