package repomap

import (
	"slices"

	"coauthor/repomap/record"
)

// BM25's usual constants.
const (
	bmK = 1.2
	bmB = 0.75
)

// wordsSignal matches the request with the text of files: BM25 over stems of split identifiers.
func wordsSignal(q *scoring) []float64 { return slices.Clone(q.inBody()) } // it is scaled in place

// inBody is how well the text of each file matches the request. Nobody may write to it.
func (q *scoring) inBody() []float64 {
	if q.body == nil {
		q.body = q.bm25(q.inText, q.words)
	}
	return q.body
}

// bm25 scores counts of the request's stems against the length of what they were counted in, by file.
func (q *scoring) bm25(counts []uint16, lengths []uint32) []float64 {
	if len(q.question.stems) == 0 {
		return nil
	}
	total := 0
	for _, n := range lengths {
		total += int(n)
	}
	average := max(1, float64(total)/float64(max(1, len(lengths))))
	out := make([]float64, len(lengths))
	q.eachFile(func(i int, _ *record.Record) {
		norm := bmK * (1 - bmB + bmB*float64(lengths[i])/average)
		for k, n := range q.counts(counts, i) {
			if n > 0 {
				out[i] += q.question.stems[k].tells * float64(n) * (bmK + 1) / (float64(n) + norm)
			}
		}
	})
	return out
}
