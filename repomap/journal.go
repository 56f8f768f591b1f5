package repomap

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"coauthor/repomap/store"
)

// A part of a journal is what an index has read of single files, in the order in which it came to know them: a
// header, then a frame for each file. A frame is its length, a checksum, the words that no frame before it has,
// and the lists of the record, in which words are numbered by their first place in the part. So a part stands by
// itself, and as far as it goes wherever it was cut off.
const journalMagic = "coauthor-part\n\x00\x00"

const (
	frameHead = 8        // bytes: length and checksum
	maxFrame  = 64 << 20 // many times what a record can have
)

func (x *Index) journalHeader() []byte {
	return append([]byte(journalMagic), x.header()[len(magic):]...)
}

// journal writes one part. A nil journal writes nothing.
type journal struct {
	to     io.WriteCloser
	failed func(err error)

	number []uint32 // by symbol: one more than its number in this part, or 0
	count  uint32   // of the words so far
	fresh  uint32   // of these in the frame that is being made
	words  []byte   // their texts
	rest   []byte   // the record
	frame  []byte
	terms  []uint32
	defs   []definition
}

// add writes what is known of one file; d has the words of r. After an error nothing more is written: what
// follows would number its words by frames that are not there.
func (j *journal) add(d *draft, r *record) {
	if j == nil || j.to == nil {
		return
	}
	j.fresh, j.words, j.rest = 0, j.words[:0], j.rest[:0]
	j.rest = appendText(appendText(j.rest, r.path), r.id)
	j.rest = binary.AppendUvarint(append(j.rest, byte(r.class)), uint64(r.words))
	j.rest = appendList(j.rest, j.numbers(r.terms, d.text))
	j.rest = appendList(j.rest, r.counts)
	j.defs = append(j.defs[:0], r.defs...)
	for i := range j.defs {
		j.defs[i].name = j.numberOf(r.defs[i].name, d.names[i])
	}
	j.rest = appendList(j.rest, j.defs)
	j.rest = appendList(j.rest, j.numbers(r.more, d.moreNames))
	j.rest = appendList(j.rest, r.body)
	j.rest = appendList(j.rest, r.bodyEnd)
	j.rest = appendText(j.rest, r.signatures)

	j.frame = append(j.frame[:0], make([]byte, frameHead)...)
	j.frame = binary.AppendUvarint(j.frame, uint64(j.fresh))
	j.frame = append(append(j.frame, j.words...), j.rest...)
	body := j.frame[frameHead:]
	binary.LittleEndian.PutUint32(j.frame, uint32(len(body)))
	binary.LittleEndian.PutUint32(j.frame[4:], crc32.Checksum(body, castagnoli))
	if _, err := j.to.Write(j.frame); err != nil {
		j.failed(errors.Join(err, j.to.Close()))
		j.to = nil
	}
}

func (j *journal) close() {
	if j == nil || j.to == nil {
		return
	}
	if err := j.to.Close(); err != nil {
		j.failed(err)
	}
}

func (j *journal) numbers(symbols []uint32, texts []string) []uint32 {
	j.terms = j.terms[:0]
	for i, n := range symbols {
		j.terms = append(j.terms, j.numberOf(n, texts[i]))
	}
	return j.terms
}

// numberOf gives the number of a symbol in this part, and tells its text where it is new.
func (j *journal) numberOf(symbol uint32, text string) uint32 {
	if more := int(symbol) + 1 - len(j.number); more > 0 {
		j.number = append(j.number, make([]uint32, more)...)
	}
	if j.number[symbol] == 0 {
		j.words = appendText(j.words, text)
		j.count, j.fresh = j.count+1, j.fresh+1
		j.number[symbol] = j.count
	}
	return j.number[symbol] - 1
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendList[T flat](b []byte, list []T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(list))), store.Bytes(list)...)
}

// replay gives the records of a part, as far as it is whole. It stops with the error of f.
func (x *Index) replay(part io.Reader, f func(r *record) error) error {
	from := bufio.NewReaderSize(part, 1<<20)
	want := x.journalHeader()
	if head, ok := readBytes(from, nil, len(want)); !ok || string(head) != string(want) {
		return nil // another version's, or nothing yet
	}
	known := journalWords{symbols: x.symbols}
	var frame []byte
	for {
		var ok bool
		if frame, ok = readFrame(from, frame); !ok {
			return nil
		}
		r, ok := known.record(frame)
		if !ok {
			return nil
		}
		if err := f(r); err != nil {
			return err
		}
	}
}

