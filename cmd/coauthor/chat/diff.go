package chat

import (
	"fmt"
	"strings"
	"unicode"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// differ draws changes as unified diffs with colours, in which the words that changed are marked.
type differ struct {
	style style
	width int
}

// diff draws what is undecided of a change.
func (d differ) diff(p proposal.Proposal) string { return d.paint(proposal.ScreenDiff(p, false)) }

// paint draws a unified diff whose text is fit to be shown.
func (d differ) paint(text string) string {
	var rows, gone, come []string
	header := false
	flush := func() {
		for i := range gone {
			other := ""
			if len(gone) == len(come) {
				other = come[i]
			}
			rows = append(rows, d.line("-", gone[i], other, lookRed, lookRemoved)...)
		}
		for i := range come {
			other := ""
			if len(gone) == len(come) {
				other = gone[i]
			}
			rows = append(rows, d.line("+", come[i], other, lookGreen, lookAdded)...)
		}
		gone, come = nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			flush()
			header = true
		case strings.HasPrefix(line, "@@ "):
			flush()
			header = false
			rows = append(rows, d.style.paint(lookCyan, fit(line, d.width)))
			continue
		}
		switch {
		case header:
			rows = append(rows, d.style.paint(lookBold, fit(line, d.width)))
		case strings.HasPrefix(line, "-"):
			if len(come) > 0 {
				flush()
			}
			gone = append(gone, line[1:])
		case strings.HasPrefix(line, "+"):
			come = append(come, line[1:])
		case strings.HasPrefix(line, "\\") && len(gone)+len(come) > 0:
			flush()
			rows = append(rows, d.style.paint(lookDim, line))
		default:
			flush()
			rows = append(rows, wrapLine(strings.ReplaceAll(line, "\t", "    "), d.width, " ")...)
		}
	}
	flush()
	return strings.Join(rows, "\n")
}

// line draws a line that goes or comes. Where one stands in the place of another, what they do not share is marked.
func (d differ) line(sign, text, other, look, mark string) []string {
	text, other = strings.ReplaceAll(text, "\t", "    "), strings.ReplaceAll(other, "\t", "    ")
	from, to := 0, 0
	if other != "" && d.style.colour {
		from, to = changedWords(text, other)
	}
	painted := d.style.paint(look, sign+text[:from]) + d.style.paint(mark, text[from:to]) + d.style.paint(look, text[to:])
	if from == to {
		painted = d.style.paint(look, sign+text)
	}
	return wrapLine(painted, d.width, " ")
}

// changedWords is where a line differs from another, in whole words. Lines that share little have no such place.
func changedWords(text, other string) (from, to int) {
	for from < len(text) && from < len(other) && text[from] == other[from] {
		from++
	}
	tail := 0
	for tail < len(text)-from && tail < len(other)-from && text[len(text)-1-tail] == other[len(other)-1-tail] {
		tail++
	}
	to = len(text) - tail
	inWord := func(i int) bool {
		return i > 0 && i < len(text) && isWordByte(text[i-1]) && isWordByte(text[i])
	}
	for inWord(from) {
		from--
	}
	for inWord(to) {
		to++
	}
	if len(strings.TrimSpace(text[:from]))+len(strings.TrimSpace(text[to:])) == 0 {
		return 0, 0
	}
	return from, to
}

// isWordByte also takes the bytes of signs that are not ASCII, so that none is cut.
func isWordByte(b byte) bool {
	return b >= 0x80 || isWord(rune(b)) && b < unicode.MaxASCII
}

// summary are the files of a change, a line each.
func (d differ) summary(p proposal.Proposal) (rows []string) {
	for i := range p.Files {
		f := &p.Files[i]
		added, removed := f.Counts()
		name := display.Path(f.Path(), max(d.width-24, 16))
		counts := d.style.paint(lookGreen, fmt.Sprintf("+%d", added)) + " " + d.style.paint(lookRed, fmt.Sprintf("-%d", removed))
		rows = append(rows, fmt.Sprintf("  %-6s %s  %s", OpWord(f.Change.Op), name, counts))
	}
	return rows
}

// OpWord is what happens to a file, in a word for the user.
func OpWord(op edits.Op) string {
	switch op {
	case edits.OpCreate:
		return "new"
	case edits.OpDelete:
		return "delete"
	case edits.OpRename:
		return "move"
	case edits.OpUpdate:
		return "edit"
	}
	return string(op)
}
