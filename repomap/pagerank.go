package repomap

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"coauthor/repomap/store"
)

// How far rank spreads was chosen on the prototype of the benchmark (ctxbench/SIGNALS.md), as were the rounds. To settle costs
// nothing: with all rounds, maps for 96 of its requests score the same.
const (
	damping = 0.7
	rounds  = 12   // at most
	settled = 0.15 // after a round that moves less of the rank than this, one more is enough
	nothing = 1e-9 // a file with less than this on its edges has none
	parts   = 2    // that work on all files is cut into; fixed, so that sums do not depend on the machine
)

// each calls f for parts of n things beside each other.
func each(n int, f func(part, from, to int)) {
	var group sync.WaitGroup
	for p := range parts {
		group.Go(func() { f(p, n*p/parts, n*(p+1)/parts) })
	}
	group.Wait()
}

// spread calls f for all of n things, a run of them at a time, on as many processors as there are. What f
// makes of one thing must not depend on the others.
func spread(n, run int, f func(from, to int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n/run+1) {
		group.Go(func() {
			for {
				from := int(next.Add(int64(run))) - run
				if from >= n {
					return
				}
				f(from, min(n, from+run))
			}
		})
	}
	group.Wait()
}

// rank spreads restart over the graph until it has settled. The sum of restart is one,
// and so is the sum of the result; a file without edges gives its share back to restart. Sums run in
// the order of paths within a part, then over the parts.
func (g *graph) rank(restart []float64, memory *scratch) []float64 {
	n := len(g.slots)
	w := &walk{g: g, restart: restart, rank: append([]float64(nil), restart...),
		forward: store.Room(&memory.forward, n), backward: store.Room(&memory.backward, n)}
	for p := range w.parts {
		w.parts[p] = part{forward: store.Room(&memory.parts[p].forward, n), backward: store.Room(&memory.parts[p].backward, n)}
	}
	w.cut()
	w.eachPart(w.begin)
	for round := range rounds {
		w.lost = 0
		moved := 0.0
		for p := range w.parts {
			w.lost += w.parts[p].lost
			moved += w.parts[p].moved
		}
		last := round == rounds-1 || round > 0 && moved < settled
		each(len(g.slots), w.add)
		w.eachPart(func(p *part) { w.step(p, !last) })
		if last {
			break
		}
	}
	return w.rank
}

// walk is one run of rank.
type walk struct {
	g                 *graph
	restart, rank     []float64
	forward, backward []float32 // slot -> rank that its users send on, and that its definers send back
	parts             [parts]part
	lost              float64
}

// cut gives the parts runs of files with about as many words each. Rows are no measure: those of a graph
// that was carried over an edit may hold names that link no more, and sums must be the same.
func (w *walk) cut() {
	files := w.g.files
	weights := make([]int, len(files))
	spread(len(files), 256, func(from, to int) {
		for i := from; i < to; i++ {
			weights[i] = files[i].Weight()
		}
	})
	all := 0
	for _, n := range weights {
		all += n
	}
	p, sum := 0, 0
	for i, n := range weights {
		for p < parts-1 && sum >= all*(p+1)/parts {
			w.parts[p].to, w.parts[p+1].from = i, i
			p++
		}
		sum += n
	}
	for ; p < parts-1; p++ {
		w.parts[p].to, w.parts[p+1].from = len(files), len(files)
	}
	w.parts[parts-1].to = len(files)
}

func (w *walk) eachPart(f func(p *part)) {
	var group sync.WaitGroup
	for p := range w.parts {
		group.Go(func() { f(&w.parts[p]) })
	}
	group.Wait()
}

// part is what a run of files sends to names in a round.
type part struct {
	from, to          int // files
	forward, backward []float32
	lost, moved       float64
}

func (w *walk) begin(p *part) {
	clear(p.forward)
	clear(p.backward)
	for i := p.from; i < p.to; i++ {
		w.send(p, i)
	}
}

