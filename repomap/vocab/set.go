package vocab

// Set is a set of numbers: symbols, stems. A bit for each keeps the sets that are asked for every word of
// every file small enough for the caches of a processor.
type Set []uint64

// NewSet makes an empty set for n numbers.
func NewSet(n int) Set { return make(Set, n/64+1) }

// Add makes n a member.
func (s Set) Add(n uint32) { s[n>>6] |= 1 << (n & 63) }

// Has says whether n is a member.
func (s Set) Has(n uint32) bool { return s[n>>6]>>(n&63)&1 != 0 }
