package lsp

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// encoding is the unit in which the client counts characters within a line.
type encoding string

// The three encodings of the protocol.
const (
	utf8Units  encoding = "utf-8"
	utf16Units encoding = "utf-16"
	utf32Units encoding = "utf-32"
)

// lines converts between byte offsets in a text and the client's positions. It is the only place
// that does. A line ends with "\n", "\r\n" or a lone "\r", and its break is no part of it.
//
// Invariant: starts is never changed once it has been made; a change makes a new table.
type lines struct {
	text   string
	starts []int32 // offset of the first byte of each line; starts[0] is 0
	// onlyLF: this client's lines end at "\n" alone, against the protocol, and a "\r" is a character.
	onlyLF bool
}

// newLines builds the table for text by the rules of the protocol.
func newLines(text string) lines { return linesOf(text, false) }

// linesOf builds the table by the rules of the client (see quirks.OnlyLF).
func linesOf(text string, onlyLF bool) lines {
	starts := append(make([]int32, 0, 16+len(text)/32), 0)
	return lines{text: text, starts: scanBreaks(starts, text, 0, len(text), onlyLF), onlyLF: onlyLF}
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

// count returns the number of lines; a text that ends with a line break has an empty last line.
func (l lines) count() int { return len(l.starts) }

// lineOf returns the line on which the byte at offset stands.
func (l lines) lineOf(offset int) int {
	n, found := slices.BinarySearch(l.starts, int32(offset))
	if found {
		return n
	}
	return n - 1
}

// bounds returns the offsets of the first byte of a line and of its line break.
func (l lines) bounds(line int) (start, end int) {
	start = int(l.starts[line])
	if line+1 == len(l.starts) {
		return start, len(l.text)
	}
	end = int(l.starts[line+1]) - 1
	if !l.onlyLF && end > start && l.text[end] == '\n' && l.text[end-1] == '\r' {
		end--
	}
	return start, end
}

// offset returns the byte offset of p. What lies beyond the last line is the end of the text, what
// lies beyond a line's end is that end, and the middle of a character is its beginning.
func (l lines) offset(p protocol.Position, e encoding) int {
	if uint64(p.Line) >= uint64(len(l.starts)) {
		return len(l.text)
	}
	start, end := l.bounds(int(p.Line))
	line, units := l.text[start:end], int(p.Character)
	if e == utf8Units {
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

// position returns the client's position of a byte offset; an offset within a character or a line
// break stands for its beginning.
func (l lines) position(offset int, e encoding) protocol.Position {
	offset = min(max(offset, 0), len(l.text))
	line := l.lineOf(offset)
	start, end := l.bounds(line)
	offset = min(offset, end)
	for !runeBegins(l.text[start:end], offset-start) {
		offset--
	}
	units := 0
	switch e {
	case utf8Units:
		units = offset - start
	case utf16Units, utf32Units:
		for _, r := range l.text[start:offset] {
			units += unitsOf(r, e)
		}
	}
	return protocol.Position{Line: uint32(line), Character: uint32(units)}
}

// span returns the byte offsets of a range. A range whose end lies before its start is turned round.
func (l lines) span(r protocol.Range, e encoding) (start, end int) {
	start, end = l.offset(r.Start, e), l.offset(r.End, e)
	return min(start, end), max(start, end)
}

// rangeOf is the inverse of span.
func (l lines) rangeOf(start, end int, e encoding) protocol.Range {
	return protocol.Range{Start: l.position(start, e), End: l.position(end, e)}
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

func unitsOf(r rune, e encoding) int {
	if e == utf16Units && r > 0xFFFF {
		return 2
	}
	return 1
}

// replace returns the table of the text in which text[start:end] has become with. It scans only the
// lines that the change touches and shifts the others.
func (l lines) replace(start, end int, with string) lines {
	text := l.text[:start] + with + l.text[end:]
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
	return lines{text: text, starts: starts, onlyLF: l.onlyLF}
}

// parseEncoding picks the encoding that the server announces from what the client offers.
func parseEncoding(offered []string, preferUTF16 bool) (encoding, error) {
	if len(offered) == 0 {
		return utf16Units, nil
	}
	order := []encoding{utf8Units, utf16Units, utf32Units}
	if preferUTF16 {
		order = []encoding{utf16Units, utf8Units, utf32Units}
	}
	for _, e := range order {
		if slices.Contains(offered, string(e)) {
			return e, nil
		}
	}
	return utf16Units, fmt.Errorf("the client offers none of utf-8, utf-16 and utf-32, but %q; utf-16 is used", offered)
}
