package repomap

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// chars4 counts four characters as one token.
type chars4 struct{}

func (chars4) Count(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// render prints a plan: files in order of likelihood; in each the signatures in the order of the
// file, indented as deep as shown definitions contain them, then the names of others.
func (q *scoring) render(list []candidate, p plan) string {
	var b strings.Builder
	for n, k := range p.files {
		q.renderFile(&b, list[k], p.shapes[n])
	}
	return b.String()
}

func (q *scoring) renderFile(b *strings.Builder, c candidate, shapes []shape) {
	f := q.files()[c.file]
	b.WriteString(f.path)
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
	for _, line := range lines {
		b.WriteByte(' ')
		b.WriteString(line.text)
		b.WriteByte('\n')
	}
	if len(names) > 0 {
		b.WriteString(" ⋮ ")
		b.WriteString(strings.Join(names, ", "))
		b.WriteByte('\n')
	}
}
