package match

import "slices"

// maxPieces bounds into how many pieces a hunk is taken apart.
const maxPieces = 64

// findJoined reads a hunk as several that were written without a header between them, or one from
// which lines that stay were left out: its pieces stand in the file in that order, and there is one
// way only. It is cut where it is clear on which side of the gap the new lines belong.
func findJoined(b *Text, p *Pattern, w limits) []Place {
	if !p.hunk || len(p.old) < 2 || len(p.old) > 4096 {
		return nil
	}
	hay := b.folded(foldTrim)[w.from:w.to]
	keys := p.folded(foldTrim)
	var pieces []rows
	var all [][]int
	at, steps := 0, similarSteps
	for k := 0; k < len(p.old); {
		n := longest(hay[at:], keys[k:], &steps)
		for n > 0 && k+n < len(p.old) && !p.cuttable(k+n) {
			n--
		}
		if n == 0 || len(pieces) == maxPieces || steps < 0 {
			return nil
		}
		found := occurrences(hay, keys[k:k+n])
		pieces = append(pieces, rows{k, k + n})
		all = append(all, found)
		first := 0
		for first < len(found) && found[first] < at {
			first++
		}
		at = found[first] + n
		k += n
	}
	first, ok := inOrder(all, pieces)
	if !ok || len(pieces) < 2 {
		return nil
	}
	if last := latest(all, pieces, len(hay)); !slices.Equal(first, last) {
		if !settled(p, pieces, first, last) {
			return nil // other ways are left: that is no match to tell the model about
		}
		first, _ = aroundAnchor(all, pieces, first, last, true) // one piece is fixed, or it were not settled
	}
	out := []Place{joinedAt(p, pieces, first, w)}
	var uniform bool
	if out[0].indent, uniform = indentation(b, p, out[0]); !uniform {
		return nil
	}
	return out
}

// cuttable says whether lines of the file may be missing between the old lines k-1 and k.
func (p *Pattern) cuttable(k int) bool {
	i, j := p.old[k-1], p.old[k]
	before, after := p.Lines[i].Sign, p.Lines[j].Sign
	if j == i+1 {
		return before != '-' || after != '-'
	}
	switch {
	case before == '-':
		// New lines between them are in the place of the removed ones above, if they are as deep and
		// no more: others might stand below what is missing.
		first := i
		for first > 0 && p.Lines[first-1].Sign == '-' {
			first--
		}
		return j-i-1 <= i+1-first && Indent(p.Lines[first].Text) == Indent(p.Lines[i+1].Text)
	case after == '-':
		// The removed line has new ones of its own below it, so these belong to the line above.
		for j < len(p.Lines) && p.Lines[j].Sign == '-' {
			j++
		}
		return j < len(p.Lines) && p.Lines[j].Sign == '+'
	}
	return false
}

// longest is how many of the keys stand in a row somewhere in the hay.
func longest(hay, keys []int32, steps *int) int {
	best := 0
	for i := range hay {
		n := 0
		for n < len(keys) && i+n < len(hay) && hay[i+n] == keys[n] {
			n++
		}
		*steps -= n + 1
		if *steps < 0 {
			return 0
		}
		best = max(best, n)
	}
	return best
}

func joinedAt(p *Pattern, pieces []rows, at []int, w limits) Place {
	pl := Place{Rung: RungJoined, rows: make([]rows, len(p.old))}
	for i, piece := range pieces {
		for k := piece.from; k < piece.to; k++ {
			row := w.from + at[i] + k - piece.from
			pl.rows[k] = rows{row, row + 1}
		}
	}
	pl.From, pl.To = pl.rows[0].from, pl.rows[len(pl.rows)-1].to
	return pl
}
