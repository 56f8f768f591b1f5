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

// blank says whether a byte is one that indents or trails.
func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\v' }

func trimRight(text string) string {
	for text != "" && blank(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func trim(text string) string {
	text = trimRight(text)
	for text != "" && blank(text[0]) {
		text = text[1:]
	}
	return text
}

func (f fold) apply(text string) string {
	switch f {
	case foldExact, folds:
		return text
	case foldRight:
		return trimRight(text)
	case foldTrim:
		return trim(text)
	case foldUnicode:
		return trim(plain(text))
	}
	return text
}

// plain replaces typographic characters by those that people type.
func plain(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(plainRune, text)
}

// plainRune is the character that people type for one, itself where there is no other, and -1 for none.
func plainRune(r rune) rune {
	switch {
	case r < 0xA0:
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
}

// isPlain says whether a text is ASCII. It is asked for every line, so it reads eight bytes at a time.
func isPlain(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		eight := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
		if eight&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

func isBlank(text string) bool { return trim(text) == "" }

// indentOf returns the blanks at the start of a line.
func indentOf(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }

// interner numbers line texts, so that lines are compared as integers. Under a fold, a line has the
// number of its folded text; all folds share one table, for most lines are the same under each. The
// number of the empty text is 0.
type interner struct {
	ids   map[string]int32
	heads []byte // the first byte of each text, 0 for the empty one
	// spare is the work that is left for telling apart the old and the new lines of the edits of one
	// reply: a product of line counts, as maxDiffProduct.
	spare int
}

// maxDiffs is how many of the largest diffs one reply may cost.
const maxDiffs = 4

const unknown = int32(-1)

func newInterner() *interner { return &interner{spare: maxDiffs * maxDiffProduct} }

// expect makes room for about that many texts.
func (in *interner) expect(n int) {
	if in.ids == nil {
		in.ids = make(map[string]int32, n)
		in.ids[""] = 0
		in.heads = append(make([]byte, 0, n+1), 0)
	}
}

func (in *interner) id(text string) int32 {
	in.expect(0)
	id, ok := in.ids[text]
	if !ok {
		id = int32(len(in.ids))
		in.ids[text] = id
		in.heads = append(in.heads, text[0])
	}
	return id
}

// find is id for a text that may be in no file: then it is unknown.
func (in *interner) find(text string) int32 {
	if text == "" {
		return 0
	}
	if id, ok := in.ids[text]; ok {
		return id
	}
	return unknown
}

// size is one more than the largest number.
func (in *interner) size() int { return len(in.ids) }
