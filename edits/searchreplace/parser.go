// Package searchreplace is the edit format in which the model quotes the lines to replace and
// writes the new ones below them, between marker lines.
//
// It turns a reply into edits and says how the format is taught. Where an edit belongs in a file is
// package edits' business. edits/formats lists it. Start at New.
//
// What is written loosely is read like this. Markers have four to twelve signs, in any case and
// direction; indented further than the start marker they are content. The name stands on the nearest
// line above that is neither blank nor a fence, on the fence, or behind the start marker; without one it
// is that of the block before, if it has old text. Prose is never a name. A line of equals signs in the content is told from the divider by what stands in the file. A
// block without its end is refused and does not swallow the next one. A block that begins inside
// another is trusted only while no marker is left over.
package searchreplace

import (
	"strings"

	"coauthor/edits"
	"coauthor/edits/name"
	"coauthor/edits/reply"
)

// New returns a parser of the format.
func New(o edits.ParseOptions) edits.Parser { return &parser{o: o} }

// lookBack is how many lines before a block may hold its name.
const lookBack = 4

type parser struct {
	o        edits.ParseOptions
	scan     reply.Scanner
	before   []string // the last lines outside blocks
	open     *block   // nil, or space
	space    block
	name     string // of the last block
	list     []edits.Edit
	problems []edits.Problem
	fresh    int // list[fresh:] was not yet handed out
	// suspect is the first edit after a block that began inside another one: if a marker turns up
	// that belongs to no block, the markers were content, and nothing from there on can be trusted.
	suspect      int
	suspectFirst int
}

// block is an open block.
type block struct {
	name string
	// inherited: it is the name of the block before.
	inherited bool
	head      marker
	first     int
	lines     []reply.Line
	divider   []int // indexes of lines that may be the divider
}

// Write takes the next piece.
func (p *parser) Write(piece string) []edits.Edit {
	p.list = reply.Room(p.list, piece, ">>>>")
	p.scan.Write(piece, p.line)
	fresh := p.list[min(p.fresh, len(p.list)):]
	p.fresh = len(p.list)
	return fresh
}

// Close ends the reply. A block without its end marker is refused, however the reply ended.
func (p *parser) Close(edits.Ending) ([]edits.Edit, []edits.Problem) {
	p.scan.Close(p.line)
	if p.scan.TooLong() {
		return nil, []edits.Problem{p.scan.Problem()}
	}
	if p.open != nil {
		p.abandon(p.scan.Count())
	}
	for i := range p.list {
		p.list[i].Index = i
	}
	return p.list, p.problems
}

func (p *parser) line(l reply.Line) {
	m, isMarker := readMarker(l.Text)
	if p.open == nil {
		switch {
		case isMarker && m.kind == head:
			p.begin(l, m)
		case isMarker && m.kind == tail:
			p.stray(l)
		default:
			p.remember(l.Text)
		}
		return
	}
	b := p.open
	if !isMarker || m.indent > b.head.indent {
		b.lines = append(b.lines, l)
		return
	}
	switch m.kind {
	case head:
		p.nested(l, m)
	case divider:
		b.divider = append(b.divider, len(b.lines))
		b.lines = append(b.lines, l)
	case tail:
		p.finish(l.N, len(b.lines))
	}
}

func (p *parser) remember(text string) {
	if len(p.before) == lookBack {
		copy(p.before, p.before[1:])
		p.before = p.before[:lookBack-1]
	}
	p.before = append(p.before, text)
}

func (p *parser) begin(l reply.Line, m marker) {
	b := &p.space
	b.name, b.head, b.first, b.lines, b.divider = "", m, l.N, b.lines[:0], b.divider[:0]
	if m.rest != "" {
		b.name, _ = name.Line(m.rest, p.o.Known)
	}
	if b.name == "" {
		b.name, b.inherited = p.lookBack()
	}
	p.before = p.before[:0]
	p.open = b
}

// lookBack finds the name in the lines before a block: on the nearest line that is neither blank nor
// a fence, or behind a fence. Without one it is that of the block before, if the line does not speak of another
// path.
func (p *parser) lookBack() (found string, inherited bool) {
	for i := len(p.before) - 1; i >= 0; i-- {
		text := p.before[i]
		text = strings.TrimSpace(strings.TrimLeft(text, "> ")) // a quotation
		if text == "" {
			continue
		}
		if f, ok := reply.OpenFence(text); ok {
			if found, ok := name.Info(f.Info, p.o.Known); ok {
				return found, false
			}
			continue
		}
		if reply.IsFence(text) {
			continue
		}
		if found, ok := name.Line(text, p.o.Known); ok {
			return found, false
		}
		if name.InProse(text, p.name, p.o.Known) {
			return "", false
		}
		break
	}
	return p.name, true
}

// nested handles a head inside an open block. Either that block was never closed, or its content
// holds markers; what follows will tell.
func (p *parser) nested(l reply.Line, m marker) {
	first := p.open.first
	p.abandon(l.N - 1)
	if p.suspectFirst == 0 {
		p.suspect, p.suspectFirst = len(p.list), first
	}
	p.begin(l, m)
}

