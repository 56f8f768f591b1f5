package repomap

import "math"

// likeSignal prefers files that speak of the same things as the chat files: the cosine of their
// words, where a word weighs what its stems weigh in the chat files, rare stems more.
func likeSignal(q *scoring) []float64 {
	if len(q.chat) == 0 {
		return nil
	}
	counts := q.g.stemCounts(q.s)
	weight := make([]float32, q.s.stems.len())
	tf := make([]float32, q.s.stems.len())
	var used []uint32
	for _, c := range q.chat {
		f := q.files()[c]
		for k, term := range f.terms {
			for _, t := range q.s.names.stemsOf(term) {
				if tf[t] == 0 {
					used = append(used, t)
				}
				tf[t] += float32(f.counts[k])
			}
		}
	}
	for _, t := range used {
		idf := counts.idf(t)
		weight[t] = float32(1+math.Log(float64(tf[t]))) * idf * idf
	}
	word := make([]float32, q.s.names.len())
	for n := range word {
		if q.g.df[n] > 0 {
			for _, t := range q.s.names.stemsOf(uint32(n)) {
				word[n] += weight[t]
			}
		}
	}
	out := make([]float64, len(q.files()))
	q.eachFile(func(i int, f *record) {
		dot, norm := float32(0), float32(0)
		for k, t := range f.terms {
			w := useWeights[f.counts[k]]*2 - 1 // 1 + ln n
			dot += w * word[t]
			norm += w * w * q.g.idf[t] * q.g.idf[t]
		}
		if norm > 0 {
			out[i] = float64(dot) / math.Sqrt(float64(norm))
		}
	})
	return out
}

// stemCounts says how many of the words in use have a stem.
type stemCounts struct {
	words []uint32
	total int
}

func (c *stemCounts) idf(stem uint32) float32 {
	return float32(math.Log(1 + float64(c.total)/float64(1+c.words[stem])))
}

func (g *graph) stemCounts(s *state) *stemCounts {
	g.likeOnce.Do(func() {
		g.like = &stemCounts{words: make([]uint32, s.stems.len())}
		for n, df := range g.df {
			if df > 0 {
				g.like.total++
				for _, t := range s.names.stemsOf(uint32(n)) {
					g.like.words[t]++
				}
			}
		}
	})
	return g.like
}
