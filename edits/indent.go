package edits

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

// asDeepAsFile says whether only the old lines were moved in or out: no old line stays, and the new
// ones begin where the file's do, not where the old ones do.
func (p *pattern) asDeepAsFile(pairs [][2]string) bool {
	if len(pairs) == 0 {
		return false
	}
	search, file := pairs[0][0], pairs[0][1]
	for _, pair := range pairs {
		search, file = shallower(search, pair[0]), shallower(file, pair[1])
	}
	replace, some := "", false
	for _, l := range p.lines {
		switch {
		case isBlank(l.Text) || l.Sign == '-':
		case l.Sign == ' ':
			return false
		case !some:
			replace, some = indentOf(l.Text), true
		default:
			replace = shallower(replace, indentOf(l.Text))
		}
	}
	return some && replace == file && replace != search
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
		common = commonPrefix(common, p[0])
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
			if !isBlank(text) && !strings.HasPrefix(text, take) {
				return nil, false // it would have to stand left of the first column
			}
		}
		return func(text string) string {
			if isBlank(text) {
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
		if _, ok := depth(indentOf(text)); !ok && !isBlank(text) {
			return nil, false
		}
	}
	return func(text string) string {
		if isBlank(text) {
			return text
		}
		indent := indentOf(text)
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

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