// send gives the rank of a file to its names.
func (w *walk) send(to *part, i int) {
	g := w.g
	if g.out[i] <= nothing {
		to.lost += w.rank[i]
		return
	}
	x := float32(w.rank[i]) / g.out[i]
	if x == 0 { // as nearly everywhere where walks begin
		return
	}
	r := &g.rows[i]
	forward, backward := to.forward, to.backward // or each of millions of sums looks them up
	for _, slot := range r.ones {
		forward[slot] += x
	}
	for _, use := range r.many {
		forward[use.slot()] += x * use.weight()
	}
	for _, slot := range r.defs {
		backward[slot] += x
	}
}

// add sums what the parts sent, each for a run of names, and makes room for the next round.
func (w *walk) add(_, from, to int) {
	share := w.g.share[from:to]
	sum := func(first, second, to []float32) {
		first, second, to = first[:len(share)], second[:len(share)], to[:len(share)]
		for n, s := range share {
			to[n] = (first[n] + second[n]) * s
			first[n], second[n] = 0, 0
		}
	}
	first, second := &w.parts[0], &w.parts[1]
	sum(first.forward[from:], second.forward[from:], w.forward[from:])
	sum(first.backward[from:], second.backward[from:], w.backward[from:])
}

// step gives files their new rank, and may send it on at once, while their rows are at hand. Two files are summed up
// beside each other: an addition has to wait for the one before it, and there is nothing else to do.
func (w *walk) step(p *part, on bool) {
	p.lost, p.moved = 0, 0
	i := p.from
	for ; i+1 < p.to; i += 2 {
		a, b := &w.g.rows[i], &w.g.rows[i+1]
		forwardA, forwardB := sums(a.defs, b.defs, w.forward)
		backA, backB := sums(a.ones, b.ones, w.backward)
		backA, backB = weighted(backA, backB, a.many, b.many, w.backward)
		w.renew(p, i, forwardA, backA, on)
		w.renew(p, i+1, forwardB, backB, on)
	}
	if i < p.to {
		r := &w.g.rows[i]
		forward, _ := sums(r.defs, nil, w.forward)
		back, _ := sums(r.ones, nil, w.backward)
		back, _ = weighted(back, 0, r.many, nil, w.backward)
		w.renew(p, i, forward, back, on)
	}
}

// sums adds up the values of two lists of slots.
func sums(a, b []uint32, values []float32) (x, y float32) {
	both := min(len(a), len(b))
	rest := a[both:]
	a, c := a[:both], b[:both]
	for k, slot := range a {
		x += values[slot]
		y += values[c[k]]
	}
	for _, slot := range rest {
		x += values[slot]
	}
	for _, slot := range b[both:] {
		y += values[slot]
	}
	return x, y
}

// weighted adds the values of two lists of uses to x and y.
func weighted(x, y float32, a, b []use, values []float32) (float32, float32) {
	both := min(len(a), len(b))
	rest := a[both:]
	a, c := a[:both], b[:both]
	for k, use := range a {
		x += values[use.slot()] * use.weight()
		y += values[c[k].slot()] * c[k].weight()
	}
	for _, use := range rest {
		x += values[use.slot()] * use.weight()
	}
	for _, use := range b[both:] {
		y += values[use.slot()] * use.weight()
	}
	return x, y
}

// renew gives a file the rank that follows from what names brought it.
func (w *walk) renew(p *part, i int, sum, back float32, on bool) {
	g := w.g
	total := float64(sum) + reverseShare*float64(back)
	if g.out[i] > nothing {
		total -= float64(g.self[i]) * w.rank[i] / float64(g.out[i])
	}
	next := damping*(max(0, total)+w.lost*w.restart[i]) + (1-damping)*w.restart[i]
	p.moved += math.Abs(next - w.rank[i])
	w.rank[i] = next
	if on {
		w.send(p, i)
	}
}
