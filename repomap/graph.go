package repomap

import (
	"math"
	"math/bits"
	"sync"
)

// graph links files by the names that one uses and another defines. It is made once for a
// generation. Nothing is capped: a step goes from file to name to file, so its cost is the number of
// uses plus definitions, and the result is that of all pairs.
type graph struct {
	df   []uint32  // symbol -> files that have the word
	ndef []uint32  // symbol -> files that define it
	idf  []float32 // of words, by files

	// Names that link at least two files are numbered anew, which keeps what a round of the rank
	// touches small: slots.
	slots  int
	share  []float32 // slot -> idf / definers: what an edge over the name is worth
	useEnd []uint32  // end of each file's part of uses
	uses   []use     // file -> names used in it
	defEnd []uint32
	defs   []uint32  // file -> slots of names it defines
	self   []float32 // what a file's own definitions take of its own uses
	out    []float32 // sum of all edges that leave a file

	likeOnce sync.Once
	like     *stemCounts
}

// use is one name in one file, slot<<8, with how often it stands there, in the low byte. It is packed
// because every round of the rank reads all of them twice.
type use uint32

// maxSlots is what a use has room for; names beyond it, the rarest ones, link nothing.
const maxSlots = 1 << 24

func (u use) slot() uint32    { return uint32(u >> 8) }
func (u use) weight() float32 { return useWeights[uint8(u)] }

const reverseShare = 0.5 // of an edge, that also leads back from the definition to its user

func (s *state) linked() *graph {
	s.once.Do(func() { s.graph = newGraph(s) })
	return s.graph
}

func newGraph(s *state) *graph {
	n := s.names.len()
	g := &graph{df: make([]uint32, n), ndef: make([]uint32, n), idf: make([]float32, n)}
	last := make([]uint32, n) // the file, from 1, that counted as a definer last
	for i, f := range s.files {
		for _, t := range f.terms {
			g.df[t]++
		}
		if f.class != prose {
			f.defines(func(name uint32) {
				if last[name] != uint32(i+1) {
					last[name] = uint32(i + 1)
					g.ndef[name]++
				}
			})
		}
	}
	logs := make([]float32, len(s.files)+1)
	for df := 1; df < len(logs); df++ {
		logs[df] = float32(math.Log(1 + float64(len(s.files))/float64(df)))
	}
	for t, df := range g.df {
		g.idf[t] = logs[df]
	}
	g.connect(s, last)
	return g
}

// connect makes the rows of uses and definitions. last is scratch of one place for each symbol.
func (g *graph) connect(s *state, last []uint32) {
	slot := last // from 1; 0 links nothing
	links := g.number(slot, &s.names)
	g.uses = make([]use, 0, links)
	g.useEnd, g.defEnd = make([]uint32, 0, len(s.files)), make([]uint32, 0, len(s.files))
	users := make([]float32, g.slots) // sum of the weights of all uses of a name
	seen := make([]uint32, g.slots)   // the file, from 1, whose definition of a name was taken
	for i, f := range s.files {
		if f.class != prose {
			for k, t := range f.terms {
				if n := slot[t]; n > 0 {
					g.uses = append(g.uses, use(n-1)<<8|use(f.counts[k]))
					users[n-1] += useWeights[f.counts[k]]
				}
			}
			f.defines(func(name uint32) {
				if n := slot[name]; n > 0 && seen[n-1] != uint32(i+1) {
					seen[n-1] = uint32(i + 1)
					g.defs = append(g.defs, n-1)
				}
			})
		}
		g.useEnd = append(g.useEnd, uint32(len(g.uses)))
		g.defEnd = append(g.defEnd, uint32(len(g.defs)))
	}
	g.weigh(users)
}

// number gives a slot to every name that links files, the most used ones first: those that a round
// touches all the time then lie together. It says how many uses there are.
func (g *graph) number(slot []uint32, names *symbolView) (links int) {
	clear(slot)
	var count [33]int
	linking := func(t int) int {
		if g.ndef[t] == 0 || g.df[t] < 2 {
			return -1
		}
		return 32 - bits.Len32(g.df[t])
	}
	for t := range g.df {
		if k := linking(t); k >= 0 {
			count[k]++
			links += int(g.df[t])
		}
	}
	var next [33]int
	for k := 1; k < len(next); k++ {
		next[k] = next[k-1] + count[k-1]
	}
	g.slots = min(next[32]+count[32], maxSlots)
	g.share = make([]float32, g.slots)
	for t := range g.df {
		k := linking(t)
		if k < 0 || next[k] >= maxSlots {
			continue
		}
		g.share[next[k]] = plainness(names.bytes(uint32(t))) * g.idf[t] / float32(g.ndef[t])
		next[k]++
		slot[t] = uint32(next[k])
	}
	return links
}

// plainness holds back names that are words of any comment: is, last, show. A name that someone put
// together, or a long one, stands for itself.
func plainness(name []byte) float32 {
	for i := 1; i < len(name); i++ {
		if isUpper(name[i]) || name[i] == '_' || '0' <= name[i] && name[i] <= '9' {
			return 1
		}
	}
	switch {
	case len(name) <= 3 || stopWords[string(name)]:
		return 0.1
	case isUpper(name[0]) || len(name) >= 8:
		return 0.8
	}
	return 0.4
}

// weigh sums the edges of each file.
func (g *graph) weigh(users []float32) {
	own := make([]float32, g.slots) // this file's weight of a name
	ndef := make([]float32, g.slots)
	for _, d := range g.defs {
		ndef[d]++
	}
	g.out, g.self = make([]float32, len(g.useEnd)), make([]float32, len(g.useEnd))
	u, d := uint32(0), uint32(0)
	for i := range g.useEnd {
		uses, defs := g.uses[u:g.useEnd[i]], g.defs[d:g.defEnd[i]]
		u, d = g.useEnd[i], g.defEnd[i]
		out, self := float32(0), float32(0)
		for _, use := range uses {
			slot, w := use.slot(), use.weight()
			own[slot] = w
			out += w * g.share[slot] * ndef[slot]
		}
		for _, slot := range defs {
			out += reverseShare * g.share[slot] * users[slot]
			self += (1 + reverseShare) * own[slot] * g.share[slot]
		}
		for _, use := range uses {
			own[use.slot()] = 0
		}
		g.self[i], g.out[i] = self, max(0, out-self)
	}
}

// useWeights is the weight of a use by the number of times the word stands in the file.
var useWeights = func() (w [256]float32) {
	for n := 1; n < len(w); n++ {
		w[n] = float32(1 + 0.5*math.Log(float64(n)))
	}
	return w
}()
