package match

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

// Trim is a line without the blanks around it.
func Trim(text string) string {
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
		return Trim(text)
	case foldUnicode:
		return Trim(plain(text))
	}
	return text
}

// IsBlank says whether there is nothing in a line but blanks.
func IsBlank(text string) bool { return Trim(text) == "" }

// Indent is the blanks at the start of a line.
func Indent(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }

// Set is what is in some lines, but for the blanks around it.
func Set(lines []string) map[string]bool {
	out := make(map[string]bool, len(lines))
	for _, text := range lines {
		out[Trim(text)] = true
	}
	return out
}
