// Package display makes text of others fit to be shown: what a model wrote, what stands in a file or
// is its name, what a server answered. A terminal obeys some of such text instead of showing it, and
// editors draw some of it as nothing or in another order, so that a user would agree to a change that
// is not the one on the screen.
//
// The rule: every code point that moves the cursor, gives an order, changes the direction of the text
// or has no picture of its own is written as <U+XXXX>, and every byte that is no UTF-8 as <0xXX>. These
// are
//   - control characters: C0, DEL and C1 (with them escape, CSI and OSC sequences lose their first byte),
//   - format characters: the bidirectional ones, zero-width ones, tags, the byte order mark, but for the
//     few that are drawn, such as the Arabic sign of a number,
//   - the separators of lines and paragraphs,
//   - what Unicode says is ignored by default: fillers, variation selectors (but for the one behind a
//     symbol, which makes a picture of it, as in ⚠️), and what is no character at all.
//
// A text of several lines keeps its line ends and tabs; a carriage return before a line end belongs to
// it and is left out. A text of one line has blanks in the place of both. All else stays as it is,
// so that nothing is lost to the reader: letters of all scripts, with their accents, and emoji.
//
// What programs read (JSON, a diff that is written into a file, the files themselves) never goes
// through here. The package is a leaf: it imports none of ours. Start at Text, Line and Stream.
package display

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a text of several lines as it may be shown.
func Text(s string) string {
	var t Stream
	return t.Write(s) + t.End()
}

// Line returns a text as it may be shown where one line is meant: line ends and tabs are blanks.
func Line(s string) string {
	var out strings.Builder
	blank := false
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }) {
		part = strings.Trim(part, " ")
		if part == "" {
			continue
		}
		if blank {
			out.WriteByte(' ')
		}
		out.WriteString(part)
		blank = true
	}
	return Text(out.String())
}

// Message is Line for a sentence in which names stand: a word that is longer than a name that anybody
// can read is cut, and so is a text that has no end.
func Message(s string) string {
	const longWord, longText = 200, 2000
	words := strings.Split(Line(s), " ")
	for i, word := range words {
		words[i] = cut(word, longWord)
	}
	s = strings.Join(words, " ")
	if utf8.RuneCountInString(s) <= longText {
		return s
	}
	return string([]rune(s)[:longText-1]) + "…"
}

// Messages is Message for a text of several lines, each of which is a sentence that may be indented.
func Messages(s string) string {
	lines := strings.Split(Text(s), "\n")
	for i, line := range lines {
		words := strings.TrimLeft(line, " \t")
		lines[i] = line[:min(len(line)-len(words), 200)] + Message(words)
	}
	return strings.Join(lines, "\n")
}

// Path returns the name of a file as one line of at most width characters.
func Path(name string, width int) string { return cut(Line(name), width) }

// cut shortens a name to at most width characters by taking out of its middle. Its end, which tells
// names apart, gets more room than its beginning.
func cut(name string, width int) string {
	if len(name) <= width {
		return name
	}
	runes := []rune(name)
	switch {
	case len(runes) <= width:
		return name
	case width < 1:
		return ""
	}
	begin := (width - 1) / 3
	return string(runes[:begin]) + "…" + string(runes[len(runes)-(width-1-begin):])
}

// NewWriter returns a writer that shows on w what is written to it. What could only be judged with the
// next piece (the first half of a character) waits for it.
func NewWriter(w io.Writer) io.Writer { return &writer{w: w} }

type writer struct {
	w      io.Writer
	stream Stream
}

// Write implements io.Writer. It counts the bytes that were given to it.
func (w *writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.w, w.stream.Write(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Stream is Text for a text that comes in pieces, which may end in the middle of a character. The zero
// value is ready.
type Stream struct {
	held string // what the next piece decides on
	last rune   // what was shown last
}

// Write takes the next piece and returns what can be shown.
func (s *Stream) Write(piece string) string { return s.show(s.held+piece, false) }

// End returns what was held back. Then the stream is ready for another text.
func (s *Stream) End() string {
	out := s.show(s.held, true)
	*s = Stream{}
	return out
}

func (s *Stream) show(text string, all bool) string {
	s.held = ""
	var out strings.Builder
	out.Grow(len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		next := text[i+n:]
		if !all && (next == "" && s.waits(r) || r == utf8.RuneError && !utf8.FullRuneInString(text[i:]) ||
			s.waits(r) && !utf8.FullRuneInString(next)) {
			s.held = text[i:]
			break
		}
		before := s.last
		s.last = 0 // what is not shown as itself takes no variation selector
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, "<0x%02X>", text[i])
		case r == '\r' && strings.HasPrefix(next, "\n"):
		case r == '\n' || r == '\t' || !hidden(r) || selects(before, r, next):
			out.WriteRune(r)
			s.last = r
		default:
			fmt.Fprintf(&out, "<U+%04X>", r)
		}
		i += n
	}
	return out.String()
}

// waits says whether only what follows r tells how it is shown.
func (s *Stream) waits(r rune) bool { return r == '\r' || r == emojiStyle && keycap(s.last) }

const (
	textStyle  = 0xFE0E // variation selectors 15 and 16: draw the symbol before them
	emojiStyle = 0xFE0F // as text, or as a picture
)

// selects says whether r is a variation selector where it belongs: behind a symbol, or in a keycap.
func selects(before, r rune, next string) bool {
	switch {
	case r != textStyle && r != emojiStyle:
		return false
	case keycap(before):
		return strings.HasPrefix(next, "\u20E3")
	}
	return before > unicode.MaxLatin1 && unicode.IsSymbol(before) || before == '©' || before == '®'
}

func keycap(r rune) bool { return '0' <= r && r <= '9' || r == '#' || r == '*' }

// hidden says whether a code point has no picture of its own, or is an order.
func hidden(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7F && r < 0xA0:
		return true
	case r < 0xAD:
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point)
}

// ShellWord is a word as a POSIX shell reads it: in quotes where it needs them.
func ShellWord(word string) string {
	if word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./=:@,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
