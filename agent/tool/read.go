package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sizes of what read shows.
const (
	usualLines, mostLines = 200, 1000
	lineLength            = 500
	outlineFrom           = 16 << 10 // bytes of a file that is shown as an outline unless a range is asked for
	mostOutline           = 150
)

// read shows lines of a file, or the outline of a large one.
func (l *looking) read(a Args) error {
	doc, err := l.scope.admit(a.text("path"))
	if err != nil {
		return err
	}
	lines := splitLines(doc.Text)
	start := max(a.number("start", 1), 1)
	_, from := a["start"]
	_, some := a["lines"]
	if !from && !some && len(doc.Text) > outlineFrom && l.outlined(doc.Path, doc.Text, len(lines)) {
		return nil
	}
	if len(lines) == 0 {
		l.page.finish("%s is empty.", doc.Path)
		l.r.Shown = append(l.r.Shown, Shown{Path: doc.Path})
		return nil
	}
	if start > len(lines) {
		return refuse("%s has only %s.", doc.Path, count(len(lines), "line"))
	}
	n := a.number("lines", l.o.half(usualLines))
	if n < 1 {
		n = l.o.half(usualLines)
	}
	last := min(start-1+min(n, l.o.half(mostLines)), len(lines))
	shown, whole := start-1, true
	for i := start - 1; i < last; i++ {
		line, all := numberedLine(i+1, lines[i])
		if l.page.full(line) && i > start-1 {
			break
		}
		whole = whole && all
		l.page.say("%s\n", line)
		shown = i + 1
	}
	if whole {
		l.r.Shown = append(l.r.Shown, Shown{Path: doc.Path, First: start, Last: shown, Of: len(lines)})
	}
	l.page.finish("Lines %d-%d of %d of %s.", start, shown, len(lines), doc.Path)
	if shown < len(lines) {
		l.page.end += " Next: " + next(Read, "path", doc.Path, "start", shown+1) + "."
	}
	return nil
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
		next(Read, "path", path, "start", 1, "lines", usualLines))
	return true
}
