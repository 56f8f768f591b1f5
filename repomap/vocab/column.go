package vocab

import "math/bits"

// Column is a number for each symbol, in chunks, so that a graph can share with the next one all
// but what an edit changed. It is immutable; changes go through a columnEdit.
type Column [][]uint32

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

// NewColumn makes a column of zeros for n symbols.
func NewColumn(n int) Column { return ColumnOf(make([]uint32, n)) }

// ColumnOf is a column of these numbers, which it shares.
func ColumnOf(flat []uint32) Column {
	out := make(Column, 0, len(flat)/chunkSize+1)
	for len(flat) > chunkSize {
		out = append(out, flat[:chunkSize:chunkSize])
		flat = flat[chunkSize:]
	}
	return append(out, flat)
}

// At is the number of a symbol.
func (c Column) At(n uint32) uint32 { return c[n>>chunkBits][n&(chunkSize-1)] }

// Increase counts a symbol once more. It is for who makes the column.
func (c Column) Increase(n uint32) { c[n>>chunkBits][n&(chunkSize-1)]++ }

// Has tells whether a symbol was there when the column was made.
func (c Column) Has(n uint32) bool {
	k := int(n >> chunkBits)
	return k < len(c) && int(n&(chunkSize-1)) < len(c[k])
}

// Len is how many symbols have a number.
func (c Column) Len() int { return max(0, len(c)-1)*chunkSize + len(c[len(c)-1]) }

// Edit begins a copy with room for n symbols.
func (c Column) Edit(n int) *columnEdit {
	e := &columnEdit{C: append(make(Column, 0, n/chunkSize+1), c...), own: make([]bool, n/chunkSize+1)}
	for k := len(c) - 1; k <= n/chunkSize; k++ {
		if k == len(e.C) {
			e.C = append(e.C, nil)
		}
		if want := min(chunkSize, n-k*chunkSize); len(e.C[k]) < want {
			e.C[k], e.own[k] = append(make([]uint32, 0, want), e.C[k]...)[:want], true
		}
	}
	return e
}

type columnEdit struct {
	C   Column
	own []bool // the chunk is a copy already
}

// Add adds to the number of a symbol, in chunks of its own.
func (e *columnEdit) Add(n, by uint32) {
	k := n >> chunkBits
	if !e.own[k] {
		e.C[k], e.own[k] = append([]uint32(nil), e.C[k]...), true
	}
	e.C[k][n&(chunkSize-1)] += by
}

// Ranks is a set of symbols that numbers its members.
type Ranks struct {
	Bits Set
	Sum  []uint32 // members before each word of bits
}

// NewRanks makes the set of those of n symbols that are members.
func NewRanks(n int, member func(symbol uint32) bool) (r Ranks, members int) {
	r.Bits = NewSet(n)
	r.Sum = make([]uint32, len(r.Bits))
	for t := range uint32(n) {
		if t&63 == 0 {
			r.Sum[t>>6] = uint32(members)
		}
		if member(t) {
			r.Bits.Add(t)
			members++
		}
	}
	return r, members
}

// Place gives the number of a member.
func (r *Ranks) Place(symbol uint32) (n uint32, ok bool) {
	w := symbol >> 6
	if int(w) >= len(r.Bits) {
		return 0, false
	}
	word := r.Bits[w]
	return r.Sum[w] + uint32(bits.OnesCount64(word&(1<<(symbol&63)-1))), word>>(symbol&63)&1 != 0
}

// Sparse is a number for each symbol, of which most are 0.
type Sparse [][]float32

// NewSparse makes one of zeros for n symbols.
func NewSparse(n int) Sparse { return make(Sparse, n/chunkSize+1) }

// Add adds to the number of a symbol.
func (s Sparse) Add(n uint32, by float32) {
	if s[n>>chunkBits] == nil {
		s[n>>chunkBits] = make([]float32, chunkSize)
	}
	s[n>>chunkBits][n&(chunkSize-1)] += by
}

// At is the number of a symbol.
func (s Sparse) At(n uint32) float32 {
	if chunk := s[n>>chunkBits]; chunk != nil {
		return chunk[n&(chunkSize-1)]
	}
	return 0
}
