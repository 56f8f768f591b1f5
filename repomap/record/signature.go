package record

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"coauthor/repomap/syntax/tag"
)

const (
	maxSignature = 100  // runes of what is kept of a value, and of a head that does not end
	maxHead      = 1000 // of the head of a function or type, which is kept whole
	maxHeadLines = 60   // that it may stand on
)

// signature is the head of a definition on one line: from the line of its name, on over the lines
// of an open bracket, without the brace that opens the body. A head is kept whole, or nobody could call it;
// what a value is set to is not.
func signature(src []byte, t tag.Tag) string {
	from := t.Start
	for line := t.First; line < t.Line && from < len(src); line++ {
		i := bytes.IndexByte(src[from:], '\n')
		if i < 0 {
			break
		}
		from += i + 1
	}
	if line := bytes.LastIndexByte(src[:from], '\n') + 1; len(bytes.TrimSpace(src[line:from])) < 30 {
		from = line // `export`, `static int`: what stands before the node on its line
	}
	if Value(t.Kind) {
		b, _ := headOf(src[from:], 2*maxSignature, 12)
		return Shorten(trimHead(string(b)), maxSignature)
	}
	b, whole := headOf(src[from:], 2*maxHead, maxHeadLines)
	s := string(b)
	if t.Kind == tag.Function || t.Kind == tag.Method {
		s = withoutBody(s)
	}
	if s = trimHead(s); whole && utf8.RuneCountInString(s) <= maxHead {
		return s
	}
	return Shorten(s, maxSignature)
}

// headOf joins the lines of src as far as the brackets go that open in them. whole says that they are closed
// within these bytes and lines; a function that is handed to another one has its body inside a bracket, and ends before it.
func headOf(src []byte, most, lines int) (b []byte, whole bool) {
	b = make([]byte, 0, 256)
	depth, from := 0, 0
	for n := 0; n < lines && from < len(src) && len(b) < most; n++ {
		end := len(src)
		if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
			end = from + i
		}
		start := len(b)
		b = appendFields(b, src[from:min(end, from+2*most)])
		cut := end-from > 2*most
		for _, c := range b[start:] {
			switch c {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			}
		}
		from = end + 1
		if depth > 0 && opensBody(b[start:]) {
			return b, true
		}
		if depth <= 0 && !goesOn(b) {
			return b, !cut
		}
	}
	return b, false
}

// opensBody says that a body begins at the end of a line.
func opensBody(line []byte) bool {
	line, ok := bytes.CutSuffix(line, []byte("{"))
	line = bytes.TrimRight(line, " ")
	return ok && (bytes.HasSuffix(line, []byte("=>")) || bytes.HasSuffix(line, []byte(")")))
}

// goesOn says that a list goes on in the next line though no bracket that is counted is open: types in angle brackets.
func goesOn(b []byte) bool {
	return len(b) > 0 && (b[len(b)-1] == '<' || b[len(b)-1] == ',' && bytes.IndexByte(b, '<') >= 0 && bytes.IndexByte(b, '(') < 0)
}

// trimHead takes off what leads over to the body.
func trimHead(s string) string {
	s = strings.ReplaceAll(strings.TrimRight(s, " \t"), ",)", ")")
	for _, end := range []string{"{}", "{", "=>", ":", "=", ";", "\\", "("} {
		s = strings.TrimRight(strings.TrimSuffix(s, end), " ")
	}
	return s
}

// appendFields appends the words of a line with one blank between them, and one before them, but for brackets.
func appendFields(b, line []byte) []byte {
	for _, c := range line {
		if c >= utf8.RuneSelf { // there are other blanks, and bytes that are no text
			line = []byte(strings.Join(strings.Fields(strings.ToValidUTF8(string(line), "")), " "))
			break
		}
	}
	blank := len(b) > 0 && b[len(b)-1] != '('
	first := true
	for _, c := range line {
		switch c {
		case ' ', '\t', '\v', '\f', '\r', '\n':
			blank = blank || !first
			continue
		}
		if blank && (!first || c != ')') {
			b = append(b, ' ')
		}
		b = append(b, c)
		blank, first = false, false
	}
	return b
}

// withoutBody cuts off the body of a function that stands on the line of its head.
func withoutBody(s string) string {
	depth := 0
	for i, c := range s {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '{', '=':
			arrow := strings.HasPrefix(s[i:], "=>")
			if depth == 0 && i > 0 && s[i-1] == ' ' && (c == '{' || arrow && i+2 < len(s)) {
				if arrow {
					i += 2
				}
				return strings.TrimRight(s[:i], " ")
			}
		}
	}
	return s
}

// Shorten cuts s to n runes, the last of them an ellipsis.
func Shorten(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := 0
	for i := range s {
		if runes == n-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		runes++
	}
	return s
}
