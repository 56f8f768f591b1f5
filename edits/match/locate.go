package match

// Where is what a format says about the place of an edit beside its old text.
type Where struct {
	Ordered bool                 // hunks of one file follow each other
	After   int                  // the line after the hunk before, which was placed
	Scopes  []string             // lines that precede the place
	Line    int                  // 1-based line by the header, 0 for none
	Shift   int                  // by how many lines the hunks so far have moved what follows them
	AtEnd   bool                 // it ends the file
	Later   func(n int) *Pattern // the hunks of the same file that follow, nil after the last
}

// Miss says why no place was taken: there is none, or nothing decided between several.
type Miss struct {
	Count int   // of the places between which nothing decided, 0 for none at all
	Lines []int // the first of those places, from 0
}

// mostTold is how many places a Miss has.
const mostTold = 5

// strict are the rungs on which another reading of a hunk beats a looser rung of the first.
const strict = 2

// Locate finds the place of a pattern, and by which reading. The first rung of the ladder that accepts a place decides.
func Locate(b *Text, p *Pattern, w Where) (*Pattern, Place, *Miss) {
	s := newSearch(b, w)
	if p.other == nil {
		pl, missed := s.locate(p, ladder)
		return p, pl, missed
	}
	for _, part := range [][]rung{ladder[:strict], ladder[strict:]} {
		for _, q := range []*Pattern{p, p.other} {
			if pl, missed := s.locate(q, part); missed == nil || missed.Count > 0 {
				return q, pl, missed
			}
		}
	}
	return p, Place{}, &Miss{}
}

// search chooses between places of a text by what a format says.
type search struct {
	b      *Text
	w      Where
	ahead  limits // the lines in which the format expects the place
	scoped bool   // scope lines say so
}

func newSearch(b *Text, w Where) *search {
	s := &search{b: b, w: w, ahead: b.all()}
	if w.Ordered {
		s.ahead.from = min(w.After, s.ahead.to)
	}
	if len(w.Scopes) > 0 {
		if from, ok := b.Below(w.Scopes, s.ahead.from); ok {
			s.ahead.from, s.scoped = from, true
		}
	}
	return s
}

// locate climbs some rungs of the ladder.
func (s *search) locate(p *Pattern, rungs []rung) (Place, *Miss) {
	for _, r := range rungs {
		if f := r.find(s.b, p, s.b.all()); len(f.spots) > 0 {
			return s.choose(f)
		}
	}
	return Place{}, &Miss{}
}

// choose takes the one place that the format allows.
func (s *search) choose(f found) (Place, *Miss) {
	spots := f.spots
	if len(spots) == 1 {
		return f.place(0), nil
	}
	tied := func(i int, tie Tie) (Place, *Miss) {
		pl := f.place(i)
		pl.Tie = tie
		return pl, nil
	}
	if s.w.AtEnd {
		last := len(spots) - 1
		if s.b.blankFrom(int(spots[last].to)) {
			return tied(last, TieEnd)
		}
	}
	if i, ok := s.chooseSelected(spots); ok {
		return tied(i, TieSelection)
	}
	if s.w.Line > 0 {
		for i := range spots {
			if int(spots[i].from) == s.w.Line-1+s.w.Shift {
				return tied(i, TieLine)
			}
		}
	}
	passed := 0 // spots that lie before what is allowed
	if s.w.Ordered {
		for passed < len(spots) && int(spots[passed].from) < s.ahead.from {
			passed++
		}
		switch rest := spots[passed:]; {
		case len(rest) == 0:
			passed = 0
		case len(rest) == 1:
			return tied(passed, tieOrder)
		default:
			if s.byLater(rest) {
				return tied(passed, tieOrder)
			}
			if s.scoped {
				return tied(passed, TieScope)
			}
		}
	}
	if s.w.Line > 0 {
		if i, ok := nearest(spots[passed:], s.w.Line-1+s.w.Shift); ok {
			return tied(passed+i, TieLine)
		}
	}
	return Place{}, ambiguous(spots[passed:])
}

// chooseSelected takes the one spot in the user's selection, below the scope lines. Hunks that follow
// each other to as many places keep their order.
func (s *search) chooseSelected(spots []spot) (i int, ok bool) {
	if s.b.selected.from == s.b.selected.to {
		return 0, false
	}
	passed := 0
	for s.w.Ordered && passed < len(spots) && int(spots[passed].from) < s.ahead.from {
		passed++
	}
	if rest := spots[passed:]; len(rest) > 1 && s.byLater(rest) {
		return 0, false
	}
	if !s.scoped || passed == len(spots) {
		passed = 0
	}
	from, to := s.b.selected.choose(spots[passed:])
	return passed + from, to-from == 1 && len(spots)-passed > 1
}

// ambiguous is the miss of several places between which nothing decided.
func ambiguous(spots []spot) *Miss {
	m := &Miss{Count: len(spots)}
	for _, s := range spots[:min(len(spots), mostTold)] {
		m.Lines = append(m.Lines, int(s.from))
	}
	return m
}

// maxLater is how many of the hunks that follow are looked at.
const maxLater = 64

// byLater decides between equal places by the hunks that are still to come: the first place is taken
// when there is only one way to give each of them a place after the one before, and it begins there.
func (s *search) byLater(spots []spot) bool {
	b, next := s.b, s.w.Later
	hay := b.folded(foldRight)
	at, n := int(spots[0].to), 0
	for ; next != nil && n < maxLater; n++ {
		q := next(n)
		if q == nil || q.Blank() {
			break
		}
		i := b.finder.first(hay, q.folded(foldRight), at)
		if i < 0 {
			if !b.Stands(q) {
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
