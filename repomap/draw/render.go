package draw

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// moreMark stands before names of definitions whose lines are left out.
const moreMark = " ⋮ "

// moreSignature begins a line that goes on with the signature of the line before. A name has no tab.
const moreSignature = "\n\t"

// BreakLine breaks a long signature at its parameters.
func BreakLine(s string) string {
	if len(s) <= LineWidth {
		return s
	}
	var b strings.Builder
	depth, from, last := 0, 0, 0 // of brackets; where the line begins; the last place to break it
	for i := range len(s) {
		if last > from && utf8.RuneCountInString(s[from:i+1]) > LineWidth {
			b.WriteString(strings.TrimRight(s[from:last], " "))
			b.WriteString(moreSignature)
			from = last
		}
		switch s[i] {
		case '(', '[':
			if depth++; s[i] == '(' && depth == 1 && last == 0 {
				last = i + 1
			}
		case ')', ']':
			depth--
		case ' ':
			if depth == 1 && i > 0 && s[i-1] == ',' {
				last = i + 1
			}
		}
	}
	b.WriteString(s[from:])
	return b.String()
}

// kindWords stand before the name of a definition, and say no more than what kind it is.
var kindWords = map[string]bool{"type": true, "struct": true, "interface": true, "class": true, "enum": true, "trait": true, "union": true,
	"module": true, "mod": true, "namespace": true, "pub": true, "public": true, "export": true, "default": true, "abstract": true,
	"final": true, "static": true, "sealed": true, "data": true, "declare": true, "const": true, "var": true, "let": true, "typedef": true}

// Says tells whether a signature says more than the name and the kind.
func Says(signature, name string) bool {
	more := false
	for word := range strings.FieldsSeq(signature) {
		more = more || word != name && !kindWords[word]
	}
	return more
}

// render prints a plan: first the files that the previous map had, in its order, so that what a
// provider cached of the prompt stays good for as long as possible; then the others in order of
// likelihood. In each file come the signatures in the order of the file, indented as deep as other
// shown definitions contain them, then the names of others.
func (f *Fitter) render(p plan) string {
	var b strings.Builder
	for _, n := range f.order(p) {
		renderFile(&b, f.List[p.files[n]], p.shapes[n])
	}
	return b.String()
}

// order gives the places of a plan's files in the order of printing.
func (f *Fitter) order(p plan) []int {
	out := make([]int, len(p.files))
	for n := range out {
		out[n] = n
	}
	if f.Before == "" {
		return out
	}
	before := map[string]int{}
	for n, sec := range sections(f.Before, f.List) {
		before[sec.path] = n + 1
	}
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := before[f.List[p.files[a]].Path], before[f.List[p.files[b]].Path]
		switch {
		case x == 0 && y == 0:
			return a - b
		case x == 0:
			return 1
		case y == 0:
			return -1
		}
		return x - y
	})
	return out
}

func renderFile(b *strings.Builder, c File, shapes []shape) {
	b.WriteString(c.Path)
	var lines []Definition
	var names []string
	for i, s := range shapes {
		switch s {
		case hidden:
		case named:
			names = append(names, c.Defs[i].Name)
		case signed:
			lines = append(lines, c.Defs[i])
		}
	}
	if len(lines)+len(names) == 0 {
		b.WriteByte('\n')
		return
	}
	b.WriteByte(':')
	if len(lines) == 0 {
		b.WriteByte(' ')
		b.WriteString(strings.Join(names, ", "))
		b.WriteByte('\n')
		return
	}
	b.WriteByte('\n')
	slices.SortFunc(lines, func(a, b Definition) int { return a.Number - b.Number })
	shown := make(map[int]int, len(lines)) // definition -> how deep it is
	for _, line := range lines {
		depth := 1
		for p := int(c.Of.Defs[line.Number].Parent); p >= 0; p = int(c.Of.Defs[p].Parent) {
			if d, ok := shown[p]; ok {
				depth = d + 1
				break
			}
		}
		shown[line.Number] = depth
		b.WriteString(strings.Repeat(" ", depth))
		b.WriteString(line.Text)
		b.WriteByte('\n')
	}
	if len(names) > 0 {
		b.WriteString(moreMark)
		b.WriteString(strings.Join(names, ", "))
		b.WriteByte('\n')
	}
}
