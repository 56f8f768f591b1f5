package repomap

import "sync"

const (
	damping = 0.7
	rounds  = 12
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

// rank spreads restart over the graph in a fixed number of rounds. The sum of restart is one, and
// so is the sum of the result; a file without edges gives its share back to restart. Sums run in the
// order of paths within a part, then over the parts.
func (g *graph) rank(restart []float64) []float64 {
	n := len(restart)
	w := &walk{g: g, restart: restart, rank: append([]float64(nil), restart...), next: make([]float64, n)}
	for p := range w.parts {
		w.parts[p] = part{forward: make([]float32, len(g.slots)), backward: make([]float32, len(g.slots))}
	}
	for range rounds {
		each(n, w.send)
		w.lost = 0
		for p := range w.parts {
			w.lost += w.parts[p].lost
		}
		each(len(g.slots), w.add)
		each(n, w.receive)
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

// part is what a run of files sends to names.
type part struct {
	forward, backward []float32 // slot -> rank that its users send on; that its definers send back
	lost              float64
}

func (w *walk) send(p, from, to int) {
	g, part := w.g, &w.parts[p]
	forward, backward := part.forward, part.backward
	clear(forward)
	clear(backward)
	part.lost = 0
	for i := from; i < to; i++ {
		if g.out[i] <= nothing {
			part.lost += w.rank[i]
			continue
		}
		x := float32(w.rank[i]) / g.out[i]
		r := &g.rows[i]
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
}

// add sums what the parts sent, each for a run of names, into the first part.
func (w *walk) add(_, from, to int) {
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

func (w *walk) receive(_, from, to int) {
	g := w.g
	forward, backward := w.parts[0].forward, w.parts[0].backward
	for i := from; i < to; i++ {
		sum, back := float32(0), float32(0)
		r := &g.rows[i]
		for _, slot := range r.defs {
			sum += forward[slot]
		}
		for _, slot := range r.ones {
			back += backward[slot]
		}
		for _, use := range r.many {
			back += backward[use.slot()] * use.weight()
		}
		total := float64(sum) + reverseShare*float64(back)
		if g.out[i] > nothing {
			total -= float64(g.self[i]) * w.rank[i] / float64(g.out[i])
		}
		w.next[i] = damping*(max(0, total)+w.lost*w.restart[i]) + (1-damping)*w.restart[i]
	}
}
