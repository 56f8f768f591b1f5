package repomap

import (
	"math"
	"math/bits"
)

// mark says of a symbol or a stem what a request wants to know of it, in one number, since that is asked of every
// word of every file: what it weighs in the chat files, as the bits of a float32 that is 0 or more, and in the
// bit of the sign whether it has a stem of the request. It is 0 where it is neither.
type mark uint32

const askedMark mark = 1 << 31

func markOf(weight float32) mark { return mark(math.Float32bits(weight)) &^ askedMark }

func (m mark) asked() bool { return m&askedMark != 0 }

func (m mark) chat() float32 { return math.Float32frombits(uint32(m &^ askedMark)) }

// mark is that of a symbol with these stems.
func (q *scoring) mark(stems []uint32) mark {
	weight, asked := float32(0), mark(0)
	for _, t := range stems {
		m := q.stemMarks[t]
		weight += m.chat()
		asked |= m & askedMark
	}
	return markOf(weight) | asked
}

// markAll notes the marks of all stems and symbols.
func (q *scoring) markAll(stemOf []int16) {
	if q.stemMarks == nil {
		q.stemMarks = make([]mark, q.s.stems.len())
	}
	for t, k := range stemOf {
		if k >= 0 {
			q.stemMarks[t] |= askedMark
		}
	}
	names := &q.s.names
	q.marks = room(&q.memory.marks, names.len())
	loaded := len(names.base.ends)
	q.markRun(&names.base, q.marks[:loaded])
	q.markRun(&names.symbolList, q.marks[loaded:])
	if len(q.stems) > 0 {
		q.asked = newAsked(q, stemOf)
	}
}

// markRun notes the marks of the symbols of a list.
func (q *scoring) markRun(list *symbolList, marks []mark) {
	q.inSteps(len(marks), func(first, end int) {
		each(end-first, func(_, from, to int) {
			start := uint32(0)
			if from += first; from > 0 {
				start = list.stemEnd[from-1]
			}
			for n := from; n < first+to; n++ {
				end := list.stemEnd[n]
				marks[n] = q.mark(list.stems[start:end])
				start = end
			}
		})
	})
}

// asked are the symbols that have a stem of the request. What they have of it is noted once: their stems lie far
// apart in memory, and they are met in most files.
type asked struct {
	ranked
	stems []int16   // places of the request's stems, of one symbol after the other
	ends  []uint32  // member -> end of its part of stems
	idf   []float64 // member -> that of its stems, weighed
}

func newAsked(q *scoring, stemOf []int16) asked {
	all := len(q.marks)
	a := asked{ranked: ranked{bits: newSet(all)}}
	a.sum = make([]uint32, len(a.bits))
	var found [parts]asked // in each part of the symbols
	each(len(a.bits), func(part, from, to int) {
		own := &found[part]
		for w := from; w < to; w++ {
			word := uint64(0)
			for k, m := range q.marks[min(all, w<<6):min(all, w<<6+64)] {
				word |= uint64(m>>31) << k // askedMark
			}
			a.bits[w], a.sum[w] = word, uint32(len(own.ends))
			for ; word != 0; word &= word - 1 {
				for _, t := range q.s.names.stemsOf(uint32(w<<6 + bits.TrailingZeros64(word))) {
					if k := stemOf[t]; k >= 0 {
						own.stems = append(own.stems, k)
					}
				}
				own.ends = append(own.ends, uint32(len(own.stems)))
			}
		}
	})
	for part := range found {
		members, stems := uint32(len(a.ends)), uint32(len(a.stems))
		for w := len(a.bits) * part / parts; w < len(a.bits)*(part+1)/parts; w++ {
			a.sum[w] += members
		}
		for _, end := range found[part].ends {
			a.ends = append(a.ends, stems+end)
		}
		a.stems = append(a.stems, found[part].stems...)
	}
	return a
}

// of are the places of the request's stems in a symbol.
func (a *asked) of(symbol uint32) []int16 {
	k, ok := a.place(symbol)
	if !ok {
		return nil
	}
	return a.member(k)
}

func (a *asked) member(k uint32) []int16 {
	start := uint32(0)
	if k > 0 {
		start = a.ends[k-1]
	}
	return a.stems[start:a.ends[k]]
}

// weigh notes what each symbol tells, once that is known of the stems.
func (a *asked) weigh(stems []queryStem) {
	a.idf = make([]float64, len(a.ends))
	for k := range a.idf {
		for _, n := range a.member(uint32(k)) {
			a.idf[k] += stems[n].tells
		}
	}
}

// tells is what the request's stems in a symbol tell.
func (a *asked) tells(symbol uint32) float64 {
	if k, ok := a.place(symbol); ok {
		return a.idf[k]
	}
	return 0
}
