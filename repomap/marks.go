package repomap

import (
	"math"
	"math/bits"

	"coauthor/repomap/store"
	"coauthor/repomap/vocab"
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
		q.stemMarks = make([]mark, q.s.stems.Len())
	}
	for t, k := range stemOf {
		if k >= 0 {
			q.stemMarks[t] |= askedMark
		}
	}
	names := &q.s.names
	q.marks = store.Room(&q.memory.marks, names.Len())
	q.asked = asked{Ranks: vocab.Ranks{Bits: vocab.NewSet(names.Len())}}
	loaded := len(names.Base.Ends)
	q.markRun(&names.Base, 0, q.marks[:loaded], stemOf)
	names.Added.Each(func(list *vocab.List, first int) {
		first += loaded
		q.markRun(list, uint32(first), q.marks[first:first+len(list.Ends)], stemOf)
	})
	q.asked.number()
}

// markRun notes the marks of the symbols of a list, of which the first one has this number.
func (q *scoring) markRun(list *vocab.List, first uint32, marks []mark, stemOf []int16) {
	q.inSteps(len(marks), func(begin, end int) {
		var found [parts]asked
		var symbols [parts][]uint32
		each(end-begin, func(part, from, to int) {
			start := uint32(0)
			if from += begin; from > 0 {
				start = list.StemEnd[from-1]
			}
			for n := from; n < begin+to; n++ {
				stems := list.Stems[start:list.StemEnd[n]]
				start = list.StemEnd[n]
				if marks[n] = q.mark(stems); marks[n].asked() {
					symbols[part] = append(symbols[part], first+uint32(n))
					found[part].note(stems, stemOf)
				}
			}
		})
		for part := range parts {
			q.asked.join(symbols[part], &found[part])
		}
	})
}

// asked are the symbols that have a stem of the request. What they have of it is noted once: their stems lie far
// apart in memory, and they are met in most files.
type asked struct {
	vocab.Ranks
	stems []int16   // places of the request's stems, of one symbol after the other
	ends  []uint32  // member -> end of its part of stems
	idf   []float64 // member -> that of its stems, weighed
}

// note takes in one more symbol with these stems.
func (a *asked) note(stems []uint32, stemOf []int16) {
	for _, t := range stems {
		if k := stemOf[t]; k >= 0 {
			a.stems = append(a.stems, k)
		}
	}
	a.ends = append(a.ends, uint32(len(a.stems)))
}

// join takes in symbols that come behind those that it has.
func (a *asked) join(symbols []uint32, more *asked) {
	stems := uint32(len(a.stems))
	a.stems = append(a.stems, more.stems...)
	for k, end := range more.ends {
		a.Bits.Add(symbols[k])
		a.ends = append(a.ends, stems+end)
	}
}

// number makes the numbers of the members, when all are there.
func (a *asked) number() {
	a.Sum = make([]uint32, len(a.Bits))
	members := 0
	for w, word := range a.Bits {
		a.Sum[w] = uint32(members)
		members += bits.OnesCount64(word)
	}
}

// of are the places of the request's stems in a symbol.
func (a *asked) of(symbol uint32) []int16 {
	k, ok := a.Place(symbol)
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
	if k, ok := a.Place(symbol); ok {
		return a.idf[k]
	}
	return 0
}
