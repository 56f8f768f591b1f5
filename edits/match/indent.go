package match

import "strings"

// indenter moves an added line in or out as the lines around it were.
type indenter func(text string) string

// uniform finds out how the lines of a pattern were moved against those of the file, or says that
// there is no one way. pairs are the indentations of the lines that correspond: {pattern, file}.
func uniform(pairs [][2]string, added []string) (indenter, bool) {
	if len(pairs) == 0 {
		return nil, true
	}
	same := true
	seen := map[string]string{}
	for _, p := range pairs {
		if have, ok := seen[p[0]]; ok && have != p[1] {
			return nil, false // one depth in the pattern is two in the file
		}
		seen[p[0]] = p[1]
		same = same && p[0] == p[1]
	}
	if same {
		return nil, true
	}
	if otherUnit(pairs) {
		if indent, ok := convert(seen, added); ok {
			return indent, true
		}
	}
	if shift, ok := shiftOf(pairs, added); ok {
		return shift, true
	}
	return convert(seen, added)
}

// otherUnit says whether the pattern is indented by one kind of blank and the file by another.
func otherUnit(pairs [][2]string) bool {
	var kinds [2]byte
	for _, p := range pairs {
		for side, indent := range p {
			for i := range len(indent) {
				if kinds[side] == 0 {
					kinds[side] = indent[i]
				} else if kinds[side] != indent[i] {
					return false
				}
			}
		}
	}
	return kinds[0] != 0 && kinds[1] != 0 && kinds[0] != kinds[1]
}

// depth says how the new text of a block is indented where the old one was moved in or out.
type depth int

const (
	likeSearch  depth = iota // as the old text is
	likeFile                 // as the file is: only the old text was moved
	depthUnsure              // some of it as the one, some as the other
)

// depthOf compares the new text with the old one and with the file: by where it begins, and by the
// lines that both sides have.
func (p *Pattern) depthOf(b *Text, at Place) depth {
	search, file, some := "", "", false
	for k := range p.old {
		text, r := p.text(k), at.row(k)
		if IsBlank(text) || r.to != r.from+1 {
			continue
		}
		si, fi := Indent(text), Indent(b.lines[r.from])
		if !some {
			search, file, some = si, fi, true
		}
		search, file = shallower(search, si), shallower(file, fi)
	}
	if search == file {
		return likeSearch
	}
	replace := ""
	some = false
	for _, l := range p.Lines {
		switch {
		case l.Sign == '-' || IsBlank(l.Text):
		case !some:
			replace, some = Indent(l.Text), true
		default:
			replace = shallower(replace, Indent(l.Text))
		}
	}
	switch {
	case !some || len(replace) < len(search):
		return likeSearch
	case replace == search && (len(p.old) == 1 || firstDepth(p.Lines, '-') == firstDepth(p.Lines, '+')):
		if len(file) > len(search) && p.onlyFirstOut(file) {
			return depthUnsure
		}
		return likeSearch
	case replace != file || p.deepAsSearch(b, at):
		return depthUnsure
	}
	return likeFile
}

// deepAsSearch says whether a line that both sides have is in the new text as deep as in the old one,
// and not as in the file.
func (p *Pattern) deepAsSearch(b *Text, at Place) bool {
	type key struct{ text, depth string }
	search, file := map[key]bool{}, map[key]bool{}
	for k := range p.old {
		if r := at.row(k); r.to == r.from+1 && !IsBlank(p.text(k)) {
			text := Trim(p.text(k))
			search[key{text, Indent(p.text(k))}] = true
			file[key{text, Indent(b.lines[r.from])}] = true
		}
	}
	for _, l := range p.Lines {
		if k := (key{Trim(l.Text), Indent(l.Text)}); l.Sign != '-' && search[k] && !file[k] {
			return true
		}
	}
	return false
}

// firstDepth is the indentation of the first line with something in it, but for those of one sign.
func firstDepth(lines []Line, without byte) string {
	for _, l := range lines {
		if l.Sign != without && !IsBlank(l.Text) {
			return Indent(l.Text)
		}
	}
	return ""
}

