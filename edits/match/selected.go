package match

// Select notes the lines that the user has selected, counted from 0 and without the second: of several equal or equally
// similar places the one among them is meant.
func (b *Text) Select(from, to int) { b.selected = limits{from, to} }

// Selected are the lines that were selected, wherever they are by now; none where the two are equal.
func (b *Text) Selected() (from, to int) { return b.selected.from, b.selected.to }

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

// choose returns the range of the spots that selected lines hold as a whole, or else the
// one of which it holds the most; all of them when that is none.
func (l limits) choose(spots []spot) (from, to int) {
	most, best, second := 0, -1, 0
	from, to = -1, -1
	for i, s := range spots {
		common := min(int(s.to), l.to) - max(int(s.from), l.from)
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
