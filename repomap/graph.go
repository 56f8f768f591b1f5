package repomap

import (
	"context"
	"math"
	"sync/atomic"

	"coauthor/repomap/record"
	"coauthor/repomap/store"
	"coauthor/repomap/vocab"
)

// graph links files by the names that one uses and another defines. It is made once for a
// generation, where it can from the graph before. Nothing is capped: a step goes from file to name
// to file, so its cost is the number of uses plus definitions, and the result is that of all pairs.
//
// Sums run in the order of files and of words in them, and what is counted is counted in whole
// numbers, so a graph that was carried over an edit is equal, bit for bit, to one made afresh.
type graph struct {
	owner *store.Lent // of the memory in which lists may lie; nil: they are our own
	files []*record.Record
	names *vocab.Symbols // that number the words of files
	df    vocab.Column   // symbol -> files that have the word
	ndef  vocab.Column   // symbol -> files that define it
	logs  []float32      // of a word in so many files, what it tells

	// Names that link at least two files are numbered again, which keeps what a round of the rank
	// touches small: slots. A name that ceased to link keeps its slot, and is worth nothing.
	inner vocab.Ranks       // the symbols that had a slot at first
	late  map[uint32]uint32 // symbol -> slot of those that came later
	slots []uint32          // slot -> symbol
	plain []float32         // slot -> plainness of the name
	link  []float32         // slot -> what all edges of one use are worth
	share []float32         // slot -> link / definers: what an edge over the name is worth
	users []uint32          // slot -> sum of the weights of all uses, in parts of weightUnit
	rows  []row
	self  []float32 // what a file's own definitions take of its own uses
	out   []float32 // sum of all edges that leave a file

	like  atomic.Pointer[stemCounts]
	norms norms
}

// row is what one file has to do with names.
type row struct {
	ones []uint32 // slots of the names that stand in it once
	many []use    // the others
	defs []uint32 // slots of the names it defines
}

// use is one name in one file, slot<<8, with how often it stands there, in the low byte. It is packed
// because every round of the rank reads all of them twice.
type use uint32

// maxSlots is what a use has room for; names beyond it, the rarest ones, link nothing.
const maxSlots = 1 << 24

func (u use) slot() uint32    { return uint32(u >> 8) }
func (u use) weight() float32 { return useWeights[uint8(u)] }

const reverseShare = 0.5 // of an edge, that also leads back from the definition to its user; from ctxbench/SIGNALS.md

// idf says what a word tells.
func (g *graph) idf(t uint32) float32 { return g.logs[g.df.At(t)] }

func (g *graph) slotOf(t uint32) (slot uint32, ok bool) {
	if slot, ok = g.inner.Place(t); ok || g.late == nil {
		return slot, ok
	}
	slot, ok = g.late[t]
	return slot, ok
}

// newGraph makes the graph of a state from nothing.
func newGraph(s *state) *graph { return makeGraph(context.Background(), s) }

