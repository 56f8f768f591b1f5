package edits

import (
	"regexp"
	"slices"
)

// belowTail moves new lines that would part the head of a block from its body below that body, when
// the body ends the file: a hunk with nothing after its new lines ends the file as well, and only
// forgot the body.
func (b *body) belowTail(p *pattern, at place) (*pattern, place, bool) {
	head := len(indentOf(b.lines[at.to-1].text))
	for _, l := range b.lines[at.to:] {
		if !isBlank(l.text) && len(indentOf(l.text)) <= head {
			return nil, place{}, false
		}
	}
	cut := p.old[len(p.old)-1] + 1
	q := &pattern{lines: slices.Clone(p.lines[:cut]), in: p.in, hunk: true}
	for _, l := range b.lines[at.to:] {
		q.lines = append(q.lines, ChunkLine{Sign: ' ', Text: l.text})
	}
	q.lines = append(q.lines, p.lines[cut:]...)
	for i, l := range q.lines {
		if l.Sign != '+' {
			q.old = append(q.old, i)
		}
	}
	to := at
	to.rows, to.to, to.rung, to.lines = nil, len(b.lines), RungJoined, nil
	for k := range q.old {
		r := rows{at.to + k - len(p.old), at.to + k - len(p.old) + 1}
		if k < len(p.old) {
			r = at.row(k)
		}
		to.rows = append(to.rows, r)
	}
	return q, to, true
}

// lastEnd decides whether the file is to end in a line end. It does as before, unless a hunk at its
// end says so: by a mark that no line end follows on one of its sides only, or, in a format where
// every line has an end, by giving every line of the file anew.
func (b *body) lastEnd(p *pattern, at place) {
	if !p.hunk || at.to != len(b.lines) || len(p.lines) == 0 {
		return
	}
	var old, new ChunkLine // the last line of each side
	kept := false
	for _, l := range p.lines {
		kept = kept || l.Sign == ' '
		if l.Sign != '+' {
			old = l
		}
		if l.Sign != '-' {
			new = l
		}
	}
	if new.Sign == 0 || old == new {
		return // the last line stays, or none is left
	}
	switch {
	case new.Open && !old.Open:
		b.open = true
	case old.Open && !new.Open, p.ends && at.from == 0 && !kept && !new.Open:
		b.open = false
	}
}

// words is a line of plain words.
var words = regexp.MustCompile(`^\s*\pL[\pL']*(?:,? \pL[\pL']*){2,}[.!…]*\s*$`)

// stub says whether a file holds one line of words and nothing else: it only keeps a place.
func (b *body) stub() bool {
	n := 0
	for _, l := range b.lines {
		if isBlank(l.text) {
			continue
		}
		if n++; n > 1 || len(l.text) > maxElision || !words.MatchString(l.text) {
			return false
		}
	}
	return n == 1
}
