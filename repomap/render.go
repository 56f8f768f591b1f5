package repomap

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// chars4 counts four characters as one token.
type chars4 struct{}

func (chars4) Count(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// moreMark stands before names of definitions whose lines are left out.
const moreMark = " ⋮ "

// moreSignature begins a line that goes on with the signature of the line before. A name has no tab.
const moreSignature = "\n\t"

// breakLine breaks a long signature at its parameters.
func breakLine(s string) string {
	if len(s) <= lineWidth {
		return s
	}
	var b strings.Builder
	depth, from, last := 0, 0, 0 // of brackets; where the line begins; the last place to break it
	for i := range len(s) {
		if last > from && utf8.RuneCountInString(s[from:i+1]) > lineWidth {
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

// says tells whether a signature says more than the name and the kind.
func says(signature, name string) bool {
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
func (q *scoring) render(list []candidate, p plan) string {
	var b strings.Builder
	for _, n := range q.order(list, p) {
		q.renderFile(&b, list[p.files[n]], p.shapes[n])
	}
	return b.String()
}

// order gives the places of a plan's files in the order of printing.
func (q *scoring) order(list []candidate, p plan) []int {
	out := make([]int, len(p.files))
	for n := range out {
		out[n] = n
	}
	if q.r.Previous == "" {
		return out
	}
	before := map[string]int{}
	for n, sec := range sections(q.r.Previous, list) {
		before[sec.path] = n + 1
	}
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := before[list[p.files[a]].path], before[list[p.files[b]].path]
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

func (q *scoring) renderFile(b *strings.Builder, c candidate, shapes []shape) {
	f := q.files()[c.file]
	b.WriteString(c.path)
	var lines []pick
	var names []string
	for i, s := range shapes {
		switch s {
		case hidden:
		case named:
			names = append(names, c.defs[i].name)
		case signed:
			lines = append(lines, c.defs[i])
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
	slices.SortFunc(lines, func(a, b pick) int { return a.def - b.def })
	shown := make(map[int]int, len(lines)) // definition -> how deep it is
	for _, line := range lines {
		depth := 1
		for p := int(f.Defs[line.def].Parent); p >= 0; p = int(f.Defs[p].Parent) {
			if d, ok := shown[p]; ok {
				depth = d + 1
				break
			}
		}
		shown[line.def] = depth
		b.WriteString(strings.Repeat(" ", depth))
		b.WriteString(line.text)
		b.WriteByte('\n')
	}
	if len(names) > 0 {
		b.WriteString(moreMark)
		b.WriteString(strings.Join(names, ", "))
		b.WriteByte('\n')
	}
}
