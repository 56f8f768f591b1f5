package edits

import (
	"html"
	"path"
	"slices"
	"strconv"
	"strings"

	"coauthor/edits/match"
)

// reread tries other readings of an edit that stands nowhere as it was written.
func (a *attempt) reread(p *match.Pattern) (*match.Pattern, *match.Place, string) {
	e, b := a.e, a.f.body
	if e.Kind != KindReplace {
		if q, at, ok := match.WithoutInvented(b, p, a.f.lines, a.w); ok {
			return q, &at, "comments that are not there were read as new ones"
		}
		if q := unnumberedHunk(p); q != nil {
			if _, at, missed := match.Locate(b, q, a.w); missed == nil {
				return q, &at, numbersTaken
			}
		}
		return nil, nil, ""
	}
	for _, reading := range readings {
		search, replace, ok := reading.read(match.Lines(e.Search), match.Lines(e.Replace), e.Path)
		if !ok {
			continue
		}
		p := a.r.pattern(joined(search), joined(replace))
		if p.Blank() {
			continue
		}
		if _, at, missed := match.Locate(b, p, a.w); missed == nil {
			return p, &at, reading.note
		}
	}
	return nil, nil, ""
}

const numbersTaken = "line numbers inside the block were taken off"

const signsTaken = "diff signs inside the block were taken off"

// signed reads a block as a piece of a diff where that is exact: with a blank before every line, it
// stands in the file one blank further in, and its plus signs would end up there.
func (a *attempt) signed() (*match.Pattern, match.Place, bool) {
	search, replace, ok := unsigned(match.Lines(a.e.Search), match.Lines(a.e.Replace), "")
	if !ok {
		return nil, match.Place{}, false
	}
	q := a.r.pattern(joined(search), joined(replace))
	_, at, missed := match.Locate(a.f.body, q, a.w)
	return q, at, missed == nil && !loose(at.Rung) && !q.Blank()
}

// reading is a way in which models write something else than the lines of the file. Both sides must
// be written that way.
type reading struct {
	note string
	read func(search, replace []string, name string) ([]string, []string, bool)
}

var readings = []reading{
	{"fences inside the block were taken off", unwrapped},
	{signsTaken, unsigned},
	{numbersTaken, unnumbered},
	{"character entities inside the block were resolved", unescaped},
}

// unwrapped takes off fences around the text, and the file's name above them.
func unwrapped(search, replace []string, name string) ([]string, []string, bool) {
	s, ok := unwrap(search, name)
	if !ok {
		return nil, nil, false
	}
	r, ok := unwrap(replace, name)
	return s, r, ok || len(replace) == 0
}

func unwrap(list []string, name string) ([]string, bool) {
	if len(list) > 0 && name != "" && strings.HasSuffix(strings.Trim(list[0], " `*:#"), path.Base(name)) {
		list = list[1:]
	}
	if n := len(list); n >= 2 && opensFence(list[0]) && closesFence(list[n-1]) {
		return list[1 : n-1], true
	}
	return nil, false
}

func opensFence(text string) bool {
	text = strings.TrimSpace(text)
	for _, f := range Fences {
		if strings.HasPrefix(text, f.Open) {
			return true
		}
	}
	return false
}

func closesFence(text string) bool {
	text = strings.TrimSpace(text)
	for _, f := range Fences {
		if text == f.Close {
			return true
		}
	}
	return false
}

// unsigned takes off a sign before every line: a minus or a blank on the old side, a plus or a blank
// on the new one.
func unsigned(search, replace []string, _ string) ([]string, []string, bool) {
	s, n := unsign(search, '-')
	r, m := unsign(replace, '+')
	return s, r, n >= 0 && m >= 0 && n+m > 0
}

// unsign returns how many lines had the sign, or -1 when a line has neither the sign nor a blank.
func unsign(list []string, sign byte) (out []string, n int) {
	for _, text := range list {
		switch {
		case text == "":
		case text[0] == sign:
			n++
			text = text[1:]
		case text[0] == ' ':
			text = text[1:]
		default:
			return nil, -1
		}
		out = append(out, text)
	}
	return out, n
}

// unnumbered takes off line numbers that count up.
func unnumbered(search, replace []string, _ string) ([]string, []string, bool) {
	s, ok := unnumber(search)
	if !ok {
		return nil, nil, false
	}
	r, n, lines := takeNumbers(replace, separator(search))
	if n == 0 {
		for _, text := range replace {
			if _, numbered := cutNumber(text); numbered {
				return nil, nil, false // numbered in another way: no one knows what they are
			}
		}
	}
	if n > 0 && n < lines && !slices.ContainsFunc(s, func(text string) bool { return slices.Contains(r, text) }) {
		return nil, nil, false // some lines with and some without, and none of the old ones among them
	}
	return s, r, true
}

