package match

import (
	"cmp"
	"iter"
	"slices"
)

// maxWays bounds the places of all pieces of a text with dots. Beyond it the pieces say too little.
const maxWays = 1 << 16

// findElided reads a line of dots in the old text as "some lines that stay as they are". The pieces
// between the dots must stand in the file in that order, and there must be one way only.
func findElided(b *Text, p *Pattern, w limits) []Place {
	pieces, dots := cutPieces(p)
	if dots == 0 || len(pieces) == 0 || p.beyondDots() {
		return nil
	}
	hay := b.folded(foldTrim)[w.from:w.to]
	if len(pieces) > maxPieces {
		return nil
	}
	all := make([][]int, len(pieces))
	many := 0
	for i, piece := range pieces {
		all[i] = occurrences(hay, p.folded(foldTrim)[piece.from:piece.to])
		if many += len(all[i]); len(all[i]) == 0 || many > maxWays {
			return nil
		}
	}
	first, ok := inOrder(all, pieces)
	if !ok {
		return nil
	}
	last := latest(all, pieces, len(hay))
	out := elidedAt(b, p, pieces, first, w)
	if slices.Equal(first, last) {
		return out
	}
	if near, ok := aroundAnchor(all, pieces, first, last, settled(p, pieces, first, last)); ok && !p.removesDots() {
		out = elidedAt(b, p, pieces, near, w)
		for i := range out {
			out[i].Tie = tieGap
		}
		return out
	}
	for _, way := range ways(p, all, pieces, first, last) { // more than one: ambiguous
		out = append(out, elidedAt(b, p, pieces, way, w)...)
	}
	return out
}

// maxTight bounds between how many ways something may choose.
const maxTight = 64

// ways are those in which the pieces may stand, but for the first, as far as none lies within another:
// between these something else than the dots may choose, such as the user's selection. Of too many it
// returns only the last.
func ways(p *Pattern, all [][]int, pieces []rows, first, last []int) [][]int {
	var tight [][]int
	end := len(all) - 1
	next := make([]int, len(all)) // the places before it are used up
	for _, at := range all[0] {
		way := []int{at}
		for i := 1; i <= end; i++ {
			from := way[i-1] + pieces[i-1].to - pieces[i-1].from
			for next[i] < len(all[i]) && all[i][next[i]] < from {
				next[i]++
			}
			if next[i] == len(all[i]) {
				break
			}
			way = append(way, all[i][next[i]])
		}
		n := len(tight)
		switch {
		case len(way) <= end: // there is nothing after it
		case n > 0 && tight[n-1][end] == way[end]:
			tight[n-1] = way
		case n == maxTight:
			return [][]int{last}
		default:
			tight = append(tight, way)
		}
	}
	var out [][]int
	add := func(way []int) {
		if !slices.Equal(way, first) && !slices.ContainsFunc(out, func(x []int) bool { return slices.Equal(x, way) }) {
			out = append(out, way)
		}
	}
	for _, way := range tight {
		add(way)
		if other := latest(all, pieces, way[end]); !slices.Equal(way, other) && !settled(p, pieces, way, other) {
			add(other)
		}
	}
	add(last)
	slices.SortStableFunc(out, func(x, y []int) int { return cmp.Compare(x[0], y[0]) })
	return out
}

// aroundAnchor decides between several orders when a piece has one place only: the pieces around it
// are those nearest to it, if any other is much farther away. "Much" leaves out repeats within the
// lines that the dots stand for. Where it makes no difference, the nearest are always taken. All pieces
// have a place on either side of it, as first and last do.
func aroundAnchor(all [][]int, pieces []rows, first, last []int, same bool) ([]int, bool) {
	anchor := -1
	for i := range first {
		if first[i] == last[i] {
			anchor = i
		}
	}
	if anchor < 0 {
		return nil, false
	}
	out := slices.Clone(first)
	for i := anchor - 1; i >= 0; i-- {
		n := pieces[i].to - pieces[i].from
		near, far := -1, -1
		for _, at := range all[i] {
			if at+n <= out[i+1] {
				near, far = at, near
			}
		}
		if far >= 0 && !same && !farther(out[i+1]-near-n, out[i+1]-far-n) {
			return nil, false
		}
		out[i] = near
	}
	for i := anchor + 1; i < len(all); i++ {
		end := out[i-1] + pieces[i-1].to - pieces[i-1].from
		near, far := -1, -1
		for _, at := range all[i] {
			if at >= end && near < 0 {
				near = at
			} else if at >= end && far < 0 {
				far = at
			}
		}
		if far >= 0 && !same && !farther(near-end, far-end) {
			return nil, false
		}
		out[i] = near
	}
	return out, true
}

// beyondDots says whether there are new lines above dots that begin the old text, or below dots that
// end it: how far away they belong, no one can tell.
func (p *Pattern) beyondDots() bool {
	dots := func(l Line) bool { return l.Sign != '+' && IsDots(l.Text) }
	before := func(lines iter.Seq2[int, Line]) bool {
		some := false
		for _, l := range lines {
			switch {
			case dots(l):
				return some
			case IsBlank(l.Text):
			case l.Sign != '+':
				return false
			default:
				some = true
			}
		}
		return false
	}
	return before(slices.All(p.Lines)) || before(slices.Backward(p.Lines))
}