// onlyFirstOut says whether one old line was written too far out, and of the new ones perhaps only
// the first: the others are as deep as the file, though the first does not open a block.
func (p *Pattern) onlyFirstOut(file string) bool {
	if nonBlank(p) != 1 {
		return false
	}
	first, others := "", 0
	for _, l := range p.Lines {
		switch {
		case l.Sign == '-' || IsBlank(l.Text):
		case first == "":
			first = l.Text
		case !strings.HasPrefix(Indent(l.Text), file):
			return false
		default:
			others++
		}
	}
	return others > 0 && !opensBlock(first)
}

// opensBlock says whether a line with something in it may have deeper ones below it.
func opensBlock(text string) bool {
	text = Trim(text)
	if strings.ContainsRune(":{([<>=+|&\\", rune(text[len(text)-1])) {
		return true
	}
	words := strings.Fields(text)
	switch words[len(words)-1] {
	case "then", "do", "else", "begin", "of", "in":
		return true
	}
	switch words[0] {
	case "def", "class", "module", "if", "unless", "while", "for", "case", "when", "function", "local", "begin":
		return true
	}
	return strings.HasPrefix(text, "<") || strings.HasPrefix(text, "-")
}

func shallower(a, b string) string {
	if len(b) < len(a) {
		return b
	}
	return a
}

// shiftOf handles blocks that were moved as a whole: after the same string was taken off each line
// of the pattern, the same string stands before each line of the file.
func shiftOf(pairs [][2]string, added []string) (indenter, bool) {
	common := pairs[0][0]
	for _, p := range pairs {
		common = common[:SharedStart(common, p[0])]
	}
	for cut := 0; cut <= len(common); cut++ {
		take := common[:cut]
		rest := pairs[0][0][cut:]
		put, ok := strings.CutSuffix(pairs[0][1], rest)
		for _, p := range pairs {
			ok = ok && p[1] == put+p[0][cut:]
		}
		if !ok {
			continue
		}
		for _, text := range added {
			if !IsBlank(text) && !strings.HasPrefix(text, take) {
				return nil, false // it would have to stand left of the first column
			}
		}
		return func(text string) string {
			if IsBlank(text) {
				return text
			}
			return put + strings.TrimPrefix(text, take)
		}, true
	}
	return nil, false
}

// convert handles other units: a tab for four blanks, two for four. Each depth of the pattern has one
// depth in the file, and depths that only added lines have are in proportion.
func convert(seen map[string]string, added []string) (indenter, bool) {
	for p, f := range seen {
		for q, g := range seen {
			if len(p) < len(q) && len(f) >= len(g) || len(p) == len(q) && f != g {
				return nil, false // depths that are not in the same order
			}
		}
	}
	depth := func(indent string) (string, bool) {
		if f, ok := seen[indent]; ok {
			return f, true
		}
		return proportion(seen, len(indent))
	}
	for _, text := range added {
		if _, ok := depth(Indent(text)); !ok && !IsBlank(text) {
			return nil, false
		}
	}
	return func(text string) string {
		if IsBlank(text) {
			return text
		}
		indent := Indent(text)
		to, _ := depth(indent) // every added line was tried above
		return to + text[len(indent):]
	}, true
}

// proportion draws a straight line through the known depths, which must all lie on it and be made
// of one kind of blank, and returns the file's indentation for one more depth of the pattern.
func proportion(seen map[string]string, w int) (string, bool) {
	blank := ""
	p0, f0, p1, f1 := 0, 0, 0, 0 // the shallowest and the deepest
	first := true
	for p, f := range seen {
		if f != "" {
			if blank == "" {
				blank = f[:1]
			}
			if strings.Trim(f, blank) != "" {
				return "", false
			}
		}
		if first || len(p) < p0 {
			p0, f0 = len(p), len(f)
		}
		if first || len(p) > p1 {
			p1, f1 = len(p), len(f)
		}
		first = false
	}
	if p0 == p1 {
		p0, f0 = 0, 0
	}
	dp, df := p1-p0, f1-f0
	if dp <= 0 || df <= 0 || blank == "" {
		return "", false
	}
	for p, f := range seen {
		if (len(p)-p0)*df != (len(f)-f0)*dp {
			return "", false
		}
	}
	n := (w - p0) * df
	if n%dp != 0 || f0+n/dp < 0 {
		return "", false
	}
	return strings.Repeat(blank, f0+n/dp), true
}
