package commit

import (
	"strings"

	"coauthor/edits"
)

// An editor's text is not byte for byte what git has: some editors take the byte order mark off, hold line feeds where
// the file has CRLF, or end the last line. Nobody changed anything by that, so it is neither a change to commit nor one
// that a turn builds on.

// lineForm is a text as lines alone, whatever an editor makes of the rest: without a byte order mark, with line feeds,
// and with the last line ended.
func lineForm(text string) string {
	text = lineFeeds.Replace(strings.TrimPrefix(text, "\ufeff"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// inFormOf writes lines in the form that a text has: each line of it that stays keeps its end, a new one ends as the one
// before it does, and byte order mark and end of the text are the text's. lines are in lineForm.
func inFormOf(like, lines string) string {
	body, mark := strings.CutPrefix(like, "\ufeff")
	old, open := cutLines(body)
	var out strings.Builder
	if mark {
		out.WriteString("\ufeff")
	}
	at, end := 0, "\n"
	keep := func(to int) {
		for ; at < to; at++ {
			out.WriteString(old[at])
		}
		if len(old) > 0 {
			end = lineEnd(old[max(0, at-1)])
		}
	}
	for _, h := range edits.Diff(lineForm(like), lines) {
		keep(h.OldLine)
		out.WriteString(strings.ReplaceAll(h.New, "\n", end))
		at += h.OldCount
	}
	keep(len(old))
	text := out.String()
	if open {
		text = strings.TrimSuffix(text, lineEnd(text))
	}
	return text
}

// cutLines cuts a text behind each line end. open says that the last line had none; it has the one before it then.
func cutLines(text string) (lines []string, open bool) {
	for text != "" {
		n := strings.IndexAny(text, "\r\n") + 1
		switch {
		case n == 0:
			end := "\n"
			if len(lines) > 0 {
				end = lineEnd(lines[len(lines)-1])
			}
			return append(lines, text+end), true
		case strings.HasPrefix(text[n-1:], "\r\n"):
			n++
		}
		lines, text = append(lines, text[:n]), text[n:]
	}
	return lines, false
}

// lineEnd is what a line ends with; "" for nothing.
func lineEnd(line string) string {
	for _, end := range []string{"\r\n", "\n", "\r"} {
		if strings.HasSuffix(line, end) {
			return end
		}
	}
	return ""
}