// readFrame gives the next frame, in memory that is used again. ok is false where it is not whole.
func readFrame(from io.Reader, memory []byte) (frame []byte, ok bool) {
	head, ok := readBytes(from, memory, frameHead)
	if !ok {
		return memory, false
	}
	n, sum := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	if n > maxFrame {
		return memory, false
	}
	frame, ok = readBytes(from, memory, int(n))
	return frame, ok && crc32.Checksum(frame, castagnoli) == sum
}

func readBytes(from io.Reader, memory []byte, n int) ([]byte, bool) {
	memory = slices.Grow(memory[:0], n)[:n]
	_, err := io.ReadFull(from, memory)
	return memory, err == nil
}

// journalWords are the words of a part by their numbers in it.
type journalWords struct {
	symbols *symbols
	numbers []uint32 // in symbols
	texts   []string
}

// record reads one frame. It holds no reference to it, and where ok is true its lists fit together.
func (w *journalWords) record(frame []byte) (r *record, ok bool) {
	b := &frameReader{rest: frame}
	w.texts = w.texts[:0]
	for range b.number() {
		if b.bad {
			return nil, false
		}
		w.texts = append(w.texts, b.text())
	}
	w.numbers = w.symbols.addAll(w.texts, w.numbers) // which copies them
	r = &record{path: string(b.bytes()), id: string(b.bytes()), class: class(b.byte()), words: int(b.number())}
	r.terms, r.counts, r.defs = list[uint32](b), list[uint8](b), list[definition](b)
	r.more, r.body, r.bodyEnd = list[uint32](b), list[uint16](b), list[uint32](b)
	r.signatures = string(b.bytes())
	if b.bad || len(b.rest) > 0 || !r.whole() || !w.own(r) {
		return nil, false
	}
	return r, true
}

// own numbers the words of a record as the index does.
func (w *journalWords) own(r *record) bool {
	ok := true
	number := func(n *uint32) {
		if ok = ok && int(*n) < len(w.numbers); ok {
			*n = w.numbers[*n]
		}
	}
	for i := range r.terms {
		number(&r.terms[i])
	}
	for i := range r.more {
		number(&r.more[i])
	}
	for i := range r.defs {
		number(&r.defs[i].name)
	}
	return ok
}

// whole says whether the lists of a record fit together.
func (r *record) whole() bool {
	if r.class > made || len(r.counts) != len(r.terms) || len(r.bodyEnd) != len(r.defs) || len(r.defs) > maxDefs {
		return false
	}
	for _, place := range r.body {
		if int(place) >= len(r.terms) {
			return false
		}
	}
	signed, end := uint32(0), uint32(0)
	for i, d := range r.defs {
		if d.signed < signed || r.bodyEnd[i] < end || int(d.kind) >= len(kinds) || d.parent < -1 || int(d.parent) >= i {
			return false
		}
		signed, end = d.signed, r.bodyEnd[i]
	}
	return int(signed) <= len(r.signatures) && int(end) <= len(r.body)
}

// frameReader takes what a frame holds off its beginning.
type frameReader struct {
	rest []byte
	bad  bool // it ended too early
}

func (b *frameReader) number() uint64 {
	n, size := binary.Uvarint(b.rest)
	if size <= 0 || n > maxFrame {
		b.bad, b.rest = true, nil
		return 0
	}
	b.rest = b.rest[size:]
	return n
}

func (b *frameReader) take(n uint64) []byte {
	if n > uint64(len(b.rest)) {
		b.bad, b.rest = true, nil
		return nil
	}
	out := b.rest[:n]
	b.rest = b.rest[n:]
	return out
}

func (b *frameReader) bytes() []byte { return b.take(b.number()) }

// text shares the bytes of the frame.
func (b *frameReader) text() string { return store.Text(b.bytes()) }

func (b *frameReader) byte() byte {
	if one := b.take(1); len(one) == 1 {
		return one[0]
	}
	return 0
}

// list copies a list, which may lie at any place in the frame.
func list[T flat](b *frameReader) []T {
	n := b.number()
	raw := b.take(n * uint64(store.Size[T]()))
	if len(raw) == 0 {
		return nil
	}
	out := make([]T, n)
	copy(store.Bytes(out), raw)
	return out
}
