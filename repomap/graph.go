package repomap

import (
	"math"
	"sync"
)

// graph links files by the names that one uses and another defines. It is made once for a
// generation. Nothing is capped: a step goes from file to name to file, so its cost is the number of
// uses plus definitions, and the result is that of all pairs.
type graph struct {
	df   []uint32  // symbol -> files that have the word
	ndef []uint32  // symbol -> files that define it
	idf  []float32 // of words, by files

	useEnd []uint32 // end of each file's part of uses
	uses   []link   // file -> names used in it that are defined somewhere
	defEnd []uint32
	defs   []link    // file -> names it defines that are used somewhere
	self   []float64 // what a file's own definitions take of its own uses
	out    []float64 // sum of all edges that leave a file

	stemOnce sync.Once
	stemsOf  *stemWeights
}

// link is one name in one file. For a use the weight is that of the word; for a definition it is
// the share of the name that goes to this definer.
type link struct {
	name   uint32
	weight float32
}

const reverseShare = 0.5 // of an edge, that also leads back from the definition to its user

func (s *state) linked() *graph {
	s.once.Do(func() { s.graph = newGraph(s) })
	return s.graph
}

func newGraph(s *state) *graph {
	n := s.names.len()
	g := &graph{df: make([]uint32, n), ndef: make([]uint32, n), idf: make([]float32, n)}
	last := make([]int32, n) // the file, from 1, that counted as a definer last
	for i, f := range s.files {
		for _, t := range f.terms {
			g.df[t]++
		}
		if f.class == prose {
			continue
		}
		f.defines(func(name uint32) {
			if last[name] != int32(i+1) {
				last[name] = int32(i + 1)
				g.ndef[name]++
			}
		})
	}
	total := float64(len(s.files))
	for t, df := range g.df {
		if df > 0 {
			g.idf[t] = float32(math.Log(1 + total/float64(df)))
		}
	}
	g.connect(s, last)
	return g
}

func (g *graph) connect(s *state, last []int32) {
	users := make([]float64, len(g.df)) // sum of the weights of all uses of a name
	for _, f := range s.files {
		if f.class != prose {
			for k, t := range f.terms {
				if g.ndef[t] > 0 {
					w := useWeight(f.counts[k])
					g.uses = append(g.uses, link{t, w})
					users[t] += float64(w)
				}
			}
		}
		g.useEnd = append(g.useEnd, uint32(len(g.uses)))
	}
	clear(last)
	own := make([]float32, len(g.df)) // this file's weight of a name
	start := uint32(0)
	for i, f := range s.files {
		uses := g.uses[start:g.useEnd[i]]
		start = g.useEnd[i]
		out, self := 0.0, 0.0
		for _, u := range uses {
			own[u.name] = u.weight
			out += float64(u.weight) * float64(g.idf[u.name])
		}
		if f.class != prose {
			f.defines(func(name uint32) {
				if last[name] == int32(i+1) || g.df[name] == 0 {
					return
				}
				last[name] = int32(i + 1)
				share := g.idf[name] / float32(g.ndef[name])
				g.defs = append(g.defs, link{name, share})
				out += reverseShare * float64(share) * users[name]
				self += (1 + reverseShare) * float64(own[name]) * float64(share)
			})
		}
		for _, u := range uses {
			own[u.name] = 0
		}
		g.defEnd = append(g.defEnd, uint32(len(g.defs)))
		g.self = append(g.self, self)
		g.out = append(g.out, max(0, out-self))
	}
}

func useWeight(count uint8) float32 { return float32(1 + 0.5*math.Log(float64(count))) }

const (
	damping = 0.7
	rounds  = 12
)

// rank spreads restart over the graph in a fixed number of rounds. The sum of restart is one, and
// so is the sum of the result; a file without edges gives its share back to restart.
func (g *graph) rank(restart []float64) []float64 {
	rank := append([]float64(nil), restart...)
	next := make([]float64, len(rank))
	forward := make([]float64, len(g.df))  // name -> rank that its users send
	backward := make([]float64, len(g.df)) // name -> rank that its definers send back
	for range rounds {
		clear(forward)
		clear(backward)
		lost := 0.0
		u, d := uint32(0), uint32(0)
		for i, r := range rank {
			if g.out[i] <= 1e-12 {
				lost += r
				u, d = g.useEnd[i], g.defEnd[i]
				continue
			}
			x := r / g.out[i]
			for ; u < g.useEnd[i]; u++ {
				forward[g.uses[u].name] += x * float64(g.uses[u].weight)
			}
			for ; d < g.defEnd[i]; d++ {
				backward[g.defs[d].name] += x * float64(g.defs[d].weight)
			}
		}
		u, d = 0, 0
		for i := range rank {
			sum := 0.0
			for ; d < g.defEnd[i]; d++ {
				sum += forward[g.defs[d].name] * float64(g.defs[d].weight)
			}
			back := 0.0
			for ; u < g.useEnd[i]; u++ {
				back += backward[g.uses[u].name] * float64(g.uses[u].weight)
			}
			sum += reverseShare * back
			if g.out[i] > 1e-12 {
				sum -= g.self[i] * rank[i] / g.out[i]
			}
			next[i] = damping*(max(0, sum)+lost*restart[i]) + (1-damping)*restart[i]
		}
		rank, next = next, rank
	}
	return rank
}
