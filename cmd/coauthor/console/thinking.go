package console

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"coauthor/agent/display"
)

// Thinking shows on a terminal what a model thinks, dimmed, while it comes: the last lines of it. One line takes their
// place when something else is to be shown. The zero value shows nothing.
type Thinking struct {
	To     io.Writer
	Colour bool
	Clock  func() time.Time

	pieces display.Stream
	text   string    // that is shown; the end of what came
	since  time.Time // of its first piece
	rows   int       // on the screen
}

// thinkingRows is how many lines are seen at a time, thinkingWidth how wide they are: columns of a terminal that is narrow,
// since a line that wraps could not be taken back.
const (
	thinkingRows  = 6
	thinkingWidth = lineWidth
)

// Take shows a piece.
func (t *Thinking) Take(piece string) {
	if t.To == nil {
		return
	}
	if t.since.IsZero() {
		t.since = t.Clock()
	}
	t.text += t.pieces.Write(piece)
	rows := thinkingLines(t.text)
	if len(rows) > thinkingRows {
		rows = rows[len(rows)-thinkingRows:]
		t.text = strings.Join(rows, "\n") // what has left the screen does not come back
	}
	if len(rows) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(t.back())
	for _, row := range rows {
		b.WriteString(t.dim(row) + "\n")
	}
	t.rows = len(rows)
	fmt.Fprint(t.To, b.String())
}

// Begins says whether the next piece is the first to be seen, so that what was begun there is ended before.
func (t *Thinking) Begins() bool { return t.To != nil && t.rows == 0 }

// Fold puts one line in the place of what was shown.
func (t *Thinking) Fold() {
	if t.rows == 0 {
		return
	}
	fmt.Fprint(t.To, t.back()+t.dim(fmt.Sprintf("Thought for %.0f s.", t.Clock().Sub(t.since).Seconds()))+"\n")
	t.rows, t.text, t.since, t.pieces = 0, "", time.Time{}, display.Stream{}
}

// back leads to where the first line is, and takes all from the screen that stands there.
func (t *Thinking) back() string {
	if t.rows == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", t.rows)
}

func (t *Thinking) dim(row string) string {
	if !t.Colour {
		return row
	}
	return "\x1b[2m" + row + "\x1b[0m"
}

// thinkingLines are the lines of a text, none wider than the screen. What is not ASCII may take two columns.
func thinkingLines(text string) (rows []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), "\r\n")
		from, width := 0, 0
		for i, r := range line {
			columns := 1
			if r >= utf8.RuneSelf {
				columns = 2
			}
			if width+columns > thinkingWidth {
				rows = append(rows, line[from:i])
				from, width = i, 0
			}
			width += columns
		}
		if rest := line[from:]; rest != "" {
			rows = append(rows, rest)
		}
	}
	return rows
}
