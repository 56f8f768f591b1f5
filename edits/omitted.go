package edits

import "strings"

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
func omitted(lines []ChunkLine, before []line) (omission, bool) {
	var out omission
	old := trimmedSet{lines: before}
	for i, l := range lines {
		if l.Sign != '+' || !isDots(l.Text) || old.has(l.Text) {
			continue
		}
		text := foldTrim.apply(l.Text)
		if replacesCode(lines, i) {
			return omission{text, true}, true
		}
		if out.text == "" && isComment(text) { // dots alone may be code, as the body of a function in Python
			out.text = text
		}
	}
	return out, out.text != ""
}

// omittedIn is omitted for the whole new text of a file. It compares the two only where a line gives
// reason to.
func omittedIn(before []line, after []string, spare *int) (omission, bool) {
	old := trimmedSet{lines: before}
	for _, text := range after {
		if !isDots(text) || old.has(text) {
			continue
		}
		list := make([]string, len(before))
		for i, l := range before {
			list[i] = l.text
		}
		return omitted(replacePattern(joined(list), joined(after), spare), before)
	}
	return omission{}, false
}

// trimmedSet are lines without the blanks around them, gathered when first asked for.
type trimmedSet struct {
	lines []line
	set   map[string]bool
}

func (s *trimmedSet) has(text string) bool {
	if s.set == nil {
		s.set = map[string]bool{}
		for _, l := range s.lines {
			s.set[foldTrim.apply(l.text)] = true
		}
	}
	return s.set[foldTrim.apply(text)]
}

// replacesCode says whether the dots at index i stand where code was: around them more lines of code go than come. Lines
// that stay part one place from another, but for those without a word.
func replacesCode(lines []ChunkLine, i int) bool {
	from, to := i, i+1
	for from > 0 && !parts(lines[from-1]) {
		from--
	}
	for to < len(lines) && !parts(lines[to]) {
		to++
	}
	gone, come := 0, 0
	for _, l := range lines[from:to] {
		if isBlank(l.Text) || isComment(l.Text) || isDots(l.Text) {
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

func parts(l ChunkLine) bool {
	return l.Sign == ' ' && strings.ContainsFunc(l.Text, func(c rune) bool { return c < 0x80 && c != '_' && isName(byte(c)) || c >= 0x80 })
}

// placeholder says whether the text of a new file is only comments and dots.
func placeholder(text string) bool {
	dots := false
	for _, l := range texts(text) {
		if isDots(l) {
			dots = true
		} else if !isBlank(l) && !isComment(l) {
			return false
		}
	}
	return dots
}
