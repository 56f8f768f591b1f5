package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// A "replace all" comes as one message with thousands of changes, each in the positions of the text
// after the one before. A new text and a new table of lines for each would be work of the size of the
// document times the number of changes, so many changes are made on a text in chunks, and the table is
// built once at the end.

const (
	// batchFrom is the number of changes from which on chunks are less work.
	batchFrom = 16
	// chunkSize is the size of a chunk in bytes. No chunk is larger than two of them.
	chunkSize = 1 << 10
	// blockSize is the number of chunks that are skipped at once on the way to a place.
	blockSize = 64
)

// changed returns the table of the text after the changes, each of which has a range and applies to
// the result of the one before.
func (l Lines) changed(changes []ContentChange, e Encoding) Lines {
	if len(changes) < batchFrom || !valid(l.Text, changes) {
		for _, c := range changes {
			start, end := l.Span(c.Range.Protocol(), e)
			l = l.Replace(start, end, c.Text)
		}
		return l
	}
	b := batch{onlyLF: l.onlyLF, encoding: e}
	b.put(0, 0, b.cut(l.Text))
	for _, c := range changes {
		b.change(c.Range.Protocol(), c.Text)
	}
	return LinesOf(b.text(), l.onlyLF)
}

// valid says whether all characters are well-formed. Chunks know no others.
func valid(text string, changes []ContentChange) bool {
	return utf8.ValidString(text) && !slices.ContainsFunc(changes, func(c ContentChange) bool { return !utf8.ValidString(c.Text) })
}

// batch is a text in chunks. No chunk begins within a character or within a "\r\n", and none is empty
// unless it is the only one.
type batch struct {
	chunks   []chunk
	blocks   []sum // of each blockSize chunks
	onlyLF   bool
	encoding Encoding
}

type chunk struct {
	text string
	sum
}

// sum is the size of a part of the text.
type sum struct {
	breaks int // line breaks
	units  int // of the encoding
}

// mark is a place in the text: a chunk and a byte offset in it.
type mark struct{ chunk, at int }

func (b *batch) text() string {
	var all strings.Builder
	for i := range b.chunks {
		all.WriteString(b.chunks[i].text)
	}
	return all.String()
}

// cut makes chunks of a text, at least one.
func (b *batch) cut(text string) []chunk {
	var out []chunk
	for len(text) > 2*chunkSize {
		n := chunkSize
		for !utf8.RuneStart(text[n]) || text[n] == '\n' && text[n-1] == '\r' {
			n++
		}
		out = append(out, b.chunk(text[:n]))
		text = text[n:]
	}
	return append(out, b.chunk(text))
}

func (b *batch) chunk(text string) chunk {
	c := chunk{text, sum{breaks: strings.Count(text, "\n"), units: len(text)}}
	if !b.onlyLF {
		c.breaks += strings.Count(text, "\r") - strings.Count(text, "\r\n")
	}
	if b.encoding != UTF8 {
		c.units = 0
		for _, r := range text {
			c.units += unitsOf(r, b.encoding)
		}
	}
	return c
}

func (b *batch) end() mark {
	last := len(b.chunks) - 1
	return mark{last, len(b.chunks[last].text)}
}

// find is lines.offset for chunks.
func (b *batch) find(p protocol.Position) mark {
	m, found := b.line(uint64(p.Line))
	if !found {
		return b.end()
	}
	units := int(p.Character)
	for ; ; m = (mark{m.chunk + 1, 0}) {
		for m.at == 0 && m.chunk%blockSize == 0 && m.chunk+blockSize < len(b.chunks) &&
			b.blocks[m.chunk/blockSize].breaks == 0 && b.blocks[m.chunk/blockSize].units <= units {
			units -= b.blocks[m.chunk/blockSize].units
			m.chunk += blockSize
		}
		c := &b.chunks[m.chunk]
		if m.at == 0 && c.breaks == 0 && c.units <= units {
			units -= c.units // all of it stands before the place
			m.at = len(c.text)
		}
		for m.at < len(c.text) {
			if c.text[m.at] == '\n' || c.text[m.at] == '\r' && !b.onlyLF {
				return m
			}
			r, size := utf8.DecodeRuneInString(c.text[m.at:])
			width := size
			if b.encoding != UTF8 {
				width = unitsOf(r, b.encoding)
			}
			if units -= width; units < 0 {
				return m
			}
			m.at += size
		}
		if m.chunk == len(b.chunks)-1 {
			return m
		}
	}
}

// line returns where a line begins.
func (b *batch) line(n uint64) (m mark, found bool) {
	for block := 0; block < len(b.blocks) && n > uint64(b.blocks[block].breaks); block++ {
		n -= uint64(b.blocks[block].breaks)
		m.chunk += blockSize
	}
	if m.chunk >= len(b.chunks) {
		return m, false
	}
	for n > 0 && m.chunk < len(b.chunks) && n > uint64(b.chunks[m.chunk].breaks) {
		n -= uint64(b.chunks[m.chunk].breaks)
		m.chunk++
	}
	if m.chunk == len(b.chunks) {
		return m, false
	}
	text := b.chunks[m.chunk].text
	for ; n > 0; n-- {
		set := "\r\n"
		if b.onlyLF {
			set = "\n"
		}
		m.at += strings.IndexAny(text[m.at:], set) + 1
		if !b.onlyLF && text[m.at-1] == '\r' && strings.HasPrefix(text[m.at:], "\n") {
			m.at++
		}
	}
	return m, true
}

// change replaces a range. A range whose end lies before its start is turned round.
func (b *batch) change(r protocol.Range, with string) {
	start, end := b.find(r.Start), b.find(r.End)
	if end.chunk < start.chunk || end.chunk == start.chunk && end.at < start.at {
		start, end = end, start
	}
	first, last := start.chunk, end.chunk+1
	text := b.chunks[start.chunk].text[:start.at] + with + b.chunks[end.chunk].text[end.at:]
	// A chunk that is gone, or a "\n" that has come to stand behind a "\r", goes to its neighbour.
	if last < len(b.chunks) && (text == "" || strings.HasSuffix(text, "\r") && b.chunks[last].text[0] == '\n') {
		text += b.chunks[last].text
		last++
	}
	if first > 0 && (text == "" || text[0] == '\n' && strings.HasSuffix(b.chunks[first-1].text, "\r")) {
		first--
		text = b.chunks[first].text + text
	}
	b.put(first, last, b.cut(text))
}

// put replaces chunks and keeps the sums.
func (b *batch) put(first, last int, with []chunk) {
	var from, to int // the blocks that change
	if last-first == len(with) && last > first {
		from, to = first/blockSize, (last-1)/blockSize+1
		copy(b.chunks[first:last], with)
	} else {
		b.chunks = slices.Replace(b.chunks, first, last, with...)
		from, to = first/blockSize, (len(b.chunks)-1)/blockSize+1
		b.blocks = slices.Grow(b.blocks[:from], to-from)[:to]
	}
	for i := from; i < to; i++ {
		b.blocks[i] = sum{}
		for _, c := range b.chunks[i*blockSize : min((i+1)*blockSize, len(b.chunks))] {
			b.blocks[i].breaks += c.breaks
			b.blocks[i].units += c.units
		}
	}
}