// makeGraph is newGraph for whoever leaves when ctx ends: then there is none.
func makeGraph(ctx context.Context, s *state) *graph {
	n := s.names.Len()
	g := &graph{files: s.files, names: s.symbols, df: vocab.NewColumn(n), ndef: vocab.NewColumn(n), logs: logsOf(len(s.files))}
	last := make([]uint32, n) // the file, from 1, that counted as a definer last
	for i, f := range s.files {
		if ctx.Err() != nil {
			return nil
		}
		for _, t := range f.Terms {
			g.df.Increase(t)
		}
		if f.Class != record.Prose {
			f.Defines(func(t uint32) {
				if last[t] != uint32(i+1) {
					last[t] = uint32(i + 1)
					g.ndef.Increase(t)
				}
			})
		}
	}
	var slots int
	g.inner, slots = vocab.NewRanks(n, g.links)
	g.slots = make([]uint32, 0, slots)
	for t := range uint32(n) {
		if g.links(t) {
			g.slots = append(g.slots, t)
		}
	}
	if len(g.slots) > maxSlots { // symbols of a snapshot are in the order of their use
		g.inner, _ = vocab.NewRanks(n, func(t uint32) bool { return t < g.slots[maxSlots] && g.links(t) })
		g.slots = g.slots[:maxSlots]
	}
	g.plain, g.link = make([]float32, len(g.slots)), make([]float32, len(g.slots))
	g.share, g.users = make([]float32, len(g.slots)), make([]uint32, len(g.slots))
	for slot, t := range g.slots {
		g.plain[slot] = vocab.Plainness(s.names.Bytes(t))
		g.value(uint32(slot))
	}
	g.rows = make([]row, len(s.files))
	each(len(g.rows), func(_, from, to int) {
		b := rowBuilder{g: g}
		for i := from; i < to && ctx.Err() == nil; i++ {
			g.rows[i] = b.row(s.files[i])
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	for i := range g.rows {
		g.rows[i].count(func(slot, weight uint32) { g.users[slot] += weight })
	}
	g.self, g.out = make([]float32, len(g.rows)), make([]float32, len(g.rows))
	g.weigh(func(int) bool { return true })
	return g
}

// logsOf tells of a word in df of n files how much it says.
func logsOf(n int) []float32 {
	logs := make([]float32, n+1)
	for df := 1; df < len(logs); df++ {
		logs[df] = float32(math.Log(1 + float64(n)/float64(df)))
	}
	return logs
}

// links tells whether a name leads from one file to another.
func (g *graph) links(t uint32) bool { return g.ndef.At(t) > 0 && g.df.At(t) >= 2 }

// value sets what the edges over a name are worth.
func (g *graph) value(slot uint32) {
	t := g.slots[slot]
	g.link[slot], g.share[slot] = 0, 0
	if g.links(t) {
		g.link[slot] = g.plain[slot] * g.idf(t)
		g.share[slot] = g.link[slot] / float32(g.ndef.At(t))
	}
}

// count calls f for the weight of every use.
func (r *row) count(f func(slot, weight uint32)) {
	for _, slot := range r.ones {
		f(slot, weightUnit)
	}
	for _, u := range r.many {
		f(u.slot(), uint32(u.weight()*weightUnit))
	}
}

// rowBuilder makes rows, many of them in one piece of memory.
type rowBuilder struct {
	g    *graph
	room []uint32 // for rows to come
	uses []use    // likewise
	ones []uint32 // of the row that is being made
	many []use
	defs []uint32
	seen []uint32 // slot -> the row, from 1, that took a definition of it last
	made uint32
}

func (b *rowBuilder) row(f *record.Record) row {
	if f.Class == record.Prose {
		return row{}
	}
	b.ones, b.many, b.defs = b.ones[:0], b.many[:0], b.defs[:0]
	for k, t := range f.Terms {
		if slot, ok := b.g.slotOf(t); ok {
			if f.Counts[k] == 1 {
				b.ones = append(b.ones, slot)
			} else {
				b.many = append(b.many, use(slot<<8|uint32(f.Counts[k])))
			}
		}
	}
	if b.seen == nil {
		b.seen = make([]uint32, len(b.g.slots))
	}
	b.made++
	f.Defines(func(t uint32) {
		if slot, ok := b.g.slotOf(t); ok && b.seen[slot] != b.made {
			b.seen[slot] = b.made
			b.defs = append(b.defs, slot)
		}
	})
	return row{ones: keep(&b.room, b.ones), many: keep(&b.uses, b.many), defs: keep(&b.room, b.defs)}
}

// keep copies a list to where it stays: small ones side by side.
func keep[T uint32 | use](room *[]T, list []T) []T {
	if len(list) > len(*room) {
		*room = make([]T, max(len(list), roomSize))
	}
	n := copy(*room, list)
	out := (*room)[:n:n]
	*room = (*room)[n:]
	return out
}

const roomSize = 1 << 14

// weigh sums the edges of each file that is wanted.
func (g *graph) weigh(want func(file int) bool) {
	each(len(g.rows), func(_, from, to int) {
		var own []float32 // this file's weight of a name
		for i := from; i < to; i++ {
			if !want(i) {
				continue
			}
			if own == nil {
				own = make([]float32, len(g.slots))
			}
			r := &g.rows[i]
			out, self := float32(0), float32(0)
			for _, slot := range r.ones {
				own[slot] = 1
				out += g.link[slot]
			}
			for _, use := range r.many {
				slot, w := use.slot(), use.weight()
				own[slot] = w
				out += w * g.link[slot]
			}
			for _, slot := range r.defs {
				out += reverseShare * g.share[slot] * (float32(g.users[slot]) / weightUnit)
				self += (1 + reverseShare) * own[slot] * g.share[slot]
			}
			for _, slot := range r.ones {
				own[slot] = 0
			}
			for _, use := range r.many {
				own[use.slot()] = 0
			}
			g.self[i], g.out[i] = self, max(0, out-self)
		}
	})
}

// weightUnit is the part of a use's weight that is counted in whole numbers.
const weightUnit = 256

// useWeights is the weight of a use by the number of times the word stands in the file.
var useWeights = func() (w [256]float32) {
	for n := 1; n < len(w); n++ {
		w[n] = float32(math.Round(weightUnit*(1+0.5*math.Log(float64(n)))) / weightUnit)
	}
	return w
}()
