package edits

import (
	"fmt"
	"slices"
	"strings"
)

// where is what a format says about the place of an edit beside its old text.
type where struct {
	ordered bool              // hunks of one file follow each other
	scopes  []string          // lines that precede the place
	line    int               // 1-based line by the header, 0 for none
	atEnd   bool              // it ends the file
	later   func() []*pattern // the hunks of the same file that follow
}

// miss says why no place was taken.
type miss struct {
	reason  string
	message string
	places  []int // 0-based lines of the places between which nothing decided
}

// strict are the rungs on which another reading of a hunk beats a looser rung of the first.
const strict = 2

// locateAny climbs the ladder with both readings of a pattern.
func (b *body) locateAny(p *pattern, w where) (*pattern, place, *miss) {
	if p.other == nil {
		pl, missed := b.locate(p, w, ladder)
		return p, pl, missed
	}
	for _, part := range [][]rung{ladder[:strict], ladder[strict:]} {
		for _, q := range []*pattern{p, p.other} {
			if pl, missed := b.locate(q, w, part); missed == nil || missed.reason != ReasonNoMatch {
				return q, pl, missed
			}
		}
	}
	return p, place{}, &miss{reason: ReasonNoMatch}
}

// locate climbs some rungs of the ladder.
func (b *body) locate(p *pattern, w where, rungs []rung) (place, *miss) {
	all := limits{0, len(b.lines)}
	ahead := all
	scoped := false
	if w.ordered {
		ahead.from = min(b.cursor, all.to)
	}
	if len(w.scopes) > 0 {
		if from, ok := b.scope(w.scopes, ahead.from); ok {
			ahead.from, scoped = from, true
		}
	}
	for _, r := range rungs {
		places := r.find(b, p, all)
		if len(places) == 0 {
			continue
		}
		return b.choose(p, places, w, ahead, scoped)
	}
	return place{}, &miss{reason: ReasonNoMatch}
}

// choose takes the one place that the format allows.
func (b *body) choose(p *pattern, places []place, w where, ahead limits, scoped bool) (place, *miss) {
	if len(places) == 1 {
		return places[0], nil
	}
	tied := func(pl place, tie string) (place, *miss) {
		pl.tie = tie
		return pl, nil
	}
	if w.atEnd {
		last := places[len(places)-1]
		if last.to == len(b.lines) || b.blankFrom(last.to) {
			return tied(last, "end of file")
		}
	}
	if w.line > 0 {
		for _, pl := range places {
			if pl.from == w.line-1+b.shift {
				return tied(pl, "line number")
			}
		}
	}
	if w.ordered {
		var rest []place
		for _, pl := range places {
			if pl.from >= ahead.from {
				rest = append(rest, pl)
			}
		}
		switch {
		case len(rest) == 1:
			return tied(rest[0], "order")
		case len(rest) > 1:
			places = rest
			if pl, ok := b.byLater(rest, w.later); ok {
				return tied(pl, "order")
			}
			if scoped {
				return tied(rest[0], "scope")
			}
		}
	}
	if w.line > 0 {
		if pl, ok := nearest(places, w.line-1+b.shift); ok {
			return tied(pl, "line number")
		}
	}
	m := &miss{reason: ReasonAmbiguous}
	var at []string
	for _, pl := range places {
		m.places = append(m.places, pl.from)
		if len(at) < 5 {
			at = append(at, fmt.Sprint(pl.from+1))
		}
	}
	more := ""
	if len(places) > len(at) {
		more = ", …"
	}
	m.message = fmt.Sprintf("the text stands in %d places, at lines %s%s; give more lines around it, so that it stands in one",
		len(places), strings.Join(at, ", "), more)
	return place{}, m
}

// byLater decides between equal places by the hunks that are still to come: when there is only one
// way to give each of them a place after the one before.
func (b *body) byLater(places []place, next func() []*pattern) (place, bool) {
	var later []*pattern
	if next != nil {
		later = next()
	}
	var (
		all    [][]int
		pieces []rows
	)
	here := make([]int, len(places))
	for i, pl := range places {
		here[i] = pl.from
	}
	all = append(all, here)
	pieces = append(pieces, rows{0, places[0].to - places[0].from})
	var last *pattern
	for _, q := range later {
		if q.blank() {
			break
		}
		if last == nil || !slices.Equal(last.folded(foldRight), q.folded(foldRight)) {
			here = occurrences(b.folded(foldRight), q.folded(foldRight))
		}
		if len(here) == 0 {
			break // it may stand on what an earlier hunk makes
		}
		last = q
		all = append(all, here)
		pieces = append(pieces, rows{0, len(q.old)})
	}
	first, ok := inOrder(all, pieces)
	if !ok || latest(all, pieces)[0] != first[0] {
		return place{}, false
	}
	for _, pl := range places {
		if pl.from == first[0] {
			return pl, true
		}
	}
	return place{}, false
}

// nearest returns the place that is clearly nearer to a line than any other.
func nearest(places []place, to int) (place, bool) {
	best, second := -1, -1
	distanceTo := func(i int) int { return max(places[i].from-to, to-places[i].from) }
	for i := range places {
		switch {
		case best < 0 || distanceTo(i) < distanceTo(best):
			best, second = i, best
		case second < 0 || distanceTo(i) < distanceTo(second):
			second = i
		}
	}
	return places[best], 2*distanceTo(best) < distanceTo(second)
}

// scope follows the scope lines from a line on and returns the line after the last of them.
func (b *body) scope(scopes []string, from int) (int, bool) {
	for _, text := range scopes {
		want := foldUnicode.apply(text)
		row := b.scopeLine(want, from)
		if row < 0 {
			return 0, false
		}
		from = row + 1
	}
	return from, true
}

// scopeLine finds a scope line: a whole line, else the one line that begins with it.
func (b *body) scopeLine(want string, from int) int {
	for i := from; i < len(b.lines); i++ {
		if foldUnicode.apply(b.lines[i].text) == want {
			return i
		}
	}
	if want == "" {
		return -1
	}
	found := -1
	for i := from; i < len(b.lines); i++ {
		rest, ok := strings.CutPrefix(foldUnicode.apply(b.lines[i].text), want)
		if !ok || startsName(rest) && endsName(want) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func startsName(text string) bool { return text != "" && isName(text[0]) }
func endsName(text string) bool   { return text != "" && isName(text[len(text)-1]) }

func isName(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func (b *body) blankFrom(row int) bool {
	for _, l := range b.lines[row:] {
		if !isBlank(l.text) {
			return false
		}
	}
	return true
}
