package repomap

import "sync"

const (
	damping = 0.7
	rounds  = 12
	nothing = 1e-9 // a file with less than this on its edges has none
	parts   = 2    // that a round is cut into; fixed, so that sums do not depend on the machine
)

// rank spreads restart over the graph in a fixed number of rounds. The sum of restart is one, and
// so is the sum of the result; a file without edges gives its share back to restart. Sums run in the
// order of paths within a part, then over the parts.
func (g *graph) rank(restart []float64) []float64 {
	n := len(restart)
	w := &walk{g: g, restart: restart, rank: append([]float64(nil), restart...), next: make([]float64, n)}
	for p := range w.parts {
		w.parts[p] = part{from: n * p / parts, to: n * (p + 1) / parts,
			forward: make([]float32, g.slots), backward: make([]float32, g.slots)}
	}
	for range rounds {
		w.each(w.send)
		w.lost = 0
		for p := range w.parts {
			w.lost += w.parts[p].lost
		}
		w.each(w.add)
		w.each(w.receive)
		w.rank, w.next = w.next, w.rank
	}
	return w.rank
}

// walk is one run of rank.
type walk struct {
	g                   *graph
	restart, rank, next []float64
	parts               [parts]part
	lost                float64
}

// part is a run of files and what they send to names.
type part struct {
	from, to          int
	forward, backward []float32 // slot -> rank that its users send on; that its definers send back
	lost              float64
}

func (w *walk) each(f func(p int)) {
	var group sync.WaitGroup
	for p := range parts {
		group.Go(func() { f(p) })
	}
	group.Wait()
}

func (g *graph) start(ends []uint32, file int) uint32 {
	if file == 0 {
		return 0
	}
	return ends[file-1]
}

func (w *walk) send(p int) {
	g, part := w.g, &w.parts[p]
	clear(part.forward)
	clear(part.backward)
	part.lost = 0
	u, d := g.start(g.useEnd, part.from), g.start(g.defEnd, part.from)
	for i := part.from; i < part.to; i++ {
		if g.out[i] <= nothing {
			part.lost += w.rank[i]
			u, d = g.useEnd[i], g.defEnd[i]
			continue
		}
		x := float32(w.rank[i]) / g.out[i]
		for _, use := range g.uses[u:g.useEnd[i]] {
			part.forward[use.slot()] += x * use.weight()
		}
		for _, slot := range g.defs[d:g.defEnd[i]] {
			part.backward[slot] += x
		}
		u, d = g.useEnd[i], g.defEnd[i]
	}
}

// add sums what the parts sent, each for a run of names, into the first part.
func (w *walk) add(p int) {
	from, to := w.g.slots*p/parts, w.g.slots*(p+1)/parts
	for slot := from; slot < to; slot++ {
		f, b := float32(0), float32(0)
		for k := range w.parts {
			f += w.parts[k].forward[slot]
			b += w.parts[k].backward[slot]
		}
		w.parts[0].forward[slot] = f * w.g.share[slot]
		w.parts[0].backward[slot] = b * w.g.share[slot]
	}
}

func (w *walk) receive(p int) {
	g, part := w.g, &w.parts[p]
	forward, backward := w.parts[0].forward, w.parts[0].backward
	u, d := g.start(g.useEnd, part.from), g.start(g.defEnd, part.from)
	for i := part.from; i < part.to; i++ {
		sum, back := float32(0), float32(0)
		for _, slot := range g.defs[d:g.defEnd[i]] {
			sum += forward[slot]
		}
		for _, use := range g.uses[u:g.useEnd[i]] {
			back += backward[use.slot()] * use.weight()
		}
		u, d = g.useEnd[i], g.defEnd[i]
		total := float64(sum) + reverseShare*float64(back)
		if g.out[i] > nothing {
			total -= float64(g.self[i]) * w.rank[i] / float64(g.out[i])
		}
		w.next[i] = damping*(max(0, total)+w.lost*w.restart[i]) + (1-damping)*w.restart[i]
	}
}
