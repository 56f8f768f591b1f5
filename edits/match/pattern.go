package match

import (
	"slices"
	"strings"
)

// Line is one line of an instruction, without its line end.
type Line struct {
	Sign byte // ' ' kept, '-' removed, '+' added
	Text string
	Bare bool // it had no sign, and so counts as kept
	Open bool // the reply says that no line end follows it
}

// Pattern is what an edit wants to find and to put there: lines, of which those that are kept
// or removed are the old text.
type Pattern struct {
	Lines []Line
	Ends  bool // in its format every line has an end

	old   []int // indexes of the kept and removed lines
	in    *Table
	keys  [folds][]int32
	size  [folds]int // how many texts had numbers when the keys were made
	hunk  bool       // from a diff, where the signs say what stays
	other *Pattern   // another reading, tried on the strict rungs before the loose ones of this one
}

// New returns the pattern of lines whose signs do not tell what stays.
func New(lines []Line, in *Table) *Pattern {
	p := &Pattern{Lines: lines, in: in}
	for i, l := range lines {
		if l.Sign != '+' {
			p.old = append(p.old, i)
		}
	}
	return p
}

// With returns the pattern with other lines, and without another reading.
func (p *Pattern) With(lines []Line) *Pattern {
	q := New(lines, p.in)
	q.hunk, q.Ends = p.hunk, p.Ends
	return q
}

// Len is how many old lines there are.
func (p *Pattern) Len() int { return len(p.old) }

// Old are the texts of the old lines.
func (p *Pattern) Old() []string {
	out := make([]string, len(p.old))
	for k := range p.old {
		out[k] = p.text(k)
	}
	return out
}

// Signed are the texts of the lines with a sign.
func (p *Pattern) Signed(sign byte) []string {
	var out []string
	for _, l := range p.Lines {
		if l.Sign == sign {
			out = append(out, l.Text)
		}
	}
	return out
}

func (p *Pattern) text(k int) string { return p.Lines[p.old[k]].Text }

// folded returns the numbers of the old lines. A line that is in no file is unknown.
func (p *Pattern) folded(f fold) []int32 {
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

// Blank says whether the pattern has no old line with anything in it.
func (p *Pattern) Blank() bool {
	for k := range p.old {
		if !IsBlank(p.text(k)) {
			return false
		}
	}
	return true
}

// Changes says whether applying the pattern would change anything.
func (p *Pattern) Changes() bool {
	for _, l := range p.Lines {
		if l.Sign != ' ' {
			return true
		}
	}
	return false
}

// Hunk is the pattern of a hunk of a diff. Its other reading is that the blank before the lines that
// stay was forgotten; it comes first when one of them shows that.
func Hunk(lines []Line, in *Table) *Pattern {
	var raw []Line
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
	p := New(lines, in)
	p.hunk = true
	if !differs {
		return p
	}
	q := New(raw, in)
	q.hunk = true
	if bare {
		p, q = q, p
	}
	p.other = q
	return p
}

// Key is the pattern as a text, to recognise it.
func (p *Pattern) Key() string {
	var out strings.Builder
	for _, l := range p.Lines {
		out.WriteByte(l.Sign)
		out.WriteString(l.Text)
		out.WriteByte('\n')
	}
	return out.String()
}
