package edits

// place is where a pattern stands in a body.
type place struct {
	from, to int    // the lines of the body that it covers
	rows     []rows // for each old line, what it stands for
	rung     Rung
	indent   indenter // how added lines are moved in or out; nil leaves them
	tie      string   // what decided between several places, "" when there was one
}

// rows are lines of a body; none for a line that the file does not have.
type rows struct{ from, to int }

// straight is a place where each old line stands for one line, in a row.
func straight(at, n int, rung Rung) place {
	p := place{from: at, to: at + n, rung: rung, rows: make([]rows, n)}
	for k := range p.rows {
		p.rows[k] = rows{at + k, at + k + 1}
	}
	return p
}

// put applies a pattern at a place: kept lines keep the file's own bytes, whatever the rung. It
// returns the line after the last one written.
func (b *body) put(p *pattern, at place) int {
	var out []line
	cursor, k := at.from, 0
	eol := b.eolAt(at.from)
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
			out = append(out, line{text, eol})
			continue
		}
		r := at.rows[k]
		k++
		if r.from == r.to {
			continue
		}
		if !signs[i] { // not within a removed run: what lies before it stays
			out = append(out, b.lines[cursor:r.from]...)
		}
		if l.Sign == ' ' {
			out = append(out, b.lines[r.from:r.to]...)
		}
		cursor = r.to
		if end := b.lines[r.to-1].end; end != "" {
			eol = end
		}
	}
	out = append(out, b.lines[cursor:at.to]...)
	b.replace(at.from, at.to, out)
	return at.from + len(out)
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
		case ' ':
			removed = false
		}
	}
	return inside
}

func covered(at place, row int) bool {
	for _, r := range at.rows {
		if r.from <= row && row < r.to {
			return true
		}
	}
	return false
}

func (b *body) eolAt(row int) string {
	for _, i := range []int{row, row - 1} {
		if i >= 0 && i < len(b.lines) && b.lines[i].end != "" {
			return b.lines[i].end
		}
	}
	return b.eol
}
