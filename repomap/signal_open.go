package repomap

// openSignal prefers files that are open in the editor or were edited there lately, the latest most.
// The benchmark has no editor, so it brings nothing there.
func openSignal(q *scoring) []float64 {
	if len(q.r.Recent) == 0 {
		return nil
	}
	out := make([]float64, len(q.files()))
	for n, p := range q.r.Recent {
		if i, ok := q.s.find(p); ok {
			out[i] = max(out[i], 1/(1+float64(n)/4))
		}
	}
	return out
}
