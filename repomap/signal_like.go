package repomap

import "math"

// likeSignal prefers files that speak of the same things as the chat files: the cosine of their
// stems, rare stems more.
func likeSignal(q *scoring) []float64 {
	if len(q.chat) == 0 {
		return nil
	}
	weights := q.g.stemWeights(q.s)
	of := make([]float64, q.s.stems.len())
	var used []uint32
	tf := make([]float64, q.s.stems.len())
	for _, c := range q.chat {
		q.s.stemCounts(q.files()[c], tf, &used)
	}
	for _, t := range used {
		of[t] = (1 + math.Log(tf[t])) * weights.idf[t]
		tf[t] = 0
	}
	out := make([]float64, len(q.files()))
	for i, f := range q.files() {
		if weights.norm[i] == 0 {
			continue
		}
		used = used[:0]
		q.s.stemCounts(f, tf, &used)
		dot := 0.0
		for _, t := range used {
			dot += (1 + math.Log(tf[t])) * weights.idf[t] * of[t]
			tf[t] = 0
		}
		out[i] = dot / weights.norm[i]
	}
	return out
}

// stemWeights are the idf of all stems and the length of every file as a vector of stems.
type stemWeights struct{ idf, norm []float64 }

func (g *graph) stemWeights(s *state) *stemWeights {
	g.stemOnce.Do(func() {
		w := &stemWeights{idf: make([]float64, s.stems.len()), norm: make([]float64, len(s.files))}
		tf := make([]float64, s.stems.len())
		var used []uint32
		for _, f := range s.files {
			used = used[:0]
			s.stemCounts(f, tf, &used)
			for _, t := range used {
				w.idf[t]++
				tf[t] = 0
			}
		}
		for t, df := range w.idf {
			if df > 0 {
				w.idf[t] = math.Log(1 + float64(len(s.files))/df)
			}
		}
		for i, f := range s.files {
			used = used[:0]
			s.stemCounts(f, tf, &used)
			sum := 0.0
			for _, t := range used {
				x := (1 + math.Log(tf[t])) * w.idf[t]
				sum += x * x
				tf[t] = 0
			}
			w.norm[i] = math.Sqrt(sum)
		}
		g.stemsOf = w
	})
	return g.stemsOf
}

// stemCounts adds a file's stems to tf and names those that were zero before.
func (s *state) stemCounts(f *record, tf []float64, used *[]uint32) {
	for k, term := range f.terms {
		for _, t := range s.names.stemsOf(term) {
			if tf[t] == 0 {
				*used = append(*used, t)
			}
			tf[t] += float64(f.counts[k])
		}
	}
}
