package edits

import (
	"fmt"
	"strconv"
	"strings"

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

// diffOf shows pairs as a diff does: - is what was written, + is what the file has.
func diffOf(list []pair) string {
	var out strings.Builder
	for _, one := range list {
		fmt.Fprintf(&out, "-%s\n+%s\n", one.wrote, one.stands)
	}
	return out.String()
}

// mostSaid is how many characters of a line a note shows.
const mostSaid = 80

// saidOf says for the user what the first pair is, and how many there are; "" for none.
func saidOf(list []pair) string {
	if len(list) == 0 {
		return ""
	}
	short := func(line string) string {
		if r := []rune(line); len(r) > mostSaid {
			line = string(r[:mostSaid]) + "…"
		}
		return strconv.Quote(line)
	}
	more := ""
	switch n := len(list) - 1; n {
	case 0:
	case 1:
		more = ", and 1 more line differs"
	default:
		more = fmt.Sprintf(", and %d more lines differ", n)
	}
	return fmt.Sprintf("; the file has %s where the edit has %s%s", short(list[0].stands), short(list[0].wrote), more)
}
