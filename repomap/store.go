package repomap

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"unsafe"
)

// A snapshot is the index as flat arrays, so that loading it is one read and no decoding: a header,
// then sections of a length and that many bytes, padded to eight, then a checksum of it all.
// Symbols are numbered by their use and the order of paths and of words in files, so equal trees make
// equal snapshots. What another version, another set of grammars or another byte order wrote is ignored.
const (
	magic         = "coauthor map\n\x00\x00\x00"
	formatVersion = 6
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errSnapshot = errors.New("not a snapshot of this version")

// manyFiles is how many new records make it worth while to trade them for the snapshot.
const manyFiles = 1000

// header begins every snapshot.
func (x *Index) header() []byte {
	order := uint32(0x01020304)
	h := append([]byte(magic), bytesOf([]uint32{order, formatVersion, uint32(unsafe.Sizeof(definition{})), hashString(x.o.Fingerprint)})...)
	return h
}

// save writes a snapshot of what the source has, without overlays. A full disk costs the next start
// its head start, no more.
func (x *Index) save() (ok bool) {
	if x.o.Store == nil {
		return false
	}
	err := x.o.Store.Save(x.WriteSnapshot)
	if err != nil && x.o.Note != nil {
		x.o.Note(fmt.Sprintf("save the index: %v", err))
	}
	return err == nil
}

// WriteSnapshot writes what is known of the source, without overlays. Equal trees give equal bytes,
// however the index came to know them. It must not run beside Refresh.
func (x *Index) WriteSnapshot(w io.Writer) error {
	x.mu.Lock()
	files := make([]*record, 0, len(x.base))
	for _, r := range x.base {
		files = append(files, r)
	}
	x.mu.Unlock()
	slices.SortFunc(files, func(a, b *record) int { return strings.Compare(a.path, b.path) })
	names, _ := x.symbols.snapshot()
	return x.encode(w, files, names)
}

// writer writes sections and sums them up.
type writer struct {
	w   *bufio.Writer
	sum hash.Hash32
	err error
}

func (w *writer) raw(b []byte) {
	if w.err == nil {
		_, _ = w.sum.Write(b) // a hash takes everything
		_, w.err = w.w.Write(b)
	}
}

// section announces n bytes; the caller writes them and calls pad.
func (w *writer) section(n int) { w.raw(binary.NativeEndian.AppendUint64(nil, uint64(n))) }
func (w *writer) pad(n int)     { w.raw(make([]byte, -n&7)) }

func put[T flat](w *writer, list []T) {
	b := bytesOf(list)
	w.section(len(b))
	w.raw(b)
	w.pad(len(b))
}

// flat are types without pointers and without padding.
type flat interface {
	uint8 | uint16 | uint32 | fileEntry | definition
}

func bytesOf[T flat](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(*new(T))))
}

// fileEntry is one file: how much of each array is its own.
type fileEntry struct {
	path, id, terms, defs, more, body, signatures uint32
	class, words                                  uint32
}

func (x *Index) encode(to io.Writer, files []*record, names symbolView) error {
	w := &writer{w: bufio.NewWriterSize(to, 1<<20), sum: crc32.New(castagnoli)}
	w.raw(x.header())
	number, list := renumber(files, &names)
	putSymbols(w, list)
	putSymbols(w, list.parts)
	entries := make([]fileEntry, len(files))
	total := fileEntry{}
	for i, f := range files {
		e := fileEntry{path: uint32(len(f.path)), id: uint32(len(f.id)), terms: uint32(len(f.terms)), defs: uint32(len(f.defs)),
			more: uint32(len(f.more)), body: uint32(len(f.body)), signatures: uint32(len(f.signatures)), class: uint32(f.class), words: uint32(f.words)}
		entries[i] = e
		total.path, total.id, total.terms, total.defs = total.path+e.path, total.id+e.id, total.terms+e.terms, total.defs+e.defs
		total.more, total.body, total.signatures = total.more+e.more, total.body+e.body, total.signatures+e.signatures
	}
	put(w, entries)
	eachFile(w, files, total.path, func(f *record) []byte { return []byte(f.path) })
	eachFile(w, files, total.id, func(f *record) []byte { return []byte(f.id) })
	var scratch []uint32
	eachFile(w, files, total.terms, func(f *record) []uint32 { scratch = translate(scratch, f.terms, number); return scratch })
	eachFile(w, files, total.terms, func(f *record) []uint8 { return f.counts })
	var defs []definition
	eachFile(w, files, total.defs, func(f *record) []definition {
		defs = append(defs[:0], f.defs...)
		for i := range defs {
			defs[i].name = number[defs[i].name]
		}
		return defs
	})
	eachFile(w, files, total.defs, func(f *record) []uint32 { return f.bodyEnd })
	eachFile(w, files, total.more, func(f *record) []uint32 { scratch = translate(scratch, f.more, number); return scratch })
	eachFile(w, files, total.body, func(f *record) []uint16 { return f.body })
	eachFile(w, files, total.signatures, func(f *record) []byte { return []byte(f.signatures) })
	if w.err != nil {
		return w.err
	}
	if _, err := w.w.Write(binary.NativeEndian.AppendUint32(nil, w.sum.Sum32())); err != nil {
		return err
	}
	return w.w.Flush()
}

func eachFile[T flat](w *writer, files []*record, total uint32, f func(*record) []T) {
	n := int(total) * int(unsafe.Sizeof(*new(T)))
	w.section(n)
	for _, r := range files {
		w.raw(bytesOf(f(r)))
	}
	w.pad(n)
}

