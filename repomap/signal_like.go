package repomap

import (
	"math"
	"slices"
)

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
	each(len(word), func(_, from, to int) {
		for n := from; n < to; n++ {
			for _, t := range q.s.names.stemsOf(uint32(n)) {
				word[n] += weight[t]
			}
		}
	})
	out := make([]float64, len(q.files()))
	q.eachFile(func(i int, f *record) {
		dot, norm := float32(0), float32(0)
		for k, t := range f.terms {
			w := useWeights[f.counts[k]]*2 - 1 // 1 + ln n
			idf := q.g.idf(t)
			dot += w * word[t]
			norm += w * w * idf * idf
		}
		if norm > 0 {
			out[i] = float64(dot) / math.Sqrt(float64(norm))
		}
	})
	return out
}

// stemCounts says how many of the words in use have a stem. It is immutable once it is in a graph.
type stemCounts struct {
	words []uint32
	total int
}

func (c *stemCounts) idf(stem uint32) float32 {
	return float32(math.Log(1 + float64(c.total)/float64(1+c.words[stem])))
}

// stemCounts counts when it is first asked.
func (g *graph) stemCounts(s *state) *stemCounts {
	if c := g.like.Load(); c != nil {
		return c
	}
	c := &stemCounts{words: make([]uint32, s.stems.len())}
	for n := range uint32(s.names.len()) {
		if g.df.at(n) > 0 {
			c.add(s.names.stemsOf(n), 1)
		}
	}
	g.like.Store(c)
	return c
}

func (c *stemCounts) add(stems []uint32, by int) {
	c.total += by
	for _, t := range stems {
		for int(t) >= len(c.words) {
			c.words = append(c.words, 0)
		}
		c.words[t] += uint32(by)
	}
}

// carry counts anew for the symbols that came or went between two graphs.
func (c *stemCounts) carry(before, after *graph, touched map[uint32]bool, names *symbolView) *stemCounts {
	next := &stemCounts{words: slices.Clone(c.words), total: c.total}
	for t := range touched {
		was, is := before.has(t) && before.df.at(t) > 0, after.df.at(t) > 0
		switch {
		case is && !was:
			next.add(names.stemsOf(t), 1)
		case was && !is:
			next.add(names.stemsOf(t), -1)
		}
	}
	return next
}
