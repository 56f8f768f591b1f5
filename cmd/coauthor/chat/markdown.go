package chat

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"coauthor/agent/display"
)

// The Markdown of an answer as lines of a terminal. A renderer of our own: glamour makes control characters of the references
// that a model writes for them, breaks words, and takes 30 ms to start.

// mostMarkdown is how long a block may be that is read as Markdown, and mostSigns how many signs of Markdown it may have: the
// parser takes long for what nobody writes.
const (
	mostMarkdown = 64 << 10
	mostSigns    = 2000
)

var dialect = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()
})

// markdown renders a text of a model's, which may be anything.
type markdown struct {
	style style
	width int
}

// render returns the lines of a text.
func (m markdown) render(source string) []string {
	source = display.Text(source)
	if len(source) > mostMarkdown || strings.Count(source, "*")+strings.Count(source, "_")+strings.Count(source, "[")+strings.Count(source, "<")+strings.Count(source, "`") > mostSigns {
		return wrap(source, m.width, "")
	}
	src := []byte(source)
	rows := m.blocks(dialect().Parse(text.NewReader(src)), src, m.width)
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// blocks are the lines of what stands in a container, with an empty one between two blocks.
func (m markdown) blocks(parent ast.Node, src []byte, width int) (rows []string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if list, in := parent.(*ast.ListItem); len(rows) > 0 && (!in || !tight(list)) {
			rows = append(rows, "")
		}
		rows = append(rows, m.block(n, src, max(width, 8))...)
	}
	return rows
}

func tight(item *ast.ListItem) bool {
	list, ok := item.Parent().(*ast.List)
	return ok && list.IsTight
}

func (m markdown) block(n ast.Node, src []byte, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return wrap(m.inline(n, src, lookTitle), width, "")
	case *ast.ThematicBreak:
		return []string{m.style.paint(lookDim, strings.Repeat("─", width))}
	case *ast.FencedCodeBlock:
		return m.code(lines(n, src), string(n.Language(src)), width)
	case *ast.CodeBlock:
		return m.code(lines(n, src), "", width)
	case *ast.Blockquote:
		return before(m.blocks(n, src, width-2), m.style.paint(lookDim, "│ "), m.style.paint(lookDim, "│ "))
	case *ast.List:
		return m.list(n, src, width)
	case *ast.HTMLBlock:
		return wrap(shown(lines(n, src)), width, "")
	case *extast.Table:
		return m.table(n, src, width)
	}
	if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
		return m.blocks(n, src, width)
	}
	return wrap(m.inline(n, src, ""), width, "")
}

func (m markdown) list(n *ast.List, src []byte, width int) (rows []string) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		sign := "• "
		if n.IsOrdered() {
			sign = fmt.Sprintf("%d. ", number)
			number++
		}
		if len(rows) > 0 && !n.IsTight {
			rows = append(rows, "")
		}
		blank := strings.Repeat(" ", ansi.StringWidth(sign))
		inside := m.blocks(item, src, width-len(blank))
		if len(inside) == 0 {
			inside = []string{""}
		}
		rows = append(rows, before(inside, m.style.paint(lookCyan, sign), blank)...)
	}
	return rows
}

// before puts a sign before lines.
func before(rows []string, first, others string) []string {
	for i := range rows {
		if i == 0 {
			rows[i] = first + rows[i]
		} else {
			rows[i] = others + rows[i]
		}
	}
	return rows
}

func lines(n ast.Node, src []byte) string {
	var b bytes.Buffer
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(src))
	}
	return b.String()
}

