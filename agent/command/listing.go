package command

import (
	"slices"
	"strings"
)

// Listing is a page of texts and tables: Markdown for editors, and columns that fit on a terminal.
type Listing struct {
	Title    string
	Sections []Section
}

// Section is a part of a listing. What it has not is left out.
type Section struct {
	Title, Text string
	Table       Table
}

// Table is rows of cells below a head. The first cell of a row is its name, which is never cut. A row of one cell is the title
// of the rows below it.
type Table struct {
	Head  []string
	Right []int // the columns of figures
	Rows  [][]string
}

// listing is the answer that shows a page of tables.
func listing(name, text string, l Listing, data any) Answer {
	return Answer{Text: text, Page: Page{name, l.Markdown()}, Listing: &l, Data: data}
}

// Markdown is the listing as a document.
func (l Listing) Markdown() string {
	parts := []string{"# " + l.Title + "\n"}
	for _, s := range l.Sections {
		if s.Title != "" {
			parts = append(parts, "## "+s.Title+"\n")
		}
		if s.Text != "" {
			parts = append(parts, s.Text+"\n")
		}
		if len(s.Table.Rows) > 0 {
			parts = append(parts, s.Table.Markdown())
		}
	}
	return strings.Join(parts, "\n")
}

// Markdown is the table as it stands in a document.
func (t Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("| ")
		for i := range t.Head {
			if i > 0 {
				b.WriteString(" | ")
			}
			if i < len(cells) {
				b.WriteString(strings.NewReplacer("|", `\|`, "\n", " ").Replace(cells[i]))
			}
		}
		b.WriteString(" |\n")
	}
	line(t.Head)
	for i := range t.Head {
		if slices.Contains(t.Right, i) {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, cells := range t.Rows {
		if len(cells) == 1 {
			cells = []string{"**" + cells[0] + "**"}
		}
		line(cells)
	}
	return b.String()
}