func translate(to, from, number []uint32) []uint32 {
	to = to[:0]
	for _, n := range from {
		to = append(to, number[n])
	}
	return to
}

// renumber numbers the symbols that files use: those of many files first, so that what is looked up
// all the time lies together, and those of equally many in the order of their first place.
func renumber(files []*record, names *symbolView) (number []uint32, list *symbols) {
	df := make([]uint32, names.len())
	var order []uint32
	use := func(n uint32) {
		if df[n] == 0 {
			order = append(order, n)
		}
		df[n]++
	}
	for _, f := range files {
		for _, n := range f.terms {
			use(n)
		}
		f.defines(func(n uint32) {
			if df[n] == 0 {
				use(n)
			}
		})
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(df[b], df[a]) })
	number = df
	list = newSymbols()
	for k, n := range order {
		number[n] = uint32(k)
		list.view.blob = append(list.view.blob, names.bytes(n)...)
		list.view.ends = append(list.view.ends, uint32(len(list.view.blob)))
		stems(names.string(n), func(stem string) { list.view.stems = append(list.view.stems, list.parts.add(stem)) })
		list.view.stemEnd = append(list.view.stemEnd, uint32(len(list.view.stems)))
	}
	return number, list
}

func putSymbols(w *writer, s *symbols) {
	put(w, s.view.blob)
	put(w, s.view.ends)
	put(w, s.view.stems)
	put(w, s.view.stemEnd)
	put(w, hashTable(&s.view.symbolList))
}

// load takes over the snapshot, once, before the first refresh.
func (x *Index) load() {
	x.mu.Lock()
	first := !x.loaded
	x.loaded = true
	x.mu.Unlock()
	if x.o.Store == nil || !first {
		return
	}
	data, err := x.o.Store.Load()
	if err == nil && len(data) > 0 {
		err = x.decode(data)
	}
	if err != nil && x.o.Note != nil {
		x.o.Note(fmt.Sprintf("load the index: %v", err))
	}
}

// reader takes sections off a snapshot. The slices it gives lie in the snapshot.
type reader struct {
	data []byte
	bad  bool
}

func take[T flat](r *reader) []T {
	if len(r.data) < 8 {
		r.bad = true
		return nil
	}
	n := binary.NativeEndian.Uint64(r.data)
	size := uint64(unsafe.Sizeof(*new(T)))
	if n > uint64(len(r.data)-8) || n%size != 0 {
		r.bad = true
		return nil
	}
	body := r.data[8 : 8+n]
	r.data = r.data[min(uint64(len(r.data)), 8+(n+7)&^7):]
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(body))), n/size)
}

// cut takes the next n of a list.
func cut[T any](r *reader, list *[]T, n uint32) []T {
	if uint64(n) > uint64(len(*list)) {
		r.bad = true
		return nil
	}
	out := (*list)[:n:n]
	*list = (*list)[n:]
	return out
}

// decode makes records of a snapshot. It checks the sum, so lists are then trusted to fit together.
func (x *Index) decode(data []byte) error {
	head := x.header()
	if uintptr(unsafe.Pointer(unsafe.SliceData(data)))&7 != 0 || len(data) < len(head)+4 || string(data[:len(head)]) != string(head) {
		return errSnapshot
	}
	body, sum := data[:len(data)-4], binary.NativeEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return errors.New("the snapshot is damaged")
	}
	r := &reader{data: body[len(head):]}
	names, parts := takeSymbols(r), takeSymbols(r)
	entries := take[fileEntry](r)
	paths, ids := take[uint8](r), take[uint8](r)
	terms, counts, defs, bodyEnd := take[uint32](r), take[uint8](r), take[definition](r), take[uint32](r)
	more, text, signatures := take[uint32](r), take[uint16](r), take[uint8](r)
	base := make(map[string]*record, len(entries))
	records := make([]record, len(entries))
	for i, e := range entries {
		f := &records[i]
		*f = record{path: stringOf(cut(r, &paths, e.path)), id: stringOf(cut(r, &ids, e.id)), class: class(e.class), words: int(e.words),
			terms: cut(r, &terms, e.terms), counts: cut(r, &counts, e.terms), defs: cut(r, &defs, e.defs), bodyEnd: cut(r, &bodyEnd, e.defs),
			more: cut(r, &more, e.more), body: cut(r, &text, e.body), signatures: stringOf(cut(r, &signatures, e.signatures))}
		base[f.path] = f
	}
	if r.bad {
		return errSnapshot
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.overlays) > 0 {
		return nil // an overlay came first and has numbers of its own
	}
	x.symbols, x.keeper = &symbols{view: names, parts: &symbols{view: parts}}, &keeper{}
	x.base = base
	return nil
}

// adopt trades the records of a first index, scattered over the heap, for the snapshot that was just
// written of them.
func (x *Index) adopt() {
	data, err := x.o.Store.Load()
	if err != nil || len(data) == 0 || x.decode(data) != nil {
		return // what is in memory is as good, only larger
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.publish(nil)
}

func takeSymbols(r *reader) symbolView {
	var v symbolView
	v.base.blob, v.base.ends = take[uint8](r), take[uint32](r)
	v.base.stems, v.base.stemEnd, v.table = take[uint32](r), take[uint32](r), take[uint32](r)
	return v
}

func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
