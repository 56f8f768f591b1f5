package repomap

import (
	"math"
	"slices"
)

// recentSignal prefers files that the last commits touched.
func recentSignal(q *scoring) []float64 {
	h := q.s.history
	if len(h.commits) == 0 {
		return nil
	}
	return slices.Clone(q.s.paths.ages(h)) // it is scaled in place
}

// togetherSignal prefers files that changed in the same commits as the chat files; narrow and
// recent commits count more.
func togetherSignal(q *scoring) []float64 {
	h := q.s.history
	if len(q.chat) == 0 || len(h.commits) == 0 {
		return nil
	}
	sum := map[string]float64{}
	for _, c := range q.chat {
		for _, n := range h.touched[q.files()[c].Path] {
			commit := h.commits[n]
			if len(commit) < 2 {
				continue
			}
			w := math.Pow(0.5, float64(n)/1000) / float64(len(commit)-1) // as in ctxbench/SIGNALS.md
			for _, p := range commit {
				sum[p] += w
			}
		}
	}
	out := make([]float64, len(q.files()))
	for p, x := range sum {
		if i, ok := q.s.find(p); ok {
			out[i] = math.Log(1 + 5*x)
		}
	}
	return out
}

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
