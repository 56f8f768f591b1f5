package edits

// had says whether the new text of a pattern stood in the file before the reply, and the old one did
// not: then there is nothing to do. What an earlier edit of the reply made does not count, for it may
// be the same text in another place.
func had(f *file, p *pattern) bool {
	for _, l := range p.lines {
		if l.Sign != '+' && isDots(l.Text) {
			return false // who knows what was to go
		}
	}
	b := f.was()
	return b.already(newPattern(p.lines, b.in)) && !b.holdsMost(p)
}

// was is the file as it was before the reply.
func (f *file) was() *body {
	if !f.body.edited {
		return f.body
	}
	if f.original == nil {
		f.original = newBody(f.first, f.body.in)
	}
	return f.original
}

// within says whether a place where the old text stands loosely lies in one where the new text stands
// as it is: then it is what the edit has made already.
func (b *body) within(p *pattern, at place) bool {
	var lines []ChunkLine
	for _, l := range p.lines {
		if l.Sign != '-' {
			lines = append(lines, ChunkLine{Sign: ' ', Text: l.Text})
		}
	}
	q := newPattern(lines, b.in)
	if q.blank() {
		return false
	}
	for _, s := range lineByOne(b, q, limits{0, len(b.lines)}, foldRight, RungTrailing).spots {
		if int(s.from) <= at.from && at.to <= int(s.to) {
			return true
		}
	}
	return false
}

// holdsMost says whether half of the lines that are to go are in the file.
func (b *body) holdsMost(p *pattern) bool {
	have := map[string]bool{}
	for _, l := range b.lines {
		have[foldTrim.apply(l.text)] = true
	}
	for _, l := range p.lines {
		if l.Sign != '-' {
			delete(have, foldTrim.apply(l.Text)) // what stays or comes is there for another reason
		}
	}
	gone, left := 0, 0
	for _, l := range p.lines {
		if text := foldTrim.apply(l.Text); l.Sign == '-' && len(text) > 3 {
			gone++
			if have[text] {
				left++
			}
		}
	}
	return left > 0 && left*2 >= gone
}

// already says whether the new text stands in the file as it would after the edit.
func (b *body) already(p *pattern) bool {
	var lines []ChunkLine
	telling := false
	for i, l := range p.lines {
		switch l.Sign {
		case '+':
			telling = telling || len(foldTrim.apply(l.Text)) > 3
		case '-':
			// What a removal leaves tells something only between lines that stay.
			telling = telling || i > 0 && p.lines[i-1].Sign == ' ' && keptAfter(p.lines[i:])
			continue
		}
		lines = append(lines, ChunkLine{Sign: ' ', Text: l.Text})
	}
	if !telling {
		return false
	}
	q := newPattern(lines, b.in)
	return !q.blank() && b.stands(q)
}

func keptAfter(lines []ChunkLine) bool {
	for _, l := range lines {
		if l.Sign == ' ' && !isBlank(l.Text) {
			return true
		}
		if l.Sign == '+' {
			return false
		}
	}
	return false
}
