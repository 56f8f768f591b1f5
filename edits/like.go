package edits

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coauthor/edits/match"
)

// pair is a line as it was written and as it is in the file.
type pair struct{ wrote, stands string }

// differing are the lines of a straight place that are not in the file as they were written, but for blanks around them.
func differing(b *match.Text, p *match.Pattern, at match.Place) []pair {
	var list []pair
	for k, text := range p.Old() {
		if one := (pair{match.Trim(text), match.Trim(b.Lines()[at.From+k])}); one.wrote != one.stands {
			list = append(list, one)
		}
	}
	return list
}

// mostOfALine is how many characters of a line a diff for the model shows, and mostSaid those in a note for the user.
const (
	mostOfALine = 400
	mostSaid    = 80
)

// cut leaves of two long lines the part in which they begin to differ, with … in the place of what is left out.
func (p pair) cut(most int) pair {
	if len(p.wrote) <= most && len(p.stands) <= most {
		return p
	}
	same := 0
	for same < min(len(p.wrote), len(p.stands)) && p.wrote[same] == p.stands[same] {
		same++
	}
	from := max(0, same-most/2)
	for from > 0 && !utf8.RuneStart(p.wrote[from]) { // both have the same bytes there
		from--
	}
	return pair{part(p.wrote, from, most), part(p.stands, from, most)}
}

// part is a number of characters of a line.
func part(line string, from, most int) string {
	to := from
	for n := 0; n < most && to < len(line); n++ {
		_, size := utf8.DecodeRuneInString(line[to:])
		to += size
	}
	text := line[from:to]
	if from > 0 {
		text = "…" + text
	}
	if to < len(line) {
		text += "…"
	}
	return text
}

// diffOf shows pairs as a diff does: - is what was written, + is what the file has.
func diffOf(list []pair) string {
	var out strings.Builder
	for _, one := range list {
		one = one.cut(mostOfALine)
		out.WriteString("-" + one.wrote + "\n+" + one.stands + "\n")
	}
	return out.String()
}

// saidOf says for the user what the first pair is, and how many there are; "" for none.
func saidOf(list []pair) string {
	if len(list) == 0 {
		return ""
	}
	more := ""
	switch n := len(list) - 1; n {
	case 0:
	case 1:
		more = ", and 1 more line differs"
	default:
		more = fmt.Sprintf(", and %d more lines differ", n)
	}
	first := list[0].cut(mostSaid)
	return fmt.Sprintf("; the file has %q where the edit has %q%s", first.stands, first.wrote, more)
}
