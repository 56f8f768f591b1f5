package edits

import (
	"strings"

	"coauthor/edits/match"
)

// omission is a line of a new text that looks as if it stood for code.
type omission struct {
	text string
	// lost says that it stands in the place of code: then the code was left out. Without that it may be
	// a comment like any other.
	lost bool
}

// maybeOmitted tells the user of an omission that is not shown to be one.
const maybeOmitted = "%q may stand for code that was left out of %s; nothing shows that it does"

// omitted returns the first line of the new text that stands in the place of code, or else the first
// that only looks like it. lines are those that stay, go and come; what the file had before is none.
func omitted(lines []match.Line, before []string) (omission, bool) {
	var out omission
	old := trimmedSet{lines: before}
	for i, l := range lines {
		if l.Sign != '+' || !match.IsDots(l.Text) || old.has(l.Text) {
			continue
		}
		text := match.Trim(l.Text)
		if replacesCode(lines, i) {
			return omission{text, true}, true
		}
		if out.text == "" && match.IsComment(text) { // dots alone may be code, as the body of a function in Python
			out.text = text
		}
	}
	return out, out.text != ""
}

// omittedIn is omitted for the whole new text of a file. It compares the two only where a line gives
// reason to.
func omittedIn(before []string, after []string, spare *int) (omission, bool) {
	old := trimmedSet{lines: before}
	for _, text := range after {
		if !match.IsDots(text) || old.has(text) {
			continue
		}
		return omitted(both(before, after, spare), before)
	}
	return omission{}, false
}

// trimmedSet are lines without the blanks around them, gathered when first asked for.
type trimmedSet struct {
	lines []string
	set   map[string]bool
}

func (s *trimmedSet) has(text string) bool {
	if s.set == nil {
		s.set = match.Set(s.lines)
	}
	return s.set[match.Trim(text)]
}

// replacesCode says whether the dots at index i stand where code was: around them more lines of code go than come. Lines
// that stay part one place from another, but for those without a word.
func replacesCode(lines []match.Line, i int) bool {
	from, to := i, i+1
	for from > 0 && !parts(lines[from-1]) {
		from--
	}
	for to < len(lines) && !parts(lines[to]) {
		to++
	}
	gone, come := 0, 0
	for _, l := range lines[from:to] {
		if match.IsBlank(l.Text) || match.IsComment(l.Text) || match.IsDots(l.Text) {
			continue
		}
		switch l.Sign {
		case '-':
			gone++
		case '+':
			come++
		}
	}
	return gone > come
}

func parts(l match.Line) bool {
	return l.Sign == ' ' && strings.ContainsFunc(l.Text, func(c rune) bool { return c != '_' && isWordRune(c) })
}

// placeholder says whether the text of a new file is only comments and dots.
func placeholder(text string) bool {
	dots := false
	for _, l := range match.Lines(text) {
		if match.IsDots(l) {
			dots = true
		} else if !match.IsBlank(l) && !match.IsComment(l) {
			return false
		}
	}
	return dots
}
