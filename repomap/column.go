package repomap

import "math/bits"

// column is a number for each symbol, in chunks, so that a graph can share with the next one all
// but what an edit changed. It is immutable; changes go through a columnEdit.
type column [][]uint32

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

func newColumn(n int) column { return columnOf(make([]uint32, n)) }

func columnOf(flat []uint32) column {
	out := make(column, 0, len(flat)/chunkSize+1)
	for len(flat) > chunkSize {
		out = append(out, flat[:chunkSize:chunkSize])
		flat = flat[chunkSize:]
	}
	return append(out, flat)
}

func (c column) at(n uint32) uint32 { return c[n>>chunkBits][n&(chunkSize-1)] }

func (c column) len() int { return max(0, len(c)-1)*chunkSize + len(c[len(c)-1]) }

// edit begins a copy with room for n symbols.
func (c column) edit(n int) *columnEdit {
	e := &columnEdit{c: append(make(column, 0, n/chunkSize+1), c...), own: make([]bool, n/chunkSize+1)}
	for k := len(c) - 1; k <= n/chunkSize; k++ {
		if k == len(e.c) {
			e.c = append(e.c, nil)
		}
		if want := min(chunkSize, n-k*chunkSize); len(e.c[k]) < want {
			e.c[k], e.own[k] = append(make([]uint32, 0, want), e.c[k]...)[:want], true
		}
	}
	return e
}

type columnEdit struct {
	c   column
	own []bool // the chunk is a copy already
}

func (e *columnEdit) add(n, by uint32) {
	k := n >> chunkBits
	if !e.own[k] {
		e.c[k], e.own[k] = append([]uint32(nil), e.c[k]...), true
	}
	e.c[k][n&(chunkSize-1)] += by
}

// ranked is a set of symbols that numbers its members.
type ranked struct {
	bits set
	sum  []uint32 // members before each word of bits
}

func newRanked(n int, member func(symbol uint32) bool) (r ranked, members int) {
	r.bits = newSet(n)
	r.sum = make([]uint32, len(r.bits))
	for t := range uint32(n) {
		if t&63 == 0 {
			r.sum[t>>6] = uint32(members)
		}
		if member(t) {
			r.bits.add(t)
			members++
		}
	}
	return r, members
}

// place gives the number of a member.
func (r *ranked) place(symbol uint32) (n uint32, ok bool) {
	w := symbol >> 6
	if int(w) >= len(r.bits) {
		return 0, false
	}
	word := r.bits[w]
	return r.sum[w] + uint32(bits.OnesCount64(word&(1<<(symbol&63)-1))), word>>(symbol&63)&1 != 0
}

// sparse is a number for each symbol, of which most are 0.
type sparse [][]float32

func newSparse(n int) sparse { return make(sparse, n/chunkSize+1) }

func (s sparse) add(n uint32, by float32) {
	if s[n>>chunkBits] == nil {
		s[n>>chunkBits] = make([]float32, chunkSize)
	}
	s[n>>chunkBits][n&(chunkSize-1)] += by
}

func (s sparse) at(n uint32) float32 {
	if chunk := s[n>>chunkBits]; chunk != nil {
		return chunk[n&(chunkSize-1)]
	}
	return 0
}
