package edits

import "strings"

// fold is a way of looking at a line in which different lines count as equal.
type fold int

const (
	foldExact   fold = iota // the text as it is
	foldRight               // without blanks at its end
	foldTrim                // without blanks at both ends
	foldUnicode             // and with look-alikes made plain
	folds
)

const blanks = " \t\f\v"

func (f fold) apply(text string) string {
	switch f {
	case foldExact, folds:
		return text
	case foldRight:
		return strings.TrimRight(text, blanks)
	case foldTrim:
		return strings.Trim(text, blanks)
	case foldUnicode:
		return strings.Trim(plain(text), blanks)
	}
	return text
}

// plain replaces typographic characters by those that people type.
func plain(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x2010 && r <= 0x2015, r == 0x2212:
			return '-'
		case r >= 0x2018 && r <= 0x201B, r == 0x2032:
			return '\''
		case r >= 0x201C && r <= 0x201F, r == 0x2033:
			return '"'
		case r == 0x00A0, r >= 0x2002 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
			return ' '
		case r == 0x200B, r == 0x200C, r == 0x200D, r == 0x2060, r == 0xFEFF:
			return -1
		}
		return r
	}, text)
}

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

func isBlank(text string) bool { return strings.Trim(text, blanks) == "" }

// indentOf returns the blanks at the start of a line.
func indentOf(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }

// interner numbers line texts, apart for each fold, so that lines are compared as integers. The
// number of the empty text is 0 under every fold.
type interner struct{ ids [folds]map[string]int32 }

const unknown = int32(-1)

func newInterner() *interner {
	in := &interner{}
	for f := range in.ids {
		in.ids[f] = map[string]int32{"": 0}
	}
	return in
}

func (in *interner) id(f fold, text string) int32 {
	text = f.apply(text)
	id, ok := in.ids[f][text]
	if !ok {
		id = int32(len(in.ids[f]))
		in.ids[f][text] = id
	}
	return id
}

// find is id for a text that may be in no file: then it is unknown.
func (in *interner) find(f fold, text string) int32 {
	if id, ok := in.ids[f][f.apply(text)]; ok {
		return id
	}
	return unknown
}

// size is one more than the largest number under f.
func (in *interner) size(f fold) int { return len(in.ids[f]) }
