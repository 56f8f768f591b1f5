package match

import "slices"

// limits are the lines between which a pattern may stand.
type limits struct{ from, to int }

// all are the limits of a whole text.
func (b *Text) all() limits { return limits{0, len(b.lines)} }

// spot is where a pattern may stand: lines of the body.
type spot struct{ from, to int32 }

// found are the spots that a rung accepts, in file order, and how one of them becomes a place. There
// may be as many as lines, so nothing more is made of a spot before it is chosen. They are valid until
// the next search of the body.
type found struct {
	spots []spot
	place func(i int) Place
}

// rung is one step of the ladder.
type rung struct {
	name Rung
	find func(b *Text, p *Pattern, within limits) found
}

// ladder is tried from the top. The first rung that accepts a place decides, also when it accepts
// several: a looser rung never chooses between places that a stricter one could not tell apart.
var ladder = []rung{
	{RungExact, func(b *Text, p *Pattern, w limits) found { return lineByOne(b, p, w, foldExact, RungExact) }},
	{RungTrailing, func(b *Text, p *Pattern, w limits) found { return lineByOne(b, p, w, foldRight, RungTrailing) }},
	{RungIndent, func(b *Text, p *Pattern, w limits) found { return lineByOne(b, p, w, foldTrim, RungIndent) }},
	{RungIndent, findUneven},
	{RungBlankLines, findBlankTolerant},
	{RungElision, func(b *Text, p *Pattern, w limits) found { return whole(findElided(b, p, w)) }},
	{RungReordered, findReordered},
	{RungJoined, func(b *Text, p *Pattern, w limits) found { return whole(findJoined(b, p, w)) }},
	{RungUnicode, func(b *Text, p *Pattern, w limits) found {
		return lineByOne(b, p.plainIndents(), w, foldUnicode, RungUnicode)
	}},
}

// whole wraps places that are few.
func whole(places []Place) found {
	f := found{place: func(i int) Place { return places[i] }}
	for _, pl := range places {
		f.spots = append(f.spots, spot{int32(pl.From), int32(pl.To)})
	}
	return f
}

// indentSteps bounds the lines whose indentation is compared for one edit on one rung. Beyond it the
// text repeats so often that no place is the one.
const indentSteps = 1 << 18

// lineByOne finds the places at which the lines of the pattern stand one by one.
func lineByOne(b *Text, p *Pattern, w limits, f fold, name Rung) found {
	n := len(p.old)
	at := func(from int) (Place, bool) {
		pl := straight(from, n, name)
		if f < foldTrim {
			return pl, true
		}
		if !p.hunk {
			switch p.depthOf(b, pl) {
			case depthUnsure:
				return pl, false
			case likeFile:
				pl.Own = true
				return pl, true
			case likeSearch:
			}
		}
		var ok bool
		pl.indent, ok = indentation(b, p, pl)
		return pl, ok
	}
	hay := b.folded(f)[w.from:w.to]
	b.spots = b.spots[:0]
	steps := indentSteps
	for i := range b.finder.all(hay, p.folded(f)) {
		if f < foldTrim {
			b.spots = append(b.spots, spot{int32(w.from + i), int32(w.from + i + n)})
			continue
		}
		if steps -= n; steps < 0 {
			return found{}
		}
		if _, ok := at(w.from + i); ok {
			b.spots = append(b.spots, spot{int32(w.from + i), int32(w.from + i + n)})
		}
	}
	spots := b.spots
	return found{spots, func(i int) Place {
		pl, _ := at(int(spots[i].from))
		return pl
	}}
}

// findUneven finds the places at which the lines of a hunk stand, where some are further in or out than in the file and
// most lines are not: see uneven.
func findUneven(b *Text, p *Pattern, w limits) found {
	if !p.hunk {
		return found{}
	}
	var places []Place
	steps := indentSteps
	n := len(p.old)
	for i := range b.finder.all(b.folded(foldTrim)[w.from:w.to], p.folded(foldTrim)) {
		if steps -= n; steps < 0 {
			return found{}
		}
		if uneven(b, p, w.from+i) {
			places = append(places, straight(w.from+i, n, RungIndent))
		}
	}
	return whole(places)
}

