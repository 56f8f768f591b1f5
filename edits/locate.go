package edits

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// where is what a format says about the place of an edit beside its old text.
type where struct {
	ordered bool                 // hunks of one file follow each other
	scopes  []string             // lines that precede the place
	line    int                  // 1-based line by the header, 0 for none
	atEnd   bool                 // it ends the file
	atTop   bool                 // no line stands before it
	later   func(n int) *pattern // the hunks of the same file that follow, nil after the last
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
	ahead, scoped := b.ahead(w)
	for _, r := range rungs {
		f := r.find(b, p, limits{0, len(b.lines)})
		if len(f.spots) == 0 {
			continue
		}
		return b.choose(f, w, ahead, scoped)
	}
	return place{}, &miss{reason: ReasonNoMatch}
}

// ahead are the lines in which a format expects the place, and whether scope lines say so.
func (b *body) ahead(w where) (ahead limits, scoped bool) {
	ahead.to = len(b.lines)
	if w.ordered {
		ahead.from = min(b.cursor, ahead.to)
	}
	if len(w.scopes) > 0 {
		if from, ok := b.scope(w.scopes, ahead.from); ok {
			ahead.from, scoped = from, true
		}
	}
	return ahead, scoped
}

// choose takes the one place that the format allows.
func (b *body) choose(f found, w where, ahead limits, scoped bool) (place, *miss) {
	spots := f.spots
	if len(spots) == 1 {
		return f.place(0), nil
	}
	tied := func(i int, tie string) (place, *miss) {
		pl := f.place(i)
		pl.tie = tie
		return pl, nil
	}
	if w.atEnd {
		last := len(spots) - 1
		if b.blankFrom(int(spots[last].to)) {
			return tied(last, "end of file")
		}
	}
	if i, ok := b.chooseSelected(spots, w, ahead, scoped); ok {
		return tied(i, tieSelection)
	}
	if w.line > 0 {
		for i := range spots {
			if int(spots[i].from) == w.line-1+b.shift {
				return tied(i, tieLine)
			}
		}
	}
	passed := 0 // spots that lie before what is allowed
	if w.ordered {
		for passed < len(spots) && int(spots[passed].from) < ahead.from {
			passed++
		}
		switch rest := spots[passed:]; {
		case len(rest) == 0:
			passed = 0
		case len(rest) == 1:
			return tied(passed, "order")
		default:
			if b.byLater(rest, w.later) {
				return tied(passed, "order")
			}
			if scoped {
				return tied(passed, "scope")
			}
		}
	}
	if w.line > 0 {
		if i, ok := nearest(spots[passed:], w.line-1+b.shift); ok {
			return tied(passed+i, tieLine)
		}
	}
	return place{}, ambiguous(spots[passed:])
}

// chooseSelected takes the one spot in the user's selection, below the scope lines. Hunks that follow
// each other to as many places keep their order.
func (b *body) chooseSelected(spots []spot, w where, ahead limits, scoped bool) (i int, ok bool) {
	if b.selected.from == b.selected.to {
		return 0, false
	}
	passed := 0
	for w.ordered && passed < len(spots) && int(spots[passed].from) < ahead.from {
		passed++
	}
	if rest := spots[passed:]; len(rest) > 1 && b.byLater(rest, w.later) {
		return 0, false
	}
	if !scoped || passed == len(spots) {
		passed = 0
	}
	from, to := b.inSelection(spots[passed:])
	return passed + from, to-from == 1 && len(spots)-passed > 1
}

const (
	tieSelection = "selection"
	tieLine      = "line number"
)

// ambiguous is the miss of several places between which nothing decided.
func ambiguous(spots []spot) *miss {
	m := &miss{reason: ReasonAmbiguous}
	var at []string
	for _, s := range spots[:min(len(spots), 5)] {
		m.places = append(m.places, int(s.from))
		at = append(at, strconv.Itoa(int(s.from)+1))
	}
	more := ""
	if len(spots) > len(at) {
		more = ", …"
	}
	m.message = fmt.Sprintf("the text stands in %d places, at lines %s%s; give more lines around it, so that it stands in one",
		len(spots), strings.Join(at, ", "), more)
	return m
}

// maxLater is how many of the hunks that follow are looked at.
const maxLater = 64

// byLater decides between equal places by the hunks that are still to come: the first place is taken
// when there is only one way to give each of them a place after the one before, and it begins there.
func (b *body) byLater(spots []spot, next func(n int) *pattern) bool {
	hay := b.folded(foldRight)
	at, n := int(spots[0].to), 0
	for ; next != nil && n < maxLater; n++ {
		q := next(n)
		if q == nil || q.blank() {
			break
		}
		i := b.finder.first(hay, q.folded(foldRight), at)
		if i < 0 {
			if !b.stands(q) {
				break // it may stand on what an earlier hunk makes
			}
			return false
		}
		at = i + len(q.old)
	}
	limit := len(hay)
	for n--; n >= 0; n-- {
		limit = b.finder.last(hay, next(n).folded(foldRight), limit)
	}
	return int(spots[1].to) > limit
}

// nearest returns the spot that is clearly nearer to a line than any other.
func nearest(spots []spot, to int) (int, bool) {
	best, second := -1, -1
	distanceTo := func(i int) int { return max(int(spots[i].from)-to, to-int(spots[i].from)) }
	for i := range spots {
		switch {
		case best < 0 || distanceTo(i) < distanceTo(best):
			best, second = i, best
		case second < 0 || distanceTo(i) < distanceTo(second):
			second = i
		}
	}
	return best, 2*distanceTo(best) < distanceTo(second)
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
	ids := b.folded(foldUnicode)
	from = min(from, len(ids))
	if id := b.in.find(want); id != unknown {
		if i := slices.Index(ids[from:], id); i >= 0 {
			return from + i
		}
	}
	if want == "" {
		return -1
	}
	found := -1
	for i := from; i < len(b.lines); i++ {
		if b.in.heads[ids[i]] != want[0] {
			continue
		}
		text := b.lines[i].text
		if !begins(text, want) {
			continue // most lines are told apart by their first bytes
		}
		rest, ok := strings.CutPrefix(foldUnicode.apply(text), want)
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

// begins says whether a line may begin with a folded text, once it is folded itself: their bytes are
// equal up to the first that is not plain.
func begins(text, want string) bool {
	for text != "" && blank(text[0]) {
		text = text[1:]
	}
	for i := 0; i < len(want); i++ {
		if i == len(text) {
			return false
		}
		if text[i] >= 0x80 || want[i] >= 0x80 {
			return true
		}
		if text[i] != want[i] {
			return false
		}
	}
	return true
}

func startsName(text string) bool { return text != "" && isName(text[0]) }
func endsName(text string) bool   { return text != "" && isName(text[len(text)-1]) }

func isName(c byte) bool { return inNames[c] }

// inNames are the bytes of names.
var inNames = func() (in [256]bool) {
	for c := range in {
		in[c] = c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return in
}()

func (b *body) blankFrom(row int) bool {
	for _, l := range b.lines[row:] {
		if !isBlank(l.text) {
			return false
		}
	}
	return true
}
