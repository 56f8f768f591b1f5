package edits

// lastEnd decides whether the file is to end in a line end. It does as before, unless a hunk at its
// end says so: by a mark that no line end follows on one of its sides only, or, in a format where
// every line has an end, by giving every line of the file again.
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
