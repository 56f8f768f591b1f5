package edits

// limits are the lines between which a pattern may stand.
type limits struct{ from, to int }

// maxPlaces is how many places of one rung are told apart; more are all the same: too many.
const maxPlaces = 4096

// rung is one step of the ladder: it returns every place that it accepts, in file order.
type rung struct {
	name Rung
	find func(b *body, p *pattern, within limits) []place
}

// ladder is tried from the top. The first rung that accepts a place decides, also when it accepts
// several: a looser rung never chooses between places that a stricter one could not tell apart.
var ladder = []rung{
	{RungExact, func(b *body, p *pattern, w limits) []place { return rows1(b, p, w, foldExact, RungExact) }},
	{RungTrailing, func(b *body, p *pattern, w limits) []place { return rows1(b, p, w, foldRight, RungTrailing) }},
	{RungIndent, func(b *body, p *pattern, w limits) []place { return rows1(b, p, w, foldTrim, RungIndent) }},
	{RungBlankLines, findBlankTolerant},
	{RungElision, findElided},
	{RungJoined, findJoined},
	{RungUnicode, func(b *body, p *pattern, w limits) []place { return rows1(b, p, w, foldUnicode, RungUnicode) }},
}

// rows1 finds the places at which the lines of the pattern stand one by one.
func rows1(b *body, p *pattern, w limits, f fold, name Rung) []place {
	n := len(p.old)
	found := occurrences(b.folded(f)[w.from:w.to], p.folded(f))
	out := make([]place, 0, min(len(found), maxPlaces))
	for _, at := range found {
		pl := straight(w.from+at, n, name)
		if f >= foldTrim {
			var ok bool
			if pl.indent, ok = indentation(b, p, pl); !ok {
				if pl.lines, ok = lineByLine(b, p, pl); !ok {
					continue
				}
			}
		}
		if out = append(out, pl); len(out) == maxPlaces {
			break
		}
	}
	return out
}

// occurrences returns every index at which the needle stands in the hay, overlapping ones too, in
// time linear in both.
func occurrences(hay, needle []int32) []int {
	n := len(needle)
	if n == 0 || n > len(hay) {
		return nil
	}
	for _, id := range needle {
		if id == unknown {
			return nil
		}
	}
	border := make([]int, n)
	for i, k := 1, 0; i < n; i++ {
		for k > 0 && needle[i] != needle[k] {
			k = border[k-1]
		}
		if needle[i] == needle[k] {
			k++
		}
		border[i] = k
	}
	var out []int
	for i, k := 0, 0; i < len(hay); i++ {
		for k > 0 && (k == n || hay[i] != needle[k]) {
			k = border[k-1]
		}
		if hay[i] == needle[k] {
			k++
		}
		if k == n {
			out = append(out, i-n+1)
			k = border[k-1]
		}
	}
	return out
}

// indentation compares the depth of the lines at a place with that of the pattern.
func indentation(b *body, p *pattern, at place) (indenter, bool) {
	var pairs [][2]string
	for k := range p.old {
		r := at.row(k)
		if r.from == r.to || isBlank(p.text(k)) {
			continue
		}
		if r.to > r.from+1 || at.rung == RungElision && isDots(p.text(k)) {
			continue
		}
		pair := [2]string{indentOf(p.text(k)), indentOf(b.lines[r.from].text)}
		if n := len(pairs); n == 0 || pairs[n-1] != pair {
			pairs = append(pairs, pair)
		}
	}
	news := added(p)
	if !p.hunk && p.asDeepAsFile(pairs) {
		return nil, true
	}
	if indent, ok := uniform(pairs, news); ok || !p.hunk {
		return indent, ok
	}
	// Where the blank before lines that stay was sometimes forgotten and sometimes not, the new lines
	// are right as they are, for they have their sign.
	for _, pair := range pairs {
		if pair[0] != pair[1] && " "+pair[0] != pair[1] && pair[0] != " "+pair[1] {
			return nil, false
		}
	}
	return nil, true
}

// findBlankTolerant compares only the lines that hold something.
func findBlankTolerant(b *body, p *pattern, w limits) []place {
	hay := b.folded(foldTrim)[w.from:w.to]
	var needle []int32
	for _, id := range p.folded(foldTrim) {
		if id == unknown {
			return nil
		}
		if id != 0 {
			needle = append(needle, id)
		}
	}
	ids, at := make([]int32, 0, len(hay)), make([]int, 0, len(hay))
	for i, id := range hay {
		if id != 0 {
			ids = append(ids, id)
			at = append(at, w.from+i)
		}
	}
	var out []place
	for _, i := range occurrences(ids, needle) {
		pl := place{rung: RungBlankLines, rows: make([]rows, len(p.old))}
		pl.from, pl.to = at[i], at[i+len(needle)-1]+1
		row := pl.from
		for k, id := range p.folded(foldTrim) {
			next := row
			switch {
			case id != 0:
				next = at[i]
				i++
			case row >= pl.to || row == pl.from || hay[row-w.from] != 0:
				pl.rows[k] = rows{row, row} // a blank line that the file does not have
				continue
			}
			pl.rows[k] = rows{next, next + 1}
			row = next + 1
		}
		var ok bool
		if pl.indent, ok = indentation(b, p, pl); !ok {
			continue
		}
		if out = append(out, pl); len(out) == maxPlaces {
			break
		}
	}
	return out
}

// lineByLine gives each added line the depth of the line that it replaces, where the lines of a
// pattern were moved by different amounts: each run of changes must have as many added lines as
// removed ones, each as deep in the pattern as the one it replaces.
func lineByLine(b *body, p *pattern, at place) (map[int]string, bool) {
	out := map[int]string{}
	k := 0
	for i := 0; i < len(p.lines); {
		if p.lines[i].Sign == ' ' {
			i++
			k++
			continue
		}
		var gone, come []int
		first := k
		for ; i < len(p.lines) && p.lines[i].Sign != ' '; i++ {
			if p.lines[i].Sign == '-' {
				gone = append(gone, i)
				k++
			} else {
				come = append(come, i)
			}
		}
		if len(gone) != len(come) {
			return nil, false
		}
		for n, c := range come {
			text, was := p.lines[c].Text, p.lines[gone[n]].Text
			if indentOf(text) != indentOf(was) || isBlank(text) != isBlank(was) {
				return nil, false
			}
			if !isBlank(text) {
				out[c] = indentOf(b.lines[at.row(first+n).from].text) + text[len(indentOf(text)):]
			}
		}
	}
	return out, nonBlank(p) > 1
}
