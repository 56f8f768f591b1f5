package repomap

import (
	"sync/atomic"

	"coauthor/repomap/record"
	"coauthor/repomap/vocab"
)

// norms are by file what all of its words tell, whatever is asked: the square of the length by which their
// likeness is measured. They are made by the first map that compares, and carried over edits with the graph.
type norms struct{ list atomic.Pointer[[]float32] }

// get gives the norms, which nobody may write to, or nil.
func (n *norms) get() []float32 {
	if list := n.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (n *norms) put(list []float32) { n.list.Store(&list) }

// makeNorms makes those of all files before a map asks for them.
func (g *graph) makeNorms() {
	list := make([]float32, len(g.files))
	spread(len(list), 256, func(from, to int) {
		for i := from; i < to; i++ {
			list[i] = g.norm(g.files[i])
		}
	})
	g.norms.put(list)
}

// norm is that of one file.
func (g *graph) norm(f *record.Record) float32 {
	sum := float32(0)
	for k, t := range f.Terms {
		c, idf := likeWeights[f.Counts[k]], g.idf(t)
		sum += c * c * (idf * idf)
	}
	return sum
}

// carryNorms takes over the norms of the graph before, but for the files that differ and for those that have a
// word which stands in another number of files now. Where there is another number of files, every word tells
// something else.
func (g *graph) carryNorms(before *graph, steps []diff, touched map[uint32]bool, symbols int) {
	old := before.norms.get()
	if old == nil || len(g.files) != len(before.files) {
		return
	}
	list := append(make([]float32, 0, len(old)), old...)
	for _, step := range steps {
		if step.before != step.after { // files have other places now
			return
		}
		list[step.after] = g.norm(g.files[step.after])
	}
	var elsewhere []uint32 // words that files which do not differ have
	for t := range touched {
		if before.df.Has(t) && before.df.At(t) > 0 && g.df.At(t) > 0 && before.df.At(t) != g.df.At(t) {
			elsewhere = append(elsewhere, t)
		}
	}
	if len(elsewhere) > 0 {
		g.eachWith(elsewhere, symbols, func(i int) { list[i] = g.norm(g.files[i]) })
	}
	g.norms.put(list)
}

// eachWith calls f for the files that have one of the words, several beside each other.
func (g *graph) eachWith(words []uint32, symbols int, f func(file int)) {
	const few = 1 << 12
	maybe, is := vocab.NewSet(few), vocab.NewSet(symbols) // the first one is small enough to be asked of every word there is
	for _, t := range words {
		maybe.Add(t % few)
		is.Add(t)
	}
	spread(len(g.files), 256, func(from, to int) {
		for i := from; i < to; i++ {
			for _, t := range g.files[i].Terms {
				if maybe.Has(t%few) && is.Has(t) {
					f(i)
					break
				}
			}
		}
	})
}
