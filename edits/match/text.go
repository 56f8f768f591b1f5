package match

import (
	"slices"
	"strings"
)

// ByteOrderMark may begin a file, and is no part of its first line.
const ByteOrderMark = "\ufeff"

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

// Text is a file that is being edited. Invariants: each line has its end; where keys[f] is not nil it holds, for each
// line, the number that it has under the fold f.
type Text struct {
	bom   bool
	lines []string // without their ends
	ends  []ending
	size  int    // of the text that it was made from
	eol   ending // what an added line ends in where no neighbour says
	open  bool   // the last line has no end, and the last line of the result shall have none
	keys  [folds][]int32
	in    *Table
	// selected are the lines that the user has selected, wherever they are by now; none if empty.
	selected limits
	named    map[string]bool // see names
	// Scratch for searches.
	votes  ballot
	spots  []spot
	finder finder
}

// NewText takes a file over.
func NewText(text string, in *Table) *Text {
	b := &Text{in: in, size: len(text)}
	b.lines, b.ends, b.bom = cut(text)
	b.open = len(b.ends) > 0 && b.ends[len(b.ends)-1] == noEnd
	b.eol = dominant(b.ends)
	return b
}

// Lines are the lines of a text, without their ends and without a byte order mark.
func Lines(text string) []string {
	lines, _, _ := cut(text)
	return lines
}

// cut splits a text into its lines and what each of them ends in, without a byte order mark.
func cut(text string) (lines []string, ends []ending, marked bool) {
	text, marked = strings.CutPrefix(text, ByteOrderMark)
	if text == "" {
		return nil, nil, marked
	}
	most := strings.Count(text, "\n") + 1
	lines, ends = make([]string, 0, most), make([]ending, 0, most)
	for plain := strings.IndexByte(text, '\r') < 0; plain && text != ""; {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			return append(lines, text), append(ends, noEnd), marked
		}
		lines, ends = append(lines, text[:n]), append(ends, endLF)
		text = text[n+1:]
	}
	for text != "" {
		n := strings.IndexAny(text, "\r\n")
		end, next := endLF, n+1
		switch {
		case n < 0:
			return append(lines, text), append(ends, noEnd), marked
		case text[n] == '\r' && n+1 < len(text) && text[n+1] == '\n':
			end, next = endCRLF, n+2
		case text[n] == '\r':
			end = endCR
		}
		lines, ends = append(lines, text[:n]), append(ends, end)
		text = text[next:]
	}
	return lines, ends, marked
}

// dominant is the end that most lines have; the first one of them on a tie.
func dominant(ends []ending) ending {
	var count [endings]int
	for _, end := range ends {
		count[end]++
	}
	count[noEnd] = 0
	best := noEnd
	for _, end := range ends {
		if count[end] > count[best] {
			best = end
		}
	}
	if best == noEnd {
		return endLF
	}
	return best
}

// String is the file as it is now.
func (b *Text) String() string {
	var out strings.Builder
	size := len(ByteOrderMark)
	for i, text := range b.lines {
		size += len(text) + len(b.ends[i].String())
	}
	out.Grow(size)
	if b.bom {
		out.WriteString(ByteOrderMark)
	}
	for i, text := range b.lines {
		out.WriteString(text)
		out.WriteString(b.ends[i].String())
	}
	return out.String()
}

// Lines are the lines as they are now, good until the next edit.
func (b *Text) Lines() []string { return b.lines }

// Blank says whether there is nothing in the file.
func (b *Text) Blank() bool { return b.blankFrom(0) }

func (b *Text) blankFrom(row int) bool {
	for _, text := range b.lines[row:] {
		if !IsBlank(text) {
			return false
		}
	}
	return true
}

// CloseEnd has the file end in a line end from the next edit on.
func (b *Text) CloseEnd() { b.open = false }

// piece is lines that are to be put into a text, with what they end in.
type piece struct {
	lines []string
	ends  []ending
}

func (p *piece) add(text string, end ending) {
	p.lines, p.ends = append(p.lines, text), append(p.ends, end)
}

// keep adds lines of a text as they are.
func (p *piece) keep(b *Text, from, to int) {
	p.lines, p.ends = append(p.lines, b.lines[from:to]...), append(p.ends, b.ends[from:to]...)
}

