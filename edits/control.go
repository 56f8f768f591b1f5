package edits

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coauthor/edits/match"
)

// controls is what controlled says of an edit with these new lines, which may have been read in another way than they are
// written. A nil file has nothing yet.
func (f *file) controls(e *Edit, lines []string) *objection {
	if o := f.controlled(e.Replace); o != nil {
		return o
	}
	return f.controlled(strings.Join(lines, "\n"))
}

// holds says whether the file has such a sign, or such a byte where it is no UTF-8 either. The bytes of its mark are none of
// its text.
func (f *file) holds(sign string, broken bool) bool {
	text := strings.TrimPrefix(f.first, match.ByteOrderMark)
	return strings.Contains(text, sign) && (!broken || !utf8.ValidString(text))
}

// controlled objects to new text with characters that are no text: NUL and the other control characters, bytes that are no
// UTF-8, and the sign for a character that was lost, as of half a surrogate pair. Editors refuse files with them, or take
// them for binary. Tabs and line ends are text. What the file has already, such as its form feeds, may come again; NUL never.
func (f *file) controlled(text string) *objection {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\t' || c == '\n' || c == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		sign := text[i : i+size]
		i += size
		if r != utf8.RuneError && r > 0x9f {
			continue
		}
		broken := r == utf8.RuneError && size == 1 // such a byte may be a part of a character that the file has
		if c != 0 && f != nil && f.holds(sign, broken) {
			continue
		}
		what := fmt.Sprintf("the control character U+%04X", r)
		switch {
		case broken:
			what = fmt.Sprintf("the byte %#x, which is no UTF-8", c)
		case r == utf8.RuneError:
			what = "U+FFFD, which stands for a character that was lost"
		case r == '\r':
			what = "a carriage return in the middle of a line"
		}
		from := strings.LastIndexAny(text[:i-size], "\r\n") + 1
		line, _, _ := strings.Cut(text[from:], "\n")
		return &objection{ReasonControl, fmt.Sprintf("the new text holds %s, in the line %q; write the edit again without it, or with an escape of the language", what, shortened(line))}
	}
	return nil
}

// shortened is the beginning of a line, for a message.
func shortened(line string) string {
	const most = 60
	for i := range line {
		if i >= most {
			return line[:i] + "…"
		}
	}
	return line
}
