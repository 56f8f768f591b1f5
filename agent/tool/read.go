package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Sizes of what read shows. They grow with the model's window.
const (
	leastRead, mostRead = 12_000, 60_000 // characters
	lineRoom            = 60             // of a line of most files
	lineLength          = 500
	outlineFrom         = 16 << 10 // bytes of a file that is shown as an outline unless a range is asked for, or it has room
	mostOutline         = 150
)

// readRoom is how many characters read shows: 30,000 in a window of 60,000 tokens, which are an eighth of it.
func (o *Options) readRoom() int { return o.half(min(max(o.Room/2, leastRead), mostRead)) }

// span is a range of lines, from 1, both included.
type span struct{ first, last int }

func (s span) String() string { return fmt.Sprintf("%d-%d", s.first, s.last) }

// read shows lines of a file, or the outline of a large one.
func (l *looking) read(a Args) error {
	doc, err := l.scope.admit(a.text("path"))
	if err != nil {
		return err
	}
	lines := splitLines(doc.Text)
	spans := l.spans(a, doc.Text, len(lines))
	if spans == nil && l.outlined(doc.Path, doc.Text, len(lines)) {
		return nil
	}
	if len(lines) == 0 {
		l.page.finish("%s is empty.", doc.Path)
		l.r.Shown = append(l.r.Shown, Shown{Path: doc.Path})
		return nil
	}
	if spans == nil {
		spans = []span{{1, l.usualLines()}}
	}
	if first := spans[0].first; first > len(lines) {
		return refuse("%s has only %s.", doc.Path, count(len(lines), "line"))
	}
	var shown, rest []span
	for i, s := range spans {
		s.last = min(s.last, len(lines))
		if s.first > s.last {
			continue // beyond the end, behind a range that is not
		}
		if len(rest) > 0 {
			rest = append(rest, s)
			continue
		}
		if i > 0 {
			l.page.say("…\n")
		}
		last := l.lines(doc.Path, lines, s, len(shown) == 0)
		if last >= s.first {
			shown = append(shown, span{s.first, last})
		}
		if last < s.last {
			rest = append(rest, span{last + 1, s.last})
		}
	}
	l.page.finish("Lines %s of %d of %s.", spoken(shown), len(lines), doc.Path)
	switch at := shown[len(shown)-1].last; {
	case len(rest) > 1:
		l.page.end += " Next: " + next(Read, "path", doc.Path, "ranges", spoken(rest)) + "."
	case len(rest) == 1:
		l.page.end += " Next: " + next(Read, "path", doc.Path, "start", rest[0].first, "lines", rest[0].last-rest[0].first+1) + "."
	case len(spans) == 1 && at < len(lines):
		l.page.end += " Next: " + next(Read, "path", doc.Path, "start", at+1) + "."
	}
	return nil
}

// lines shows a range as far as there is room, the first line of the page always, and returns the last line that had it.
func (l *looking) lines(path string, lines []string, s span, begins bool) (last int) {
	whole := true
	last = s.first - 1
	for n := s.first; n <= s.last; n++ {
		line, all := numberedLine(n, lines[n-1])
		if l.page.full(line) && (!begins || n > s.first) {
			break
		}
		whole = whole && all
		l.page.say("%s\n", line)
		last = n
	}
	if whole && last >= s.first {
		l.r.Shown = append(l.r.Shown, Shown{Path: path, First: s.first, Last: last, Of: len(lines)})
	}
	return last
}

// spans are the lines that a call asks for, in order, none of them twice; none where it asks for no lines of a file that is too
// large to be shown without that.
func (l *looking) spans(a Args, text string, lines int) []span {
	if list := spansOf(a.text("ranges")); len(list) > 0 {
		return list
	}
	_, from := a["start"]
	n, some := a["lines"].(int)
	switch {
	case !from && !some && !l.o.Small && len(text)+8*lines < l.page.most-300:
		return []span{{1, max(lines, 1)}}
	case !from && !some && len(text) > outlineFrom:
		return nil
	case n < 1:
		n = l.usualLines()
	}
	start := max(a.number("start", 1), 1)
	return []span{{start, start - 1 + n}}
}

func (l *looking) usualLines() int { return l.page.most / lineRoom }

// spansOf reads ranges such as "10-40, 90-100", and puts them in order. It is nil where that is none.
func spansOf(s string) []span {
	var list []span
	for _, one := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		first, last, ok := lineRange(one)
		if !ok {
			return nil
		}
		list = append(list, span{first, last})
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	var joined []span
	for _, s := range list {
		if n := len(joined); n > 0 && s.first <= joined[n-1].last+1 {
			joined[n-1].last = max(joined[n-1].last, s.last)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

func spoken(list []span) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = s.String()
	}
	return strings.Join(words, ", ")
}

// numberedLine is a line with its number, within the length of a line; all says that it is whole.
func numberedLine(n int, line string) (text string, all bool) {
	line = strings.TrimRight(line, "\r")
	if utf8.RuneCountInString(line) > lineLength {
		line = fmt.Sprintf("%s… (%d characters)", string([]rune(line)[:lineLength]), utf8.RuneCountInString(line))
		return fmt.Sprintf("%d|%s", n, line), false
	}
	return fmt.Sprintf("%d|%s", n, line), true
}

// splitLines returns the lines without their ends; a line end at the end of a text begins no line.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// outlined shows the definitions of a file with their lines. It is false where there are none.
func (l *looking) outlined(path, text string, lines int) bool {
	tags, err := l.o.Tags(l.ctx, path, []byte(text))
	if err != nil {
		return false
	}
	shown, all := 0, 0
	for _, t := range tags {
		if !t.Def || t.Kind == "" || !t.Kind.Container() && t.Last == t.First {
			continue
		}
		all++
		line := fmt.Sprintf("%d-%d %s %s", t.First+1, t.Last+1, t.Kind, t.Name)
		if shown < l.o.half(mostOutline) && !l.page.full(line) {
			l.page.say("%s\n", line)
			shown++
		}
	}
	if all == 0 {
		return false
	}
	l.page.finish("%s has %d lines; these are %d of its %s with their lines. Next: %s.", path, lines, shown, count(all, "definition"),
		next(Read, "path", path, "start", 1, "lines", l.usualLines()))
	return true
}
