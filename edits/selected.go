package edits

// Lines are lines of a file, counted from 1, both ends included. The zero value is none.
type Lines struct{ First, Last int }

// Follow returns where the lines of a text stand after it has become another one: those that were put
// between them belong to them, those in the place of some of them as well.
func Follow(before, after string, l Lines) Lines {
	b := newBody(before, newInterner())
	b.selected = l.limits(len(b.lines))
	new := texts(after)
	b.rewrite(new, diffWithin(b.texts(), new, &b.in.spare))
	if b.selected.from == b.selected.to {
		return Lines{}
	}
	return Lines{b.selected.from + 1, b.selected.to}
}

// limits are the lines as indexes of a file with n lines.
func (l Lines) limits(n int) limits {
	from, to := max(l.First-1, 0), min(l.Last, n)
	if l.First <= 0 || from >= to {
		return limits{}
	}
	return limits{from, to}
}

// moved returns the lines after those from..to have become n others.
func (l limits) moved(from, to, n int) limits {
	by := n - (to - from)
	switch {
	case l.from == l.to, from >= l.to:
		return l
	case to <= l.from:
		return limits{l.from + by, l.to + by}
	}
	return limits{min(l.from, from), max(l.to, to) + by}
}

// inSelection returns the range of the spots that the user's selection holds as a whole, or else the
// one of which it holds the most; all of them when that is none.
func (b *body) inSelection(spots []spot) (from, to int) {
	most, best, second := 0, -1, 0
	from, to = -1, -1
	for i, s := range spots {
		common := min(int(s.to), b.selected.to) - max(int(s.from), b.selected.from)
		if common > 0 && common == int(s.to-s.from) {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
		switch {
		case common > most:
			most, best, second = common, i, most
		case common > second:
			second = common
		}
	}
	switch {
	case from >= 0:
		return from, to
	case best >= 0 && most > second:
		return best, best + 1
	}
	return 0, len(spots)
}
