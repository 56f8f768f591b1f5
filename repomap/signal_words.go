package repomap

// BM25's usual constants.
const (
	bmK = 1.2
	bmB = 0.75
)

// wordsSignal matches the request with the text of files: BM25 over stems of split identifiers.
func wordsSignal(q *scoring) []float64 {
	return q.bm25(q.inText, func(f *record) int { return f.words })
}

// bm25 scores counts of the request's stems against the length of what they were counted in.
func (q *scoring) bm25(counts []uint16, length func(*record) int) []float64 {
	if len(q.stems) == 0 {
		return nil
	}
	total := 0
	for _, f := range q.files() {
		total += length(f)
	}
	average := max(1, float64(total)/float64(max(1, len(q.files()))))
	out := make([]float64, len(q.files()))
	q.eachFile(func(i int, f *record) {
		norm := bmK * (1 - bmB + bmB*float64(length(f))/average)
		for k, n := range q.counts(counts, i) {
			if n > 0 {
				out[i] += q.stems[k].tells * float64(n) * (bmK + 1) / (float64(n) + norm)
			}
		}
	})
	return out
}