// unnumberedHunk takes off line numbers that count up along the old lines of a hunk, as where the model was shown
// the file with numbers; nil when it has none. New lines mostly have none.
func unnumberedHunk(p *match.Pattern) *match.Pattern {
	old, added := p.Old(), p.Signed('+')
	bare, ok := unnumber(old)
	if !ok {
		return nil
	}
	sep := separator(old)
	fresh, n, lines := takeNumbers(added, sep)
	if n > 0 && n < lines && !strings.Contains(sep, "|") {
		return nil // some with and some without: no one knows what they are
	}
	var q []match.Line
	for _, l := range p.Lines {
		if l.Sign == '+' {
			l.Text, fresh = fresh[0], fresh[1:]
		} else {
			l.Text, bare = bare[0], bare[1:]
		}
		q = append(q, l)
	}
	if r := p.With(q); !r.Blank() {
		return r
	}
	return nil
}

// unnumberedListing takes the numbers off a listing that counts its lines from 1, where the file has
// most of what is left and hardly what is written.
func unnumberedListing(file string, list []string) ([]string, bool) {
	if _, ok := unnumber(list); !ok {
		return nil, false
	}
	if n, _ := cutNumber(list[0]); n != 1 {
		return nil, false
	}
	bare, _, _ := takeNumbers(list, separator(list))
	return bare, HasHalf(file, joined(bare)) && !HasHalf(file, joined(list))
}

// separators are what may stand between the number and the text of a line.
var separators = []string{": ", " | ", "| ", "|", ":", "\t", " "}

// separator is the one that all lines have, "" when they have none in common, or nothing behind their
// numbers.
func separator(list []string) string {
	if !slices.ContainsFunc(list, func(text string) bool { _, rest, ok := leadingNumber(text); return ok && !match.IsBlank(rest) }) {
		return ""
	}
	for _, sep := range separators {
		if !slices.ContainsFunc(list, func(text string) bool { return !match.IsBlank(text) && !separates(text, sep) }) {
			return sep
		}
	}
	return ""
}

// separates says whether a line begins with a number and that separator, or is a number alone.
func separates(text, sep string) bool {
	_, rest, ok := leadingNumber(text)
	return ok && (strings.HasPrefix(rest, sep) || rest == strings.TrimRight(sep, " \t") || rest == "")
}

// takeNumbers takes off the numbers before a separator. New lines repeat some, or have none.
func takeNumbers(list []string, sep string) (out []string, n, lines int) {
	for _, text := range list {
		if !match.IsBlank(text) {
			lines++
		}
		trimmed := strings.TrimLeft(text, " ")
		rest := strings.TrimLeft(trimmed, "0123456789")
		digits := len(trimmed) - len(rest)
		after, ok := strings.CutPrefix(rest, sep)
		if !ok && rest == strings.TrimRight(sep, " \t") || rest == "" {
			after, ok = "", true // nothing else on the line
		}
		if ok && digits > 0 && digits <= 7 && sep != "" {
			text = after
			n++
		}
		out = append(out, text)
	}
	return out, n, lines
}

func unnumber(list []string) (out []string, ok bool) {
	sep, last := separator(list), 0
	if sep == "" {
		return nil, false
	}
	for _, text := range list {
		n, rest, numbered := leadingNumber(text)
		if !numbered {
			out = append(out, "") // a number before nothing is often left out
			continue
		}
		if n <= last {
			return nil, false
		}
		last = n
		after, ok := strings.CutPrefix(rest, sep)
		if !ok {
			after = "" // the separator without its blank
		}
		out = append(out, after)
	}
	return out, last > 0
}

// cutNumber reads the number of "12: text", "12 | text" and "12\ttext".
func cutNumber(text string) (n int, ok bool) {
	n, rest, ok := leadingNumber(text)
	return n, ok && (rest == "" || slices.ContainsFunc(separators, func(sep string) bool { return strings.HasPrefix(rest, sep) }))
}

// leadingNumber reads the number that a line begins with, behind blanks, and what follows it.
func leadingNumber(text string) (n int, rest string, ok bool) {
	trimmed := strings.TrimLeft(text, " ")
	rest = strings.TrimLeft(trimmed, "0123456789")
	digits := len(trimmed) - len(rest)
	if digits == 0 || digits > 7 {
		return 0, "", false
	}
	n, err := strconv.Atoi(trimmed[:digits])
	return n, rest, err == nil
}

// unescaped resolves the entities that a page of HTML would hold.
func unescaped(search, replace []string, _ string) ([]string, []string, bool) {
	some := false
	all := func(list []string) []string {
		out := make([]string, len(list))
		for i, text := range list {
			out[i] = html.UnescapeString(text)
			some = some || out[i] != text
		}
		return out
	}
	s := all(search)
	if !some {
		return nil, nil, false
	}
	return s, all(replace), true
}