// code is a listing, two columns in.
func (m markdown) code(listing, language string, width int) (rows []string) {
	for _, line := range m.style.highlight(shown(strings.TrimRight(listing, "\n")), language) {
		for _, row := range wrapLine(strings.ReplaceAll(line, "\t", "    "), max(width-2, 8), "  ") {
			if row != "" {
				row = "  " + row
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// table lays out a table.
func (m markdown) table(n *extast.Table, src []byte, width int) []string {
	var t table
	for i, side := range n.Alignments {
		if side == extast.AlignRight {
			t.right = append(t.right, i)
		}
	}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		look := ""
		_, head := row.(*extast.TableHeader)
		if head {
			look = lookBold
		}
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, strings.ReplaceAll(m.inline(cell, src, look), "\n", " "))
		}
		if head {
			t.head = cells
		} else {
			t.rows = append(t.rows, cells)
		}
	}
	return t.lines(width, m.style)
}

// inline is the text of a block, in one line or as many as it has hard breaks.
func (m markdown) inline(parent ast.Node, src []byte, look string) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(src)
			if !n.IsRaw() {
				value = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
			}
			b.WriteString(m.style.paint(look, shown(string(value))))
			switch {
			case n.HardLineBreak():
				b.WriteString("\n")
			case n.SoftLineBreak():
				b.WriteString(" ")
			}
		case *ast.String:
			b.WriteString(m.style.paint(look, shown(string(n.Value))))
		case *ast.CodeSpan:
			inside := m.plain(n, src)
			if m.style.colour {
				b.WriteString(m.style.paint(also(look, lookCyan), inside))
			} else {
				b.WriteString("`" + inside + "`")
			}
		case *ast.Emphasis:
			with := lookItalic
			if n.Level > 1 {
				with = lookBold
			}
			b.WriteString(m.inline(n, src, also(look, with)))
		case *ast.Link:
			b.WriteString(m.link(m.inline(n, src, also(look, lookUnder)), string(n.Destination)))
		case *ast.Image:
			b.WriteString(m.link(m.inline(n, src, look), string(n.Destination)))
		case *ast.AutoLink:
			b.WriteString(m.style.paint(also(look, lookUnder), shown(string(n.URL(src)))))
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				segment := n.Segments.At(i)
				b.WriteString(m.style.paint(look, shown(string(segment.Value(src)))))
			}
		default:
			b.WriteString(m.inline(n, src, look))
		}
	}
	return b.String()
}

// link is the text of a link and where it leads, so that nobody is led elsewhere.
func (m markdown) link(text, to string) string {
	to = shown(to)
	if ansi.Strip(text) == to || to == "" {
		return text
	}
	return text + " (" + m.style.paint(lookDim, to) + ")"
}

// plain is the text of what has no looks inside.
func (m markdown) plain(parent ast.Node, src []byte) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			b.WriteString(strings.ReplaceAll(shown(string(t.Value(src))), "\n", " "))
		}
	}
	return b.String()
}

// shown is display.Text for what the parser made of a text: a reference may stand for a control character.
func shown(s string) string { return strings.ReplaceAll(display.Text(s), "\t", "    ") }

func also(look, with string) string {
	if look == "" {
		return with
	}
	return look + ";" + with
}

// whole says how much of an answer that is being written is whole blocks, which nothing that comes can change: it ends
// before a line that is neither empty nor indented, behind an empty one, outside of listings.
func whole(text string) int {
	end, fence, empty := 0, "", false
	for at := 0; at < len(text); {
		line := text[at:]
		size := strings.IndexByte(line, '\n') + 1
		if size > 0 {
			line = line[:size]
		}
		trimmed := strings.TrimLeft(line, " \t>")
		open := fenceOf(trimmed)
		switch {
		case fence != "":
			if open != "" && strings.HasPrefix(open, fence) && strings.TrimSpace(trimmed[len(open):]) == "" {
				fence = ""
			}
		case strings.TrimSpace(line) == "":
			empty = true
		default:
			if empty && line[0] != ' ' && line[0] != '\t' {
				end = at
			}
			empty, fence = false, open
		}
		if size == 0 {
			break
		}
		at += size
	}
	return end
}

// fenceOf is the row of signs with which a listing begins or ends; "" for none.
func fenceOf(line string) string {
	for _, sign := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, sign)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}
