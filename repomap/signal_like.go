package repomap

import (
	"math"
	"slices"
)

// likeSignal prefers files that speak of the same things as the chat files: the cosine of their
// words, where a word weighs what its stems weigh in the chat files, rare stems more.
func likeSignal(q *scoring) []float64 {
	if q.like == nil {
		return nil
	}
	return q.like.cosine
}

// likeness is computed while the request is read, since it looks at all words of all files too.
type likeness struct {
	q      *scoring
	stem   []float32     // stem -> what it weighs in the chat files
	word   []wordWeights // by common symbol
	cosine []float64     // by file
}

// wordWeights is what a word weighs in the chat files, and the square of what it tells.
type wordWeights struct{ chat, idf2 float32 }

// newLikeness is nil where nothing is to be compared.
func newLikeness(q *scoring) *likeness {
	if len(q.chat) == 0 || slices.Contains(q.r.Without, "like") {
		return nil
	}
	l := &likeness{q: q, stem: make([]float32, q.s.stems.len()), word: room(&q.memory.word, int(q.common)), cosine: make([]float64, len(q.files()))}
	counts := q.g.stemCounts(q.s)
	var used []uint32
	for _, c := range q.chat {
		f := q.files()[c]
		for k, term := range f.terms {
			for _, t := range q.s.names.stemsOf(term) {
				if l.stem[t] == 0 {
					used = append(used, t)
				}
				l.stem[t] += float32(f.counts[k])
			}
		}
	}
	for _, t := range used {
		idf := counts.idf(t)
		l.stem[t] = float32(1+math.Log(float64(l.stem[t]))) * idf * idf
	}
	return l
}

// weights are those of a symbol with these stems.
func (l *likeness) weights(symbol uint32, stems []uint32) (w wordWeights) {
	for _, t := range stems {
		w.chat += l.stem[t]
	}
	idf := l.q.g.idf(symbol)
	w.idf2 = idf * idf
	return w
}

// readFile is called for every file, several beside each other.
func (l *likeness) readFile(i int, f *record) {
	dot, norm := float32(0), float32(0)
	for k, t := range f.terms {
		c := useWeights[f.counts[k]]*2 - 1 // 1 + ln n
		var w wordWeights
		if t < l.q.common {
			w = l.word[t]
		} else {
			w = l.weights(t, l.q.s.names.stemsOf(t))
		}
		dot += c * w.chat
		norm += c * c * w.idf2
	}
	if norm > 0 {
		l.cosine[i] = float64(dot) / math.Sqrt(float64(norm))
	}
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
