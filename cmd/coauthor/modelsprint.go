package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"coauthor/agent/display"
	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// print writes the lists for people: a table for each, with the day from which its figures are.
func (l modelLists) print(out io.Writer) error {
	var b strings.Builder
	section(&b, "In use", l.InForce)
	section(&b, "Yours (settings)", l.Yours)
	section(&b, "Built in", l.Known)
	if l.Endpoint != "" && l.Error == "" {
		title := "Offered by " + display.Message(l.Endpoint)
		if len(l.Offered) == 0 {
			fmt.Fprintf(&b, "%s: no match\n\n", title)
		}
		section(&b, title, l.Offered)
	}
	b.WriteString("The window is in tokens. Prices are in US dollars per million prompt / answer tokens.\n" +
		"Use the models setting to correct these values.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// section writes one list; nothing when it is empty.
func section(b *strings.Builder, title string, list []listedModel) {
	if len(list) == 0 {
		return
	}
	rows := [][]string{{title, "window", "price", "edits", "as of"}}
	for _, m := range list {
		rows = append(rows, []string{nameOf(m), size(m.Window), price(m.Price), m.Format, cmp.Or(m.Checked, "-")})
	}
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		for i, cell := range r {
			if i < len(r)-1 {
				cell += strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// nameOf is a model's name with what it stands for. Names come from files and from servers.
func nameOf(m listedModel) string {
	text := "  "
	if m.Role != "" {
		text += m.Role + ": "
	}
	text += display.Message(m.Name)
	if m.ID != "" {
		text += " = " + display.Message(m.ID)
	}
	if m.Endpoint != "" {
		text += " at " + display.Message(llm.TrimCall(m.Endpoint))
	}
	return text
}

// size writes 128k for 128000 and for 131072, and 1M from a million on.
func size(tokens int) string {
	switch {
	case tokens <= 0:
		return "-"
	case tokens >= 1_000_000:
		return strconv.FormatFloat(float64(tokens/10_000)/100, 'f', -1, 64) + "M"
	case tokens >= 1000:
		return strconv.Itoa(tokens/1000) + "k"
	}
	return strconv.Itoa(tokens)
}

func price(p *model.Price) string {
	if p == nil {
		return "-"
	}
	return dollars(p.In) + " / " + dollars(p.Out)
}

func dollars(n float64) string { return "$" + strconv.FormatFloat(n, 'f', -1, 64) }
