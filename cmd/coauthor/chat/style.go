package chat

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// style paints texts that are fit to be shown. Its zero value leaves them as they are, as NO_COLOR and dumb terminals want it.
type style struct{ colour bool }

// The looks of a text, as terminals take them: the sixteen colours are those of the user's own theme, light or dark.
const (
	lookBold    = "1"
	lookDim     = "2"
	lookItalic  = "3"
	lookUnder   = "4"
	lookRed     = "31"
	lookGreen   = "32"
	lookYellow  = "33"
	lookBlue    = "34"
	lookMagenta = "35"
	lookCyan    = "36"
	lookTitle   = "1;34"
	lookRemoved = "31;7"
	lookAdded   = "32;7"
)

// paint gives each line of a text a look, so that none depends on the line before it.
func (s style) paint(look, text string) string {
	if !s.colour || look == "" || text == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "\x1b[" + look + "m" + line + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}

// wrap breaks the lines of a text between words so that they fit into so many columns. A word that is wider than a line is
// broken where the line ends. What stands before the further lines of a line is indent.
func wrap(text string, width int, indent string) []string {
	var rows []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		rows = append(rows, wrapLine(strings.ReplaceAll(line, "\t", "    "), width, indent)...)
	}
	return rows
}

// word is a piece of a line that is not broken where it fits, with the blanks before it.
type word struct {
	blanks, text string
	width        int
}

// wrapLine is wrap for one line, in which sequences of looks may stand: they are closed at the end of each row, and begin
// again on the next.
func wrapLine(line string, width int, indent string) []string {
	if ansi.StringWidth(line) <= width {
		return []string{line}
	}
	room := max(width-ansi.StringWidth(indent), 1)
	var rows []string
	row, columns, look := "", 0, ""
	end := func() {
		if look != "" {
			row += "\x1b[0m"
		}
		rows = append(rows, row)
		row, columns = indent+look, 0
	}
	for _, w := range words(line) {
		first := len(rows) == 0
		most := room
		if first {
			most = width
		}
		blanks := min(len(w.blanks), most-1)
		if columns > 0 && columns+blanks+w.width > most {
			end()
			blanks, most = 0, room
		}
		if columns > 0 || first {
			row += strings.Repeat(" ", blanks)
			columns += blanks
		}
		state := byte(0)
		for rest := w.text; rest != ""; {
			sign, columnsOf, size, next := ansi.DecodeSequence(rest, state, nil)
			if columnsOf > 0 && columns > 0 && columns+columnsOf > most {
				end()
				most = room
			}
			row += sign
			columns += columnsOf
			if columnsOf == 0 {
				look = lookAfter(look, sign)
			}
			rest, state = rest[size:], next
		}
	}
	return append(rows, row)
}

// words are the words of a line.
func words(line string) (list []word) {
	for line != "" {
		rest := strings.TrimLeft(line, " ")
		w := word{blanks: line[:len(line)-len(rest)]}
		i := strings.IndexByte(rest, ' ')
		if i < 0 {
			i = len(rest)
		}
		w.text = rest[:i]
		w.width = ansi.StringWidth(w.text)
		list, line = append(list, w), rest[i:]
	}
	return list
}

// lookAfter is the look that holds behind a text before which another one held.
func lookAfter(look, text string) string {
	for {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			return look
		}
		text = text[i:]
		end := strings.IndexByte(text, 'm')
		if end < 0 {
			return look
		}
		if seq := text[:end+1]; seq == "\x1b[0m" || seq == "\x1b[m" {
			look = ""
		} else {
			look += seq
		}
		text = text[end+1:]
	}
}

// fit cuts a line to so many columns.
func fit(line string, width int) string {
	if ansi.StringWidth(line) <= width {
		return line
	}
	return ansi.Truncate(line, max(width, 1), "…")
}
