package edits

import (
	"fmt"
	"slices"
	"strings"
)

// holdsLookAlikes objects to new lines with typographic characters that the old ones have in the place of those that people
// type, or that the file does not have there: most likely all of the text was made so on its way.
func (a *attempt) holdsLookAlikes() *objection {
	if a.at.rung != RungUnicode && a.at.rung != RungSimilar {
		return nil
	}
	there := a.f.body.lines[a.at.from:a.at.to]
	for _, l := range a.p.lines {
		if l.Sign != '+' || isPlain(l.Text) {
			continue
		}
		for _, c := range l.Text {
			if plainRune(c) != c && !slices.ContainsFunc(there, func(l line) bool { return strings.ContainsRune(l.text, c) }) {
				return &objection{ReasonNoMatch, fmt.Sprintf("the new lines hold %q (%U), and %s has no such character there; write the lines with the characters of the file", c, c, a.path)}
			}
		}
	}
	return nil
}

// plainIndents is the pattern with plain blanks where its lines begin with others.
func (p *pattern) plainIndents() *pattern {
	var lines []ChunkLine
	for i, l := range p.lines {
		if isPlain(l.Text) {
			continue
		}
		text := plain(l.Text)
		head := indentOf(text)
		n := 0 // the blanks of the text as it is written
		for at, c := range l.Text {
			if n = at; !isBlank(plain(string(c))) {
				break
			}
			n = len(l.Text)
		}
		if head == l.Text[:n] || n == 0 {
			continue
		}
		if lines == nil {
			lines = append(lines, p.lines...)
		}
		lines[i].Text = head + l.Text[n:]
	}
	if lines == nil {
		return p
	}
	q := newPattern(lines, p.in)
	q.hunk, q.ends = p.hunk, p.ends
	return q
}
