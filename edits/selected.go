package edits

import "coauthor/edits/match"

// Lines are lines of a file, counted from 1, both ends included. The zero value is none.
type Lines struct{ First, Last int }

// Follow returns where the lines of a text stand after it has become another one: those that were put
// between them belong to them, those in the place of some of them as well.
func Follow(before, after string, l Lines) Lines {
	b, spare := match.NewText(before, &match.Table{}), maxDiffs*maxDiffProduct
	b.Select(l.within(len(b.Lines())))
	new := match.Lines(after)
	rewrite(b, new, diffWithin(b.Lines(), new, &spare))
	from, to := b.Selected()
	if from == to {
		return Lines{}
	}
	return Lines{from + 1, to}
}

// within are the lines as indexes of a file with n lines, the second of which is none of them.
func (l Lines) within(n int) (from, to int) {
	from, to = max(l.First-1, 0), min(l.Last, n)
	if l.First <= 0 || from >= to {
		return 0, 0
	}
	return from, to
}
