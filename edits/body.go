package edits

import (
	"slices"
	"strings"
)

// bom is a byte order mark, which is no part of the first line.
const bom = "\ufeff"

// line is one line of a file or a reply.
type line struct {
	text string
	end  ending
}

// ending is what a line ends in.
type ending uint8

const (
	noEnd ending = iota
	endLF
	endCRLF
	endCR // a lone one
	endings
)

func (e ending) String() string { return [endings]string{"", "\n", "\r\n", "\r"}[e] }

// body is a file that is being edited. Invariant: where keys[f] is not nil it holds, for each line,
// the number that its text has under the fold f.
type body struct {
	bom    bool
	lines  []line
	size   int    // of the text that it was made from
	eol    ending // what an added line ends in where no neighbour says
	edited bool   // some edit has changed it
	open   bool   // the last line has no end, and the last line of the result shall have none
	keys   [folds][]int32
	in     *interner
	// cursor is the line after the last hunk that was placed: the next one is looked for there first.
	cursor int
	// shift is by how many lines the hunks so far have moved what follows them.
	shift int
	// selected are the lines that the user has selected, wherever they are by now; none if empty.
	selected limits
	named    map[string]bool // see names
	// Scratch for votes, all zero between two calls, and for searches.
	ballot, tally []int32
	voted         []int32 // the windows that are not zero in tally
	spots         []spot
	finder        finder
}

func newBody(text string, in *interner) *body {
	b := &body{in: in, size: len(text)}
	b.lines, b.bom = cutLines(text)
	b.open = len(b.lines) > 0 && b.lines[len(b.lines)-1].end == noEnd
	b.eol = dominant(b.lines)
	return b
}

// cutLines splits a text into its lines, without a byte order mark.
func cutLines(text string) (lines []line, marked bool) {
	text, marked = strings.CutPrefix(text, bom)
	if text == "" {
		return nil, marked
	}
	lines = make([]line, 0, strings.Count(text, "\n")+1)
	for plain := strings.IndexByte(text, '\r') < 0; plain && text != ""; {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			return append(lines, line{text, noEnd}), marked
		}
		lines = append(lines, line{text[:n], endLF})
		text = text[n+1:]
	}
	for text != "" {
		n := strings.IndexAny(text, "\r\n")
		switch {
		case n < 0:
			lines = append(lines, line{text, noEnd})
			return lines, marked
		case text[n] == '\r' && n+1 < len(text) && text[n+1] == '\n':
			lines = append(lines, line{text[:n], endCRLF})
			text = text[n+2:]
		case text[n] == '\r':
			lines = append(lines, line{text[:n], endCR})
			text = text[n+1:]
		default:
			lines = append(lines, line{text[:n], endLF})
			text = text[n+1:]
		}
	}
	return lines, marked
}

// dominant is the line end that most lines have; the first one of them on a tie.
func dominant(lines []line) ending {
	var count [endings]int
	for _, l := range lines {
		count[l.end]++
	}
	count[noEnd] = 0
	best := noEnd
	for _, l := range lines {
		if count[l.end] > count[best] {
			best = l.end
		}
	}
	if best == noEnd {
		return endLF
	}
	return best
}

func (b *body) String() string {
	var out strings.Builder
	size := len(bom)
	for _, l := range b.lines {
		size += len(l.text) + len(l.end.String())
	}
	out.Grow(size)
	if b.bom {
		out.WriteString(bom)
	}
	for _, l := range b.lines {
		out.WriteString(l.text)
		out.WriteString(l.end.String())
	}
	return out.String()
}

// replace puts lines in the place of from..to and keeps the invariants: every line but the last has
// an end, and the last has one just if the file's last line had one before.
func (b *body) replace(from, to int, with []line) {
	b.edited = true
	b.selected = b.selected.moved(from, to, len(with))
	for f := range b.keys {
		if b.keys[f] == nil {
			continue
		}
		b.keys[f] = slices.Replace(b.keys[f], from, to, make([]int32, len(with))...)
		for i, l := range with {
			b.keys[f][from+i] = b.in.id(fold(f).apply(l.text))
		}
	}
	b.lines = slices.Replace(b.lines, from, to, with...)
	last := len(b.lines) - 1
	for i := max(from-1, 0); i <= min(from+len(with), last); i++ {
		switch l := &b.lines[i]; {
		case i < last && l.end == noEnd:
			l.end = b.eol
		case i == last && b.open:
			l.end = noEnd
		case i == last && l.end == noEnd:
			l.end = b.eol
		}
	}
}

// folded returns the numbers of the lines under a fold.
func (b *body) folded(f fold) []int32 {
	if b.keys[f] == nil {
		b.in.expect(min(len(b.lines), b.size/32))
		exact, trimmed := b.keys[foldExact], b.keys[foldTrim]
		ids := make([]int32, len(b.lines))
		for i, l := range b.lines {
			if f == foldUnicode && trimmed != nil && isPlain(l.text) {
				ids[i] = trimmed[i]
				continue
			}
			text := f.apply(l.text)
			if exact != nil && len(text) == len(l.text) && text == l.text {
				ids[i] = exact[i] // without looking it up again
				continue
			}
			ids[i] = b.in.id(text)
		}
		b.keys[f] = ids
	}
	return b.keys[f]
}
