package match

// Place is where a pattern stands in a text.
type Place struct {
	From, To int  // the lines of the text that it covers
	Rung     Rung // on which it was found
	Own      bool // the new lines are as deep as the file, however the old ones were written
	Tie      Tie  // what decided between several places, "" when there was one

	rows   []rows   // for each old line, what it stands for; nil where each is the next line
	indent indenter // how added lines are moved in or out; nil leaves them
}

// Tie is what decided between several places.
type Tie string

// What can decide.
const (
	TieSelection Tie = "selection"
	TieLine      Tie = "line number"
	TieScope     Tie = "scope"
	TieEnd       Tie = "end of file"
	tieOrder     Tie = "order"
	tieGap       Tie = "shortest gap"
)

// rows are lines of a text; none for a line that the file does not have.
type rows struct{ from, to int }

// straight is a place where each old line stands for one line, in a row.
func straight(at, n int, rung Rung) Place { return Place{From: at, To: at + n, Rung: rung} }

// row is what an old line stands for.
func (p *Place) row(k int) rows {
	if p.rows == nil {
		return rows{p.From + k, p.From + k + 1}
	}
	return p.rows[k]
}

// covered says whether one of the old lines stands for a line of the text, at a place that has rows.
func (p *Place) covered(row int) bool {
	for _, r := range p.rows {
		if r.from <= row && row < r.to {
			return true
		}
	}
	return false
}

// Put applies a pattern at a place: kept lines keep the file's own bytes, whatever the rung. It
// returns the line after the last one written.
func (b *Text) Put(p *Pattern, at Place) int {
	b.lastEnd(p, at)
	var out piece
	var gone []ending // of the removed lines that no new one has taken the place of yet
	cursor, k := at.From, 0
	signs := runs(p.Lines)
	for i, l := range p.Lines {
		if l.Sign == '+' {
			if IsBlank(l.Text) && at.Rung == RungBlankLines && cursor < at.To && !at.covered(cursor) && IsBlank(b.lines[cursor]) {
				out.keep(b, cursor, cursor+1) // the blank line that the search text had left out
				cursor++
				continue
			}
			text := l.Text
			if at.indent != nil {
				text = at.indent(text)
			}
			out.add(text, b.newEnd(out.ends, &gone, at.From, cursor))
			continue
		}
		r := at.row(k)
		k++
		if r.from == r.to {
			if l.Sign == ' ' && IsBlank(l.Text) && (at.Rung == RungBlankLines || at.Rung == RungElision) && besideNew(p.Lines, i) {
				out.add("", b.newEnd(out.ends, &gone, at.From, cursor)) // it sets off what is new
			}
			continue
		}
		if !signs[i] { // not within a removed run: what lies before it stays
			out.keep(b, cursor, r.from)
		}
		if l.Sign == ' ' {
			out.keep(b, r.from, r.to)
			gone = gone[:0]
		} else {
			gone = append(gone, b.ends[r.from:r.to]...)
		}
		cursor = r.to
	}
	out.keep(b, cursor, at.To)
	b.replace(at.From, at.To, out)
	return at.From + len(out.lines)
}

// lastEnd decides whether the file is to end in a line end. It does as before, unless a hunk at its
// end says so: by a mark that no line end follows on one of its sides only, or, in a format where
// every line has an end, by giving every line of the file again.
func (b *Text) lastEnd(p *Pattern, at Place) {
	if !p.hunk || at.To != len(b.lines) || len(p.Lines) == 0 {
		return
	}
	var old, new Line // the last line of each side
	kept := false
	for _, l := range p.Lines {
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
	case old.Open && !new.Open, p.Ends && at.From == 0 && !kept && !new.Open:
		b.open = false
	}
}

// besideNew says whether new lines with something in them stand right above or below a line.
func besideNew(lines []Line, i int) bool {
	isNew := func(i int) bool {
		return i >= 0 && i < len(lines) && lines[i].Sign == '+' && !IsBlank(lines[i].Text)
	}
	return isNew(i-1) || isNew(i+1)
}

// runs says for each removed line whether the old line before it is removed as well: then blank
// lines between the two go with them.
func runs(lines []Line) []bool {
	inside := make([]bool, len(lines))
	removed := false
	for i, l := range lines {
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

// PartsBlock says whether a hunk that only adds lines below others, with none after them, would part the
// head of a block from its body: the line before is less deep than the one after, and the new lines
// are not in the block. In a diff, new lines with nothing after them end the file.
func (b *Text) PartsBlock(p *Pattern, at Place) bool {
	n := len(p.Lines)
	if !p.hunk || at.To == 0 || at.To >= len(b.lines) || p.Lines[n-1].Sign != '+' || len(p.old) < 2 {
		return false
	}
	first := ""
	for _, l := range p.Lines[p.old[len(p.old)-1]:] {
		if l.Sign == '-' {
			return false
		}
		if l.Sign == '+' && first == "" && !IsBlank(l.Text) {
			first = l.Text
		}
	}
	before, after := b.lines[at.To-1], b.lines[at.To]
	if first == "" || IsBlank(before) || IsBlank(after) {
		return false
	}
	head, body := len(Indent(before)), len(Indent(after))
	return body > head && len(Indent(first)) <= head
}
