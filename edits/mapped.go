package edits

import "unicode/utf8"

// mapLookAlikes gives the new lines of a pattern the characters that the file has where the old lines
// have look-alikes of them: typographic quotes, dashes and blanks that came for plain ones go, and what
// stays of a line keeps the file's own. It returns nil when the old lines hold none.
func (p *pattern) mapLookAlikes(b *body, at place) *pattern {
	m := lookAlikes{to: map[rune]rune{}, kept: map[rune]bool{}}
	for k := range p.old {
		if r := at.row(k); r.to == r.from+1 {
			m.learn(p.text(k), b.lines[r.from].text)
		}
	}
	lines := make([]ChunkLine, len(p.lines))
	copy(lines, p.lines)
	some := false
	k := 0
	for i := range lines {
		if lines[i].Sign == '+' {
			lines[i].Text = m.apply(lines[i].Text, b)
		}
	}
	for i, l := range p.lines {
		if l.Sign == '+' {
			continue
		}
		if r := at.row(k); r.to == r.from+1 && !isBlank(l.Text) {
			file := b.lines[r.from].text
			if foldTrim.apply(file) != foldTrim.apply(l.Text) {
				some = true
				if l.Sign == '-' {
					keepEnds(lines, i, l.Text, file)
				}
				lines[i].Text = m.indent(l.Text) + trim(file)
			}
		}
		k++
	}
	if !some {
		return nil
	}
	q := newPattern(lines, b.in)
	q.hunk, q.ends = p.hunk, p.ends
	return q
}

// lookAlikes are the characters that the file has for others of the old lines, and those of the old
// lines that are in the file as they are.
type lookAlikes struct {
	to   map[rune]rune
	kept map[rune]bool
	had  map[rune]bool // the characters of the file, nil until asked for
}

// learn compares a line with that of the file, which is the same but for look-alikes.
func (m *lookAlikes) learn(text, file string) {
	if isPlain(text) {
		return
	}
	x, y := []rune(trim(text)), []rune(trim(file))
	for len(x) > 0 {
		switch {
		case plain(string(x[:1])) == "" && (len(y) == 0 || x[0] != y[0]):
			m.to[x[0]] = -1
			x = x[1:]
			continue
		case len(y) == 0:
			return
		case x[0] != y[0] && plain(string(x[:1])) == " " && y[0] != ' ' && plain(string(y[:1])) != " ":
			m.to[x[0]] = ' ' // a blank of the indentation
			x = x[1:]
			continue
		case x[0] != y[0] && plain(string(y[:1])) == "":
			y = y[1:]
			continue
		case x[0] >= utf8.RuneSelf && x[0] == y[0]:
			m.kept[x[0]] = true
		case x[0] >= utf8.RuneSelf && plain(string(x[:1])) == plain(string(y[:1])):
			m.to[x[0]] = y[0]
		}
		x, y = x[1:], y[1:]
	}
}

// apply maps a new line. A character that the old lines did not have is mapped like others of its kind,
// unless the file has it somewhere.
func (m *lookAlikes) apply(text string, b *body) string {
	if isPlain(text) || len(m.to) == 0 {
		return text
	}
	var out []rune
	for _, c := range text {
		to, ok := m.to[c]
		switch like := plain(string(c)); {
		case c < utf8.RuneSelf || m.kept[c]:
			to = c
		case ok:
		case like != string(c) && m.maps(like) && !m.has(b, c):
			to = -1
			if like != "" {
				to = rune(like[0])
			}
		default:
			to = c
		}
		if to >= 0 {
			out = append(out, to)
		}
	}
	return string(out)
}

// maps says whether a character of the same kind was mapped to a plain one: quotes are one kind.
func (m *lookAlikes) maps(like string) bool {
	quote := func(s string) bool { return s == "'" || s == `"` }
	for from, to := range m.to {
		if to >= utf8.RuneSelf {
			continue
		}
		if other := plain(string(from)); other == like || quote(other) && quote(like) {
			return true
		}
	}
	return false
}

// indent is what stands before the text of a line, in plain blanks.
func (m *lookAlikes) indent(text string) string {
	text = plain(text)
	return text[:len(text)-len(trim(text))-(len(text)-len(trimRight(text)))]
}

func (m *lookAlikes) has(b *body, c rune) bool {
	if m.had == nil {
		m.had = map[rune]bool{}
		for _, l := range b.lines {
			for _, d := range l.text {
				m.had[d] = true
			}
		}
	}
	return m.had[c]
}

// keepEnds gives a new line that stands for an old one the file's own bytes where both begin and end
// alike.
func keepEnds(lines []ChunkLine, i int, text, file string) {
	n := i
	for n > 0 && lines[n-1].Sign == '-' {
		n--
	}
	come := i
	for come < len(lines) && lines[come].Sign == '-' {
		come++
	}
	if come += i - n; come >= len(lines) || lines[come].Sign != '+' {
		return
	}
	for j := i; j < come; j++ {
		if lines[j].Sign == ' ' {
			return
		}
	}
	old, new, have := trim(text), trim(lines[come].Text), trim(file)
	if utf8.RuneCountInString(old) != utf8.RuneCountInString(have) {
		return // characters without a width: no one knows which are alike
	}
	begin := have
	for old != "" && new != "" {
		x, n := utf8.DecodeRuneInString(old)
		y, m := utf8.DecodeRuneInString(new)
		if x != y && plainRune(x) != plainRune(y) {
			break
		}
		_, k := utf8.DecodeRuneInString(have)
		old, new, have = old[n:], new[m:], have[k:]
	}
	begin, end := begin[:len(begin)-len(have)], have
	for old != "" && new != "" {
		x, n := utf8.DecodeLastRuneInString(old)
		y, m := utf8.DecodeLastRuneInString(new)
		if x != y && plainRune(x) != plainRune(y) {
			break
		}
		_, k := utf8.DecodeLastRuneInString(end)
		old, new, end = old[:len(old)-n], new[:len(new)-m], end[:len(end)-k]
	}
	lines[come].Text = indentOf(lines[come].Text) + begin + new + have[len(end):]
}

// mapped maps the look-alikes of a pattern that was found in spite of them, and finds its place again,
// now for its indentation.
func (b *body) mapped(p *pattern, at place) (*pattern, place) {
	q := p.mapLookAlikes(b, at)
	if q == nil {
		return p, at
	}
	if at.rung == RungSimilar {
		q = p.withNew(q)
		return q, at
	}
	all := limits{0, len(b.lines)}
	for _, r := range ladder[:strict+1] {
		f := r.find(b, q, all)
		for i, s := range f.spots {
			if int(s.from) == at.from {
				pl := f.place(i)
				pl.rung, pl.tie = at.rung, at.tie
				return q, pl
			}
		}
	}
	return p.withNew(q), at
}

// withNew is the pattern with the new lines of another one.
func (p *pattern) withNew(q *pattern) *pattern {
	lines := make([]ChunkLine, len(p.lines))
	for i, l := range p.lines {
		lines[i] = l
		if l.Sign == '+' {
			lines[i].Text = q.lines[i].Text
		}
	}
	out := newPattern(lines, p.in)
	out.hunk, out.ends = p.hunk, p.ends
	return out
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
