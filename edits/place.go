package edits

// place is where a pattern stands in a body.
type place struct {
	from, to int    // the lines of the body that it covers
	rows     []rows // for each old line, what it stands for; nil where each is the next line
	rung     Rung
	indent   indenter // how added lines are moved in or out; nil leaves them
	own      bool     // the new text is as deep as the file, whatever the old one is
	tie      string   // what decided between several places, "" when there was one
}

// rows are lines of a body; none for a line that the file does not have.
type rows struct{ from, to int }

// straight is a place where each old line stands for one line, in a row.
func straight(at, n int, rung Rung) place { return place{from: at, to: at + n, rung: rung} }

// row is what an old line stands for.
func (p *place) row(k int) rows {
	if p.rows == nil {
		return rows{p.from + k, p.from + k + 1}
	}
	return p.rows[k]
}

// put applies a pattern at a place: kept lines keep the file's own bytes, whatever the rung. It
// returns the line after the last one written.
func (b *body) put(p *pattern, at place) int {
	var out []line
	var gone []ending // of the removed lines that no new one has taken the place of yet
	cursor, k := at.from, 0
	signs := b.runs(p, at)
	for i, l := range p.lines {
		if l.Sign == '+' {
			if isBlank(l.Text) && at.rung == RungBlankLines && cursor < at.to && !covered(at, cursor) && isBlank(b.lines[cursor].text) {
				out = append(out, b.lines[cursor]) // the blank line that the search text had left out
				cursor++
				continue
			}
			text := l.Text
			if at.indent != nil {
				text = at.indent(text)
			}
			out = append(out, line{text, b.newEnd(out, &gone, at.from, cursor)})
			continue
		}
		r := at.row(k)
		k++
		if r.from == r.to {
			if l.Sign == ' ' && isBlank(l.Text) && (at.rung == RungBlankLines || at.rung == RungElision) && besideNew(p.lines, i) {
				out = append(out, line{"", b.newEnd(out, &gone, at.from, cursor)}) // it sets off what is new
			}
			continue
		}
		if !signs[i] { // not within a removed run: what lies before it stays
			out = append(out, b.lines[cursor:r.from]...)
		}
		if l.Sign == ' ' {
			out = append(out, b.lines[r.from:r.to]...)
			gone = gone[:0]
		} else {
			for _, l := range b.lines[r.from:r.to] {
				gone = append(gone, l.end)
			}
		}
		cursor = r.to
	}
	out = append(out, b.lines[cursor:at.to]...)
	b.replace(at.from, at.to, out)
	return at.from + len(out)
}

// newEnd is the line end of a new line: that of the removed line whose place it takes, else of the line above it, else of
// the one below. Where the three differ from each other it is the one that most lines have. out are the lines so far in the
// place of those from a line on, and below is the line that follows.
func (b *body) newEnd(out []line, gone *[]ending, from, below int) ending {
	own, above, under := noEnd, noEnd, noEnd
	if g := *gone; len(g) > 0 {
		own, *gone = g[0], g[1:]
	}
	switch {
	case len(out) > 0:
		above = out[len(out)-1].end
	case from > 0:
		above = b.lines[from-1].end
	}
	if below < len(b.lines) {
		under = b.lines[below].end
	}
	if own != noEnd && above != noEnd && under != noEnd && own != above && own != under && above != under {
		return b.eol
	}
	for _, end := range []ending{own, above, under} {
		if end != noEnd {
			return end
		}
	}
	return b.eol
}

// besideNew says whether new lines with something in them stand right above or below a line.
func besideNew(lines []ChunkLine, i int) bool {
	isNew := func(i int) bool {
		return i >= 0 && i < len(lines) && lines[i].Sign == '+' && !isBlank(lines[i].Text)
	}
	return isNew(i-1) || isNew(i+1)
}

// runs says for each removed line whether the old line before it is removed as well: then blank
// lines between the two go with them.
func (b *body) runs(p *pattern, at place) []bool {
	inside := make([]bool, len(p.lines))
	removed := false
	for i, l := range p.lines {
		switch l.Sign {
		case '-':
			inside[i] = removed
			removed = true
		case ' ', '+': // new lines end a replacement: what follows is another one
			removed = false
		}
	}
	return inside
}

// covered says whether one of the old lines stands for a line of the body, at a place that has rows.
func covered(at place, row int) bool {
	for _, r := range at.rows {
		if r.from <= row && row < r.to {
			return true
		}
	}
	return false
}

// parts says whether a hunk that only adds lines below others, with none after them, would part the
// head of a block from its body: the line before is less deep than the one after, and the new lines
// are not in the block. In a diff, new lines with nothing after them end the file.
func (b *body) parts(p *pattern, at place) bool {
	n := len(p.lines)
	if !p.hunk || at.to == 0 || at.to >= len(b.lines) || p.lines[n-1].Sign != '+' || len(p.old) < 2 {
		return false
	}
	first := ""
	for _, l := range p.lines[p.old[len(p.old)-1]:] {
		if l.Sign == '-' {
			return false
		}
		if l.Sign == '+' && first == "" && !isBlank(l.Text) {
			first = l.Text
		}
	}
	before, after := b.lines[at.to-1].text, b.lines[at.to].text
	if first == "" || isBlank(before) || isBlank(after) {
		return false
	}
	head, body := len(indentOf(before)), len(indentOf(after))
	return body > head && len(indentOf(first)) <= head
}
