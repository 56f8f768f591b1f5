package repomap

import (
	"math"
	"slices"

	"coauthor/repomap/record"
	"coauthor/repomap/vocab"
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
	norms  []float32 // by file, of the graph
	fresh  []float32 // or of this request, where the graph has none yet
	cosine []float64 // by file
}

// newLikeness notes what stems weigh in the chat files. It is nil where nothing is to be compared.
func newLikeness(q *scoring) *likeness {
	if len(q.chat) == 0 || slices.Contains(q.r.Without, "like") {
		return nil
	}
	l := &likeness{q: q, norms: q.g.norms.get(), cosine: make([]float64, len(q.files()))}
	if l.norms == nil {
		l.fresh = make([]float32, len(q.files()))
	}
	stem := make([]float32, q.s.stems.Len())
	counts := q.g.stemCounts(q.s)
	var used []uint32
	for _, c := range q.chat {
		f := q.files()[c]
		for k, term := range f.Terms {
			for _, t := range q.s.names.StemsOf(term) {
				if stem[t] == 0 {
					used = append(used, t)
				}
				stem[t] += float32(f.Counts[k])
			}
		}
	}
	q.stemMarks = make([]mark, len(stem))
	for _, t := range used {
		idf := counts.idf(t)
		q.stemMarks[t] = markOf(float32(1+math.Log(float64(stem[t]))) * idf * idf)
	}
	return l
}

// likeWeights is what a word weighs that stands so often in a file: 1 + ln n.
var likeWeights = func() (w [256]float32) {
	for n, half := range useWeights {
		w[n] = half*2 - 1
	}
	return w
}()

// set takes what a file has of the words of the chat files. It is called for every file, several beside each other.
func (l *likeness) set(i int, f *record.Record, chat float32) {
	norms := l.norms
	if norms == nil {
		norms = l.fresh
		norms[i] = l.q.g.norm(f)
	}
	norm := norms[i]
	if norm > 0 {
		l.cosine[i] = float64(chat) / math.Sqrt(float64(norm))
	}
}

// done leaves what was computed of files, whatever the request, to the next one.
func (l *likeness) done() {
	if l.norms == nil {
		l.q.g.norms.put(l.fresh)
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
	c := &stemCounts{words: make([]uint32, s.stems.Len())}
	for n := range uint32(s.names.Len()) {
		if g.df.At(n) > 0 {
			c.add(s.names.StemsOf(n), 1)
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

// carry counts again for the symbols that came or went between two graphs.
func (c *stemCounts) carry(before, after *graph, touched map[uint32]bool, names *vocab.View) *stemCounts {
	next := &stemCounts{words: slices.Clone(c.words), total: c.total}
	for t := range touched {
		was, is := before.df.Has(t) && before.df.At(t) > 0, after.df.At(t) > 0
		switch {
		case is && !was:
			next.add(names.StemsOf(t), 1)
		case was && !is:
			next.add(names.StemsOf(t), -1)
		}
	}
	return next
}
