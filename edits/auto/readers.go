package auto

import (
	"slices"
	"strings"

	"coauthor/edits"
)

// reader is the parser of one form. It is given every line of the reply, blank ones in the place of
// those that belong to another form.
type reader struct {
	edits.Parser
	stop   string // a line that ends what the parser may have open
	missed int    // lines that were not for it and that it was not told of yet
}

func newReader(f Form, p edits.Parser) *reader {
	r := &reader{Parser: p, stop: ".\n"} // no name, and no line of a diff
	switch f {
	case Patch, Call:
		r.stop = "\n"
	case Unasked, Blocks, Listings, Diff, forms:
	}
	return r
}

// read gives the parser lines, and returns the edits that they complete.
func (r *reader) read(text string) []edits.Edit {
	if before := r.catchUp(); len(before) > 0 {
		return append(before, r.Write(text)...)
	}
	return r.Write(text)
}

var blankLines = strings.Repeat("\n", 1024)

// catchUp tells the parser of the lines that were not for it.
func (r *reader) catchUp() (fresh []edits.Edit) {
	n := r.missed
	if r.missed = 0; n == 0 {
		return nil
	}
	if p, ok := r.Parser.(interface{ Interrupt() }); ok {
		p.Interrupt()
	}
	fresh = slices.Clone(r.Write(r.stop))
	for n--; n > 0; n -= min(n, len(blankLines)) {
		fresh = append(fresh, r.Write(blankLines[:min(n, len(blankLines))])...)
	}
	return fresh
}

// recent are the last lines of prose, which may hold the name of what follows.
type recent struct {
	chunks []chunk
	lines  int
}

// chunk is a piece of prose.
type chunk struct {
	text  string
	lines int
}

// keptChunks is how many pieces of prose are kept. Each has a line at least.
const keptChunks = 8

// add notes a text of n lines.
func (r *recent) add(text string, n int, to stretch) {
	if to != prose {
		r.chunks, r.lines = r.chunks[:0], 0
		return
	}
	if n >= keptChunks { // the last lines are enough
		from := len(text)
		for range keptChunks {
			from = strings.LastIndexByte(text[:from-1], '\n') + 1
		}
		text = text[from:]
		n = strings.Count(text, "\n")
	}
	if len(r.chunks) == keptChunks {
		r.lines -= r.chunks[0].lines
		copy(r.chunks, r.chunks[1:])
		r.chunks = r.chunks[:keptChunks-1]
	}
	r.chunks = append(r.chunks, chunk{text, n})
	r.lines += n
}

func (r *recent) text() string {
	var out strings.Builder
	for _, c := range r.chunks {
		out.WriteString(c.text)
	}
	return out.String()
}

// begunLine is the line that has not ended yet. One text holds many lines, so that few texts are made.
type begunLine struct {
	lines strings.Builder
	from  int // where the line begins
}

// add goes on with the line.
func (l *begunLine) add(piece string) {
	const least = 1 << 10
	if begun := l.text(); l.lines.Cap()-l.lines.Len() < len(piece) {
		l.lines = strings.Builder{}
		l.lines.Grow(max(2*(len(begun)+len(piece)), least))
		l.lines.WriteString(begun)
		l.from = 0
	}
	l.lines.WriteString(piece)
}

// text is the line so far.
func (l *begunLine) text() string { return l.lines.String()[l.from:] }

// end has the next line begin.
func (l *begunLine) end() { l.from = l.lines.Len() }