// Splice puts lines in the place of from..to. They end as those whose places they take.
func (b *Text) Splice(from, to int, lines []string) {
	with := piece{lines, make([]ending, 0, len(lines))}
	gone := b.ends[from:to]
	for range lines {
		with.ends = append(with.ends, b.newEnd(with.ends, &gone, from, to))
	}
	b.replace(from, to, with)
}

// replace puts lines in the place of from..to and keeps the invariants: every line but the last has
// an end, and the last has one just if the file's last line had one before.
func (b *Text) replace(from, to int, with piece) {
	n := len(with.lines)
	b.selected = b.selected.moved(from, to, n)
	for f := range b.keys {
		if b.keys[f] == nil {
			continue
		}
		b.keys[f] = slices.Replace(b.keys[f], from, to, make([]int32, n)...)
		for i, text := range with.lines {
			b.keys[f][from+i] = b.in.id(fold(f).apply(text))
		}
	}
	b.lines = slices.Replace(b.lines, from, to, with.lines...)
	b.ends = slices.Replace(b.ends, from, to, with.ends...)
	last := len(b.lines) - 1
	for i := max(from-1, 0); i <= min(from+n, last); i++ {
		switch end := &b.ends[i]; {
		case i < last && *end == noEnd:
			*end = b.eol
		case i == last && b.open:
			*end = noEnd
		case i == last && *end == noEnd:
			*end = b.eol
		}
	}
}

// newEnd is the line end of a new line: that of the removed line whose place it takes, else of the line above it, else of
// the one below. Where the three differ from each other it is the one that most lines have. out are the ends so far in the
// place of those from a line on, and below is the line that follows.
func (b *Text) newEnd(out []ending, gone *[]ending, from, below int) ending {
	own, above, under := noEnd, noEnd, noEnd
	if g := *gone; len(g) > 0 {
		own, *gone = g[0], g[1:]
	}
	switch {
	case len(out) > 0:
		above = out[len(out)-1]
	case from > 0:
		above = b.ends[from-1]
	}
	if below < len(b.lines) {
		under = b.ends[below]
	}
	if own != noEnd && above != noEnd && under != noEnd && own != above && own != under && above != under {
		return b.eol
	}
	for _, end := range []ending{own, above, under} {
		if end != noEnd {
			return end
		}
	}
	return b.eol
}

// folded returns the numbers of the lines under a fold.
func (b *Text) folded(f fold) []int32 {
	if b.keys[f] == nil {
		b.in.expect(min(len(b.lines), b.size/32))
		exact, trimmed := b.keys[foldExact], b.keys[foldTrim]
		ids := make([]int32, len(b.lines))
		for i, line := range b.lines {
			if f == foldUnicode && trimmed != nil && isPlain(line) {
				ids[i] = trimmed[i]
				continue
			}
			text := f.apply(line)
			if exact != nil && len(text) == len(line) && text == line {
				ids[i] = exact[i] // without looking it up again
				continue
			}
			ids[i] = b.in.id(text)
		}
		b.keys[f] = ids
	}
	return b.keys[f]
}

// Stands says whether the old lines of a pattern stand somewhere in the file, but for blanks at their ends.
func (b *Text) Stands(p *Pattern) bool {
	return b.finder.first(b.folded(foldRight), p.folded(foldRight), 0) >= 0
}

// StandsAt says whether they stand at a line, counted from 1.
func (b *Text) StandsAt(p *Pattern, line int) bool {
	from, to := line-1, line-1+len(p.old)
	return line > 0 && to <= len(b.lines) && slices.Equal(b.folded(foldRight)[from:to], p.folded(foldRight))
}

// Times is how often they stand in the file just as they are, and whether they do so at a line, counted from 1.
func (b *Text) Times(p *Pattern, line int) (n int, there bool) {
	for at := range b.finder.all(b.folded(foldExact), p.folded(foldExact)) {
		n++
		there = there || at == line-1
	}
	return n, there
}

// standsIn says whether one of some lines is this one, but for blanks around it.
func (b *Text) standsIn(text string, w limits) bool {
	id := b.in.find(Trim(text))
	return id != unknown && slices.Contains(b.folded(foldTrim)[w.from:w.to], id)
}

// names are those of the file as it was when they were first asked for.
func (b *Text) names() map[string]bool {
	if b.named == nil {
		b.named = map[string]bool{}
		for _, text := range b.lines {
			for name := range eachName(text) {
				b.named[name] = true
			}
		}
	}
	return b.named
}
