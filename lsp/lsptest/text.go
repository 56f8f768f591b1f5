package lsptest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Position is a place in a text, in the units of the negotiated encoding.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is a half-open stretch of a text.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// counting is how a client counts places in a text.
type counting struct {
	encoding string // the unit of characters
	onlyLF   bool   // a lone "\r" is a character and ends no line, against the specification
}

// lineStarts gives the byte offset of each line; \n, \r\n and, by the specification, a lone \r end a line.
func lineStarts(text string, in counting) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			starts = append(starts, i+1)
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			} else if in.onlyLF {
				continue
			}
			starts = append(starts, i+1)
		}
	}
	return starts
}

// units counts a rune in the encoding.
func units(r rune, size int, encoding string) uint32 {
	switch encoding {
	case "utf-8":
		return uint32(size)
	case "utf-16":
		if r >= 0x10000 {
			return 2
		}
	}
	return 1
}

// positionAt converts a byte offset.
func positionAt(text string, offset int, in counting) Position {
	starts := lineStarts(text, in)
	line := 0
	for line+1 < len(starts) && starts[line+1] <= offset {
		line++
	}
	var n uint32
	for i := starts[line]; i < offset; {
		r, size := utf8.DecodeRuneInString(text[i:])
		n += units(r, size, in.encoding)
		i += size
	}
	return Position{Line: uint32(line), Character: n}
}

// exactly says how a strict reader sees a position: inside the document, or why not.
type exactly string

const (
	exact         exactly = ""
	pastLastLine  exactly = "lies past the last line"
	pastLineEnd   exactly = "lies past the end of its line"
	insideOneRune exactly = "lies inside one character"
)

// offsetAt converts a position and clamps it as the specification says; the second result tells what was clamped.
func offsetAt(text string, p Position, in counting) (int, exactly) {
	starts := lineStarts(text, in)
	if int(p.Line) >= len(starts) {
		return len(text), pastLastLine
	}
	i := starts[p.Line]
	end := len(text)
	if int(p.Line)+1 < len(starts) {
		end = starts[p.Line+1]
	}
	line := text[i:end]
	if whole, ended := strings.CutSuffix(line, "\n"); ended || !in.onlyLF {
		line = strings.TrimSuffix(whole, "\r")
	}
	var n uint32
	for j := 0; j < len(line); {
		if n == p.Character {
			return i + j, exact
		}
		r, size := utf8.DecodeRuneInString(line[j:])
		step := units(r, size, in.encoding)
		if n+step > p.Character {
			return i + j, insideOneRune
		}
		n += step
		j += size
	}
	if n < p.Character {
		return i + len(line), pastLineEnd
	}
	return i + len(line), exact
}

// TextEdit replaces a range.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// applyEdits applies edits that all refer to the given text. Ranges are clamped; check them before.
func applyEdits(text string, edits []TextEdit, in counting) string {
	type span struct {
		start, end int
		text       string
	}
	spans := make([]span, 0, len(edits))
	for _, e := range edits {
		start, _ := offsetAt(text, e.Range.Start, in)
		end, _ := offsetAt(text, e.Range.End, in)
		spans = append(spans, span{start, max(start, end), e.NewText})
	}
	// A stable order by start: edits at one place keep the order of the array.
	for i := 1; i < len(spans); i++ {
		for j := i; j > 0 && spans[j].start < spans[j-1].start; j-- {
			spans[j], spans[j-1] = spans[j-1], spans[j]
		}
	}
	var b strings.Builder
	last := 0
	for _, s := range spans {
		s.start = max(s.start, last)
		s.end = max(s.end, s.start)
		b.WriteString(text[last:s.start])
		b.WriteString(s.text)
		last = s.end
	}
	b.WriteString(text[last:])
	return b.String()
}

// applyBetweenBreaks applies edits as Kakoune does, where the last line break cannot be selected: an insertion behind it
// goes before it, and what replaces whole lines up to the end goes to the end of the line above them.
func applyBetweenBreaks(text string, edits []TextEdit, in counting) string {
	final := func(s string) int { // where the last line break begins
		return len(strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r"))
	}
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b TextEdit) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	for _, e := range slices.Backward(sorted) {
		start, _ := offsetAt(text, e.Range.Start, in)
		end, _ := offsetAt(text, e.Range.End, in)
		switch {
		case start == len(text): // behind the last line break there is nothing
			start = final(text)
			end = start
		case end == len(text) && start > 0 && text[start-1] == '\n':
			text = text[:start]
			start = final(text)
			end = start
		case end == len(text):
			end = max(start, final(text))
		}
		text = text[:start] + e.NewText + text[end:]
	}
	return text
}

// difference gives the one incremental change that turns a into b.
func difference(a, b string, in counting) TextEdit {
	pre := 0
	for pre < len(a) && pre < len(b) && a[pre] == b[pre] {
		pre++
	}
	for pre > 0 && (insideRune(a, pre) || insideRune(b, pre) || insideBreak(a, pre) || insideBreak(b, pre)) {
		pre--
	}
	post := 0
	for post < len(a)-pre && post < len(b)-pre && a[len(a)-1-post] == b[len(b)-1-post] {
		post++
	}
	for post > 0 && (insideRune(a, len(a)-post) || insideRune(b, len(b)-post) ||
		insideBreak(a, len(a)-post) || insideBreak(b, len(b)-post)) {
		post--
	}
	return TextEdit{
		Range: Range{
			Start: positionAt(a, pre, in),
			End:   positionAt(a, len(a)-post, in),
		},
		NewText: b[pre : len(b)-post],
	}
}

func insideRune(s string, i int) bool { return i < len(s) && !utf8.RuneStart(s[i]) }

func insideBreak(s string, i int) bool {
	return i > 0 && i < len(s) && s[i-1] == '\r' && s[i] == '\n'
}

// lineEnding is the ending most lines of a text have.
func lineEnding(text string) string {
	crlf := strings.Count(text, "\r\n")
	if crlf > 0 && crlf*2 >= strings.Count(text, "\n") {
		return "\r\n"
	}
	return "\n"
}
