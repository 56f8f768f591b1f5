package document

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// Encoding is the unit in which the client counts characters within a line.
type Encoding string

// The three encodings of the protocol.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// Lines converts between byte offsets in a text and the client's positions. It is the only place
// that does. A line ends with "\n", "\r\n" or a lone "\r", and its break is no part of it.
//
// Invariant: starts is never changed once it has been made; a change makes a new table.
type Lines struct {
	Text   string
	starts []int32 // offset of the first byte of each line; starts[0] is 0
	// onlyLF: this client's lines end at "\n" alone, against the protocol, and a "\r" is a character.
	onlyLF bool
}

// NewLines builds the table for text by the rules of the protocol.
func NewLines(text string) Lines { return LinesOf(text, false) }

// LinesOf builds the table by the rules of the client (see client.Quirks.OnlyLF).
func LinesOf(text string, onlyLF bool) Lines {
	starts := append(make([]int32, 0, 16+len(text)/32), 0)
	return Lines{Text: text, starts: scanBreaks(starts, text, 0, len(text), onlyLF), onlyLF: onlyLF}
}

// scanBreaks appends the offset behind each line break that ends within text[from:to]. The "\n" of
// a "\r\n" must not stand outside of that part alone.
func scanBreaks(starts []int32, text string, from, to int, onlyLF bool) []int32 {
	if onlyLF || strings.IndexByte(text[from:to], '\r') < 0 { // the usual file
		for i := from; i < to; {
			n := strings.IndexByte(text[i:to], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			starts = append(starts, int32(i))
		}
		return starts
	}
	for i := from; i < to; i++ {
		switch {
		case text[i] == '\n':
		case text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
		default:
			continue
		}
		starts = append(starts, int32(i+1))
	}
	return starts
}

// Count returns the number of lines; a text that ends with a line break has an empty last line.
func (l Lines) Count() int { return len(l.starts) }

// lineOf returns the line on which the byte at offset stands.
func (l Lines) lineOf(offset int) int {
	n, found := slices.BinarySearch(l.starts, int32(offset))
	if found {
		return n
	}
	return n - 1
}

// bounds returns the offsets of the first byte of a line and of its line break.
func (l Lines) bounds(line int) (start, end int) {
	start = int(l.starts[line])
	if line+1 == len(l.starts) {
		return start, len(l.Text)
	}
	end = int(l.starts[line+1]) - 1
	if !l.onlyLF && end > start && l.Text[end] == '\n' && l.Text[end-1] == '\r' {
		end--
	}
	return start, end
}

// Offset returns the byte offset of p. What lies beyond the last line is the end of the text, what
// lies beyond a line's end is that end, and the middle of a character is its beginning.
func (l Lines) Offset(p protocol.Position, e Encoding) int {
	if uint64(p.Line) >= uint64(len(l.starts)) {
		return len(l.Text)
	}
	start, end := l.bounds(int(p.Line))
	line, units := l.Text[start:end], int(p.Character)
	if e == UTF8 {
		if units >= len(line) {
			return end
		}
		for !runeBegins(line, units) {
			units--
		}
		return start + units
	}
	at := 0
	for at < len(line) {
		if line[at] < utf8.RuneSelf { // one unit in every encoding
			if units == 0 {
				break
			}
			units--
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(line[at:])
		if units -= unitsOf(r, e); units < 0 {
			break
		}
		at += size
	}
	return start + at
}

// Position returns the client's position of a byte offset; an offset within a character or a line
// break stands for its beginning.
func (l Lines) Position(offset int, e Encoding) protocol.Position {
	offset = min(max(offset, 0), len(l.Text))
	line := l.lineOf(offset)
	start, end := l.bounds(line)
	offset = min(offset, end)
	for !runeBegins(l.Text[start:end], offset-start) {
		offset--
	}
	units := 0
	switch e {
	case UTF8:
		units = offset - start
	case UTF16, UTF32:
		for _, r := range l.Text[start:offset] {
			units += unitsOf(r, e)
		}
	}
	return protocol.Position{Line: uint32(line), Character: uint32(units)}
}

// Span returns the byte offsets of a range. A range whose end lies before its start is turned round.
func (l Lines) Span(r protocol.Range, e Encoding) (start, end int) {
	start, end = l.Offset(r.Start, e), l.Offset(r.End, e)
	return min(start, end), max(start, end)
}

// RangeOf is the inverse of span.
func (l Lines) RangeOf(start, end int, e Encoding) protocol.Range {
	return protocol.Range{Start: l.Position(start, e), End: l.Position(end, e)}
}

// runeBegins reports whether a character begins at byte i of s. A byte that belongs to no
// well-formed character is one of its own.
func runeBegins(s string, i int) bool {
	if i <= 0 || i >= len(s) || utf8.RuneStart(s[i]) {
		return true
	}
	for back := 1; back < utf8.UTFMax && back <= i; back++ {
		if utf8.RuneStart(s[i-back]) {
			_, size := utf8.DecodeRuneInString(s[i-back:])
			return size <= back
		}
	}
	return true
}

func unitsOf(r rune, e Encoding) int {
	if e == UTF16 && r > 0xFFFF {
		return 2
	}
	return 1
}

// Replace returns the table of the text in which text[start:end] has become with. It scans only the
// lines that the change touches and shifts the others.
func (l Lines) Replace(start, end int, with string) Lines {
	text := l.Text[:start] + with + l.Text[end:]
	// The line of the byte before the change is scanned again, because a "\r" there may gain or
	// lose its "\n"; so is the line of the byte behind it.
	first := l.lineOf(max(start-1, 0))
	next, found := slices.BinarySearch(l.starts, int32(end))
	if found {
		next++
	}
	delta, to := len(with)-(end-start), len(text)
	if next < len(l.starts) {
		to = int(l.starts[next]) + delta
	}
	starts := make([]int32, first+1, len(l.starts)+strings.Count(with, "\n")+2)
	copy(starts, l.starts)
	starts = scanBreaks(starts, text, int(l.starts[first]), to, l.onlyLF)
	if next+1 < len(l.starts) {
		at := len(starts)
		starts = append(starts, l.starts[next+1:]...)
		for i := at; i < len(starts); i++ {
			starts[i] += int32(delta)
		}
	}
	return Lines{Text: text, starts: starts, onlyLF: l.onlyLF}
}

// ChooseEncoding picks the encoding that the server announces from what the client offers.
func ChooseEncoding(offered []string, preferUTF16 bool) (Encoding, error) {
	if len(offered) == 0 {
		return UTF16, nil
	}
	order := []Encoding{UTF8, UTF16, UTF32}
	if preferUTF16 {
		order = []Encoding{UTF16, UTF8, UTF32}
	}
	for _, e := range order {
		if slices.Contains(offered, string(e)) {
			return e, nil
		}
	}
	return UTF16, fmt.Errorf("the client offers %q but not utf-8, utf-16 or utf-32; using utf-16", offered)
}
