package edits

import "coauthor/edits/match"

// formBit tells apart in which form an edit was written, as far as that shows in it.
type formBit uint8

const (
	asReplace formBit = 1 << iota
	asHunk
	asPatch // hunks whose lines all have an end
	asWhole
)

func formOf(e *Edit, p *match.Pattern) formBit {
	switch {
	case e.Kind == KindReplace:
		return asReplace
	case p.Ends:
		return asPatch
	}
	return asHunk
}

// toldTwice says whether an edit is one that the reply has told in another form already: some that
// was written otherwise has landed in the file, and what this one makes stands there. Models show a
// change as a diff and then write it as a block.
func (f *file) toldTwice(p *match.Pattern, form formBit) bool {
	return f.forms&^form != 0 && match.Already(f.body, p)
}