// removesDots says whether the lines that dots stand for are to go.
func (p *Pattern) removesDots() bool {
	return slices.ContainsFunc(p.Lines, func(l Line) bool { return l.Sign == '-' && IsDots(l.Text) })
}

// settled says whether the pieces that are free to stand in several places hold nothing but lines
// that stay: then the result is the same wherever they stand.
func settled(p *Pattern, pieces []rows, first, last []int) bool {
	fixed := 0
	for i := range pieces {
		if first[i] == last[i] {
			fixed++
			continue
		}
		from, to := 0, len(p.Lines)
		if i > 0 {
			from = p.old[pieces[i-1].to-1] + 1
		}
		if i+1 < len(pieces) {
			to = p.old[pieces[i+1].from]
		}
		for _, l := range p.Lines[from:to] {
			if l.Sign != ' ' {
				return false
			}
		}
	}
	return fixed > 0
}

func farther(near, far int) bool { return far >= 2*near+4 }

// cutPieces returns the runs of old lines between lines of dots, without blank lines at their ends.
func cutPieces(p *Pattern) (pieces []rows, dots int) {
	from := 0
	add := func(to int) {
		a, z := from, to
		for a < z && IsBlank(p.text(a)) {
			a++
		}
		for z > a && IsBlank(p.text(z-1)) {
			z--
		}
		if a < z {
			pieces = append(pieces, rows{a, z})
		}
	}
	for k := range p.old {
		if IsDots(p.text(k)) {
			dots++
			add(k)
			from = k + 1
		}
	}
	add(len(p.old))
	return pieces, dots
}

// inOrder chooses for each piece the earliest place after the piece before it.
func inOrder(all [][]int, pieces []rows) ([]int, bool) {
	out := make([]int, len(all))
	at := 0
	for i, places := range all {
		j := 0
		for j < len(places) && places[j] < at {
			j++
		}
		if j == len(places) {
			return nil, false
		}
		out[i] = places[j]
		at = out[i] + pieces[i].to - pieces[i].from
	}
	return out, true
}

// latest is inOrder from the end, where the last piece begins at most there; it is called when there is
// an order.
func latest(all [][]int, pieces []rows, most int) []int {
	out := make([]int, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		j := len(all[i]) - 1
		for all[i][j] > most {
			j--
		}
		out[i] = all[i][j]
		if i > 0 {
			most = out[i] - (pieces[i-1].to - pieces[i-1].from)
		}
	}
	return out
}

// elidedAt makes the place, if all pieces were moved in or out by the same and no dots swallow code.
func elidedAt(b *Text, p *Pattern, pieces []rows, at []int, w limits) []Place {
	pl := Place{Rung: RungElision, rows: make([]rows, len(p.old))}
	pl.From = w.from + at[0]
	k := 0
	// Blank lines above the first piece are those right above it in the file, as far as there are any.
	for k2 := pieces[0].from - 1; k2 >= 0 && !IsDots(p.text(k2)) && pl.From > w.from && IsBlank(b.lines[pl.From-1]); k2-- {
		pl.From--
	}
	row := pl.From
	for i, piece := range pieces {
		start := w.from + at[i]
		// Blank lines between dots and a piece are those right above the piece, as far as there are any.
		above := start
		for k2 := piece.from - 1; k2 >= k && !IsDots(p.text(k2)) && above > row && IsBlank(b.lines[above-1]); k2-- {
			above--
		}
		gap := rows{row, above}
		if i == 0 {
			gap = rows{row, row} // dots before the first piece stand for what stays anyway
		}
		for ; k < piece.from; k++ {
			switch {
			case IsDots(p.text(k)):
				pl.rows[k] = gap
				row, gap = gap.to, rows{gap.to, gap.to}
			case row < start && gap.from == row && (i > 0 || piece.from-k <= start-row) && IsBlank(b.lines[row]):
				pl.rows[k] = rows{row, row + 1}
				row++
				gap = rows{row, max(row, gap.to)}
			default:
				pl.rows[k] = rows{row, row}
			}
		}
		for row = start; k < piece.to; k++ {
			pl.rows[k] = rows{row, row + 1}
			row++
		}
	}
	for ended := false; k < len(p.old); k++ {
		pl.rows[k] = rows{row, row}
		ended = ended || IsDots(p.text(k))
		if !ended && row < w.to && IsBlank(b.lines[row]) {
			pl.rows[k].to++
			row++
		}
	}
	pl.To = row
	for k, r := range pl.rows {
		if p.Lines[p.old[k]].Sign == '-' && IsDots(p.text(k)) && (r.from == r.to || !recurs(b.lines[r.from:r.to], p)) {
			return nil
		}
	}
	var ok bool
	if pl.indent, ok = indentation(b, p, pl); !ok {
		return nil
	}
	return []Place{pl}
}

// recurs says whether all lines of a gap that is to be removed come back in the new text: then the
// search text was only shortened, and nothing is lost.
func recurs(gap []string, p *Pattern) bool {
	added := Set(p.Signed('+'))
	return !slices.ContainsFunc(gap, func(text string) bool { return !IsBlank(text) && !added[Trim(text)] })
}
