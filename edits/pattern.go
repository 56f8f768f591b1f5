package edits

import (
	"slices"
	"strings"
)

// pattern is what an edit wants to find and to put there: chunk lines, of which those that are kept
// or removed are the old text.
type pattern struct {
	lines []ChunkLine
	old   []int // indexes of the kept and removed lines
	in    *interner
	keys  [folds][]int32
	size  [folds]int // how many texts had numbers when the keys were made
	hunk  bool       // from a diff, where the signs say what stays
	ends  bool       // in its format every line has an end
	other *pattern   // another reading, tried on the strict rungs before the loose ones of this one
}

func newPattern(lines []ChunkLine, in *interner) *pattern {
	p := &pattern{lines: lines, in: in}
	for i, l := range lines {
		if l.Sign != '+' {
			p.old = append(p.old, i)
		}
	}
	return p
}

// replacePattern turns a SEARCH and its REPLACE into chunk lines: what both have is kept, so that
// the file's own bytes stay there. Where no work is spared for finding that, all of it is replaced.
func replacePattern(search, replace string, spare *int) []ChunkLine {
	a, b := texts(search), texts(replace)
	var out []ChunkLine
	at := 0
	add := func(sign byte, list []string) {
		for _, text := range list {
			out = append(out, ChunkLine{Sign: sign, Text: text})
		}
	}
	for _, s := range diffWithin(a, b, spare) {
		add(' ', a[at:s.a0])
		add('-', a[s.a0:s.a1])
		add('+', b[s.b0:s.b1])
		at = s.a1
	}
	add(' ', a[at:])
	return out
}

// texts returns the lines of a text without their ends.
func texts(text string) []string {
	lines, _ := cutLines(text)
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.text
	}
	return out
}

func (p *pattern) text(k int) string { return p.lines[p.old[k]].Text }

// folded returns the numbers of the old lines. A line that is in no file is unknown.
func (p *pattern) folded(f fold) []int32 {
	if p.keys[f] == nil {
		p.keys[f] = make([]int32, len(p.old))
	} else if p.size[f] == p.in.size() {
		return p.keys[f]
	}
	p.size[f] = p.in.size()
	for k := range p.old {
		p.keys[f][k] = p.in.find(f.apply(p.text(k)))
	}
	return p.keys[f]
}

// blank says whether the pattern has no old line with anything in it.
func (p *pattern) blank() bool {
	for k := range p.old {
		if !isBlank(p.text(k)) {
			return false
		}
	}
	return true
}

// changes says whether applying the pattern would change anything.
func (p *pattern) changes() bool {
	for _, l := range p.lines {
		if l.Sign != ' ' {
			return true
		}
	}
	return false
}

// joined returns texts as lines of a block.
func joined(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}

// hunkPattern is the pattern of a chunk. Its other reading is that the blank before the lines that
// stay was forgotten; it comes first when one of them shows that.
func hunkPattern(lines []ChunkLine, in *interner) *pattern {
	var raw []ChunkLine
	bare, differs := false, false
	for i, l := range lines {
		if l.Sign != ' ' || l.Text == "" && !l.Bare {
			continue
		}
		if l.Bare {
			bare = bare || l.Text != ""
			continue
		}
		if raw == nil {
			raw = slices.Clone(lines)
		}
		raw[i].Text = " " + l.Text
		differs = true
	}
	p := newPattern(lines, in)
	p.hunk = true
	if !differs {
		return p
	}
	q := newPattern(raw, in)
	q.hunk = true
	if bare {
		p, q = q, p
	}
	p.other = q
	return p
}

// key is the pattern as a text, to recognise it.
func (p *pattern) key() string {
	var out strings.Builder
	for _, l := range p.lines {
		out.WriteByte(l.Sign)
		out.WriteString(l.Text)
		out.WriteByte('\n')
	}
	return out.String()
}