// stray handles an end marker outside any block.
func (p *parser) stray(l reply.Line) {
	if p.suspectFirst == 0 {
		p.problems = append(p.problems, edits.Problem{Edit: -1, Path: p.name, Reason: edits.ReasonMalformed, First: l.N, Last: l.N,
			Message: "an end marker belongs to no block; write the whole block with its start marker"})
		return
	}
	for i := p.suspect; i < len(p.list); i++ {
		p.problems = append(p.problems, edits.Problem{Edit: i, Path: p.list[i].Path, Reason: edits.ReasonMalformed,
			First: p.list[i].First, Last: p.list[i].Last,
			Message: "the block stands inside another block; markers that are content cannot be told from markers, so leave them out of the lines that you quote"})
	}
	p.list = p.list[:p.suspect]
	p.suspectFirst = 0
}

// abandon refuses the open block, which has no end.
func (p *parser) abandon(last int) {
	b := p.open
	p.problem(b, last, edits.ReasonUnclosed, "the block has no end marker; write it again with all three marker lines")
	p.name = b.name
	p.before = p.before[:0]
	for _, l := range b.lines[max(0, len(b.lines)-lookBack):] {
		p.remember(l.Text) // the name of the block that follows
	}
}

func (p *parser) problem(b *block, last int, reason, message string) {
	if n := len(p.problems); n > 0 && len(b.lines) == 0 {
		// A start marker that is written several times is one mistake.
		if before := &p.problems[n-1]; before.Last == b.first-1 && before.Reason == reason && before.Path == b.name {
			before.Last = last
			return
		}
	}
	p.problems = append(p.problems, edits.Problem{Edit: -1, Path: b.name, Reason: reason, Message: message, First: b.first, Last: last})
}

// finish closes the open block; its lines end before index end.
func (p *parser) finish(last, end int) {
	b := p.open
	p.open, p.before, p.name = nil, p.before[:0], b.name
	whole := end
	if n := len(b.divider); n >= 2 && b.divider[n-1] == end-1 && !underline(b.lines[end-2].Text, b.lines[end-1].Text) {
		b.divider = b.divider[:n-1] // a divider right before the end marker is only a slip
		end--
	}
	splits := b.splits()
	if len(splits) == 0 {
		p.problem(b, last, edits.ReasonMalformed, "the block has no divider between the old and the new lines")
		return
	}
	e := edits.Edit{Path: b.name, Op: edits.OpUpdate, Kind: edits.KindReplace, First: b.first, Last: last, Index: len(p.list)}
	e.Search, e.Replace = text(b.lines[:splits[0]]), text(b.lines[splits[0]+1:end])
	if b.emptied(splits[0], whole) {
		e.Replace = ""
	}
	for _, at := range splits[1:min(len(splits), maxSplits)] {
		e.Splits = append(e.Splits, edits.Split{Search: text(b.lines[:at]), Replace: text(b.lines[at+1 : end])})
	}
	if strings.TrimSpace(e.Search) == "" {
		e.Op = edits.OpCreate
		e.Replace = outdent(e.Replace, b.head.indent)
		if b.inherited {
			e.Path = "" // nothing says that these lines belong to the file of the block before
		}
	}
	p.list = reply.Add(p.list, e)
}

// emptied says whether the new lines are nothing but dividers: one more stands for no lines. Where the
// old text ends in a line of signs, it may be the underline of a heading that becomes another one.
func (b *block) emptied(at, end int) bool {
	some := false
	for i := at + 1; i < end; i++ {
		if strings.TrimSpace(b.lines[i].Text) == "" {
			continue
		}
		if m, ok := readMarker(b.lines[i].Text); !ok || m.kind != divider {
			return false
		}
		some = true
	}
	if !some || at == 0 {
		return false
	}
	last := strings.TrimSpace(b.lines[at-1].Text)
	return last == "" || strings.Trim(last, last[:1]) != "" || !strings.ContainsAny(last[:1], "-=~^*+#")
}

// underline says whether a line of equals signs makes a heading of the line above it.
func underline(above, signs string) bool {
	above = strings.TrimRight(above, " \t")
	return above != "" && above == strings.TrimLeft(above, " \t") && len(above) <= len(signs) && len(above) >= 2
}

// maxSplits bounds in how many ways a block with several dividers is read.
const maxSplits = 8

// splits returns the lines at which the block may be cut: those that are as long as the start
// marker, else any.
func (b *block) splits() []int {
	if len(b.divider) == 1 {
		return b.divider
	}
	var same []int
	for _, at := range b.divider {
		if m, _ := readMarker(b.lines[at].Text); m.length == b.head.length {
			same = append(same, at)
		}
	}
	if len(same) > 0 {
		return same
	}
	return b.divider
}

func text(lines []reply.Line) string {
	size := 0
	for i := range lines {
		size += len(lines[i].Text) + len(lines[i].End)
	}
	var out strings.Builder
	out.Grow(size)
	for i := range lines {
		out.WriteString(lines[i].Text)
		out.WriteString(lines[i].End)
	}
	return out.String()
}

// outdent takes the indentation of a block in a list off the text of a new file.
func outdent(text string, n int) string {
	if n == 0 {
		return text
	}
	var out strings.Builder
	for l := range strings.Lines(text) {
		cut := min(n, len(l)-len(strings.TrimLeft(l, " \t")))
		if cut < n && strings.TrimSpace(l) != "" {
			return text
		}
		out.WriteString(l[cut:])
	}
	return out.String()
}
