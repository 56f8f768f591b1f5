package match

// Had says whether the new text of a pattern stands in a text, and the old one does not: then there is nothing to do.
func Had(b *Text, p *Pattern) bool {
	for _, l := range p.Lines {
		if l.Sign != '+' && IsDots(l.Text) {
			return false // who knows what was to go
		}
	}
	return Already(b, p) && !holdsMost(b, p)
}

// Within says whether a place where the old text stands loosely lies in one where the new text stands
// as it is: then it is what the edit has made already.
func Within(b *Text, p *Pattern, at Place) bool {
	var lines []Line
	for _, l := range p.Lines {
		if l.Sign != '-' {
			lines = append(lines, Line{Sign: ' ', Text: l.Text})
		}
	}
	q := New(lines, b.in)
	if q.Blank() {
		return false
	}
	for _, s := range lineByOne(b, q, b.all(), foldRight, RungTrailing).spots {
		if int(s.from) <= at.From && at.To <= int(s.to) {
			return true
		}
	}
	return false
}

// holdsMost says whether half of the lines that are to go are in the file.
func holdsMost(b *Text, p *Pattern) bool {
	have := Set(b.lines)
	for _, l := range p.Lines {
		if l.Sign != '-' {
			delete(have, Trim(l.Text)) // what stays or comes is there for another reason
		}
	}
	gone, left := 0, 0
	for _, l := range p.Lines {
		if text := Trim(l.Text); l.Sign == '-' && len(text) > 3 {
			gone++
			if have[text] {
				left++
			}
		}
	}
	return left > 0 && left*2 >= gone
}

// Already says whether the new text stands in the file as it would after the edit.
func Already(b *Text, p *Pattern) bool {
	var lines []Line
	telling := false
	for i, l := range p.Lines {
		switch l.Sign {
		case '+':
			telling = telling || len(Trim(l.Text)) > 3
		case '-':
			// What a removal leaves tells something only between lines that stay.
			telling = telling || i > 0 && p.Lines[i-1].Sign == ' ' && keptAfter(p.Lines[i:])
			continue
		}
		lines = append(lines, Line{Sign: ' ', Text: l.Text})
	}
	if !telling {
		return false
	}
	q := New(lines, b.in)
	return !q.Blank() && b.Stands(q)
}

func keptAfter(lines []Line) bool {
	for _, l := range lines {
		if l.Sign == ' ' && !IsBlank(l.Text) {
			return true
		}
		if l.Sign == '+' {
			return false
		}
	}
	return false
}
