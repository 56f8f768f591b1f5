package chat

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"coauthor/agent/command"
	"coauthor/agent/display"
)

// Columns of our own: text/tabwriter wraps nothing, and lipgloss's tables break words and cut names.

const (
	columnGap  = 2  // blanks between two columns
	leastText  = 16 // columns that a text needs to be read
	mostOfWord = 40 // columns up to which a word is kept whole that is no row's name
)

// table is rows of cells that are fit to be shown, which may have looks.
type table struct {
	head  []string
	right []int // the columns that end at the same place
	rows  [][]string
}

// Listing returns the text of a page of tables for a terminal of so many columns.
func Listing(l command.Listing, width int, colour bool) string {
	st := style{colour}
	var rows []string
	for _, s := range l.Sections {
		if len(rows) > 0 {
			rows = append(rows, "")
		}
		if s.Title != "" {
			rows = append(rows, wrap(st.paint(lookTitle, display.Line(s.Title)), width, "")...)
		}
		if s.Text != "" {
			rows = append(rows, wrap(display.Text(s.Text), width, "")...)
			if len(s.Table.Rows) > 0 {
				rows = append(rows, "")
			}
		}
		if len(s.Table.Rows) > 0 {
			rows = append(rows, shownTable(s.Table, st).lines(width, st)...)
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// shownTable is a table as it may be shown.
func shownTable(t command.Table, st style) table {
	out := table{right: t.Right}
	for _, name := range t.Head {
		out.head = append(out.head, st.paint(lookBold, display.Line(name)))
	}
	for _, row := range t.Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, display.Line(cell))
		}
		if len(cells) == 1 {
			cells[0] = st.paint(lookBold, cells[0])
		}
		out.rows = append(out.rows, cells)
	}
	return out
}

// lines lays the table out. Columns are as wide as what stands in them. Where that is too much, the widest become narrower, and
// texts go on below themselves, but no word is broken that could be a name. Where that is too much as well, the cells of a row
// stand below its first one.
func (t table) lines(width int, st style) []string {
	widths, least := make([]int, len(t.head)), make([]int, len(t.head))
	sum := -columnGap
	for i := range t.head {
		word := 0
		for _, row := range append([][]string{t.head}, t.rows...) {
			if i < len(row) && (len(row) > 1 || len(t.head) == 1) {
				widths[i] = max(widths[i], ansi.StringWidth(row[i]))
				word = max(word, longestWord(row[i]))
			}
		}
		if i > 0 {
			word = min(word, mostOfWord)
		}
		least[i] = min(widths[i], max(word, leastText))
		sum += widths[i] + columnGap
	}
	for sum > width {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return t.stacked(width, st)
		}
		widths[widest]--
		sum--
	}
	rows := append(t.row(t.head, widths, width), st.paint(lookDim, strings.Repeat("─", max(sum, 1))))
	for _, row := range t.rows {
		if len(row) == 1 && len(t.head) > 1 {
			if len(rows) > 2 { // below the head
				rows = append(rows, "")
			}
			rows = append(rows, wrap(row[0], width, "  ")...)
			continue
		}
		rows = append(rows, t.row(row, widths, width)...)
	}
	return rows
}

// row is a row of the table in as many lines as its longest cell needs. A cell with a word that its column would break stands
// below the others.
func (t table) row(cells []string, widths []int, width int) []string {
	var columns [][]string
	var below []string
	height := 1
	for i, cell := range cells[:min(len(cells), len(widths))] {
		indent := ""
		if i == 0 { // so that it is no other row
			indent = "  "
		}
		if i > 0 && longestWord(cell) > widths[i] {
			below = append(below, wrapLine("    "+cell, width, "    ")...)
			cell = ""
		}
		columns = append(columns, wrapLine(cell, max(widths[i], 1), indent))
		height = max(height, len(columns[i]))
	}
	rows := make([]string, height)
	for y := range rows {
		line, blanks := "", 0 // those that stand behind the line where more follows
		for i, lines := range columns {
			cell := ""
			if y < len(lines) {
				cell = lines[y]
			}
			left := widths[i] - ansi.StringWidth(cell)
			if slices.Contains(t.right, i) {
				blanks, left = blanks+left, 0
			}
			if cell != "" {
				line += strings.Repeat(" ", blanks) + cell
				blanks = 0
			}
			blanks += left + columnGap
		}
		rows[y] = line
	}
	return append(rows, below...)
}

// stacked lays the rows out below each other.
func (t table) stacked(width int, st style) []string {
	head := t.head[0]
	if len(t.head) == 2 && t.head[1] != "" {
		head += ": " + t.head[1]
	}
	rows := append(wrap(head, width, "  "), st.paint(lookDim, strings.Repeat("─", max(min(ansi.StringWidth(head), width), 1))))
	for y, row := range t.rows {
		if len(row) == 1 && y > 0 && len(t.head) > 1 {
			rows = append(rows, "")
		}
		for i, cell := range row[:min(len(row), len(t.head))] {
			switch {
			case cell == "":
			case i == 0:
				rows = append(rows, wrap(cell, width, "  ")...)
			case len(t.head) > 2 && t.head[i] != "" && row[0] != "": // without a name it goes on with the row above
				rows = append(rows, wrap("  "+t.head[i]+": "+cell, width, "    ")...)
			default:
				rows = append(rows, wrap("  "+cell, width, "    ")...)
			}
		}
	}
	return rows
}

// longestWord is how wide the widest word of a text is.
func longestWord(text string) (most int) {
	for _, w := range words(text) {
		most = max(most, w.width)
	}
	return most
}
