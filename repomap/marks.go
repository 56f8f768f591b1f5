package repomap

import "math"

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

// markAll notes the marks of the stems, and of all symbols that are common.
func (q *scoring) markAll() {
	if q.stemMarks == nil {
		q.stemMarks = make([]mark, q.s.stems.len())
	}
	for t, k := range q.stemOf {
		if k >= 0 {
			q.stemMarks[t] |= askedMark
		}
	}
	q.marks = room(&q.memory.marks, int(q.common))
	names := &q.s.names
	loaded := min(uint32(len(names.base.ends)), q.common)
	q.markRun(&names.base, q.marks[:loaded])
	q.markRun(&names.symbolList, q.marks[loaded:])
}

// markRun notes the marks of the first symbols of a list.
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