// uneven says whether most lines of a hunk are as deep as those of the file at a place, and the others are slips of the
// pen, above all the blank before a line that stays, which is forgotten. What stays keeps the file's own indentation. A
// line that goes has to fit, since where it does not, the new ones in its place are likely to be as wrong: unless there
// are none, or most of the lines that go with it do fit.
func uneven(b *Text, p *Pattern, at int) bool {
	equal, other, k := 0, 0, 0
	fit, slipped, new := 0, 0, false // of the lines that go, and whether some come, since the last one that stays
	for _, l := range p.Lines {
		if l.Sign == '+' {
			new = new || !IsBlank(l.Text)
			continue
		}
		have := b.lines[at+k]
		k++
		fits := Indent(l.Text) == Indent(have)
		if l.Sign == ' ' {
			if slipped > 0 && new && slipped >= fit {
				return false
			}
			fit, slipped, new = 0, 0, false
		}
		switch {
		case IsBlank(l.Text):
		case fits && l.Sign == '-':
			fit++
			equal++
		case fits:
			equal++
		case l.Sign == ' ':
			other++
		default:
			slipped++
			other++
		}
	}
	return other < equal && (slipped == 0 || !new || slipped < fit)
}

// indentation compares the depth of the lines at a place with that of the pattern.
func indentation(b *Text, p *Pattern, at Place) (indenter, bool) {
	var pairs [][2]string
	for k := range p.old {
		r := at.row(k)
		if r.from == r.to || IsBlank(p.text(k)) {
			continue
		}
		if r.to > r.from+1 || at.Rung == RungElision && IsDots(p.text(k)) {
			continue
		}
		pair := [2]string{Indent(p.text(k)), Indent(b.lines[r.from])}
		if !slices.Contains(pairs[max(0, len(pairs)-8):], pair) {
			pairs = append(pairs, pair)
		}
	}
	return uniform(pairs, p.Signed('+'))
}

// findBlankTolerant compares only the lines that hold something.
func findBlankTolerant(b *Text, p *Pattern, w limits) found {
	hay := b.folded(foldTrim)[w.from:w.to]
	keys := p.folded(foldTrim)
	needle := make([]int32, 0, len(keys))
	for _, id := range keys {
		if id == unknown {
			return found{}
		}
		if id != 0 {
			needle = append(needle, id)
		}
	}
	ids, at := make([]int32, 0, len(hay)), make([]int32, 0, len(hay))
	for i, id := range hay {
		if id != 0 {
			ids = append(ids, id)
			at = append(at, int32(w.from+i))
		}
	}
	stretch := func(i int) (Place, bool) {
		pl := Place{Rung: RungBlankLines, rows: make([]rows, len(p.old))}
		pl.From, pl.To = int(at[i]), int(at[i+len(needle)-1])+1
		row := pl.From
		for k, id := range keys {
			next := row
			switch {
			case id != 0:
				next = int(at[i])
				i++
			case row >= pl.To || row == pl.From || hay[row-w.from] != 0:
				pl.rows[k] = rows{row, row} // a blank line that the file does not have
				continue
			}
			pl.rows[k] = rows{next, next + 1}
			row = next + 1
		}
		var ok bool
		pl.indent, ok = indentation(b, p, pl)
		return pl, ok && (p.hunk || p.depthOf(b, pl) == likeSearch)
	}
	b.spots = b.spots[:0]
	var begin []int32 // of each spot, among the lines that hold something
	steps := indentSteps
	for i := range b.finder.all(ids, needle) {
		if steps -= len(keys); steps < 0 {
			return found{}
		}
		if pl, ok := stretch(i); ok {
			b.spots = append(b.spots, spot{int32(pl.From), int32(pl.To)})
			begin = append(begin, int32(i))
		}
	}
	return found{b.spots, func(i int) Place {
		pl, _ := stretch(int(begin[i]))
		return pl
	}}
}
