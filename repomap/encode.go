package repomap

import (
	"bufio"
	"context"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"

	"coauthor/repomap/record"
	"coauthor/repomap/store"
	"coauthor/repomap/vocab"
)

// save writes a snapshot of what the source has, without overlays. A full disk costs the next start
// its head start, no more.
func (x *Index) save() (ok bool) {
	if x.storage.store == nil {
		return false
	}
	if err := x.storage.store.Save(x.WriteSnapshot); err != nil {
		x.storage.say("save the index", err)
		return false
	}
	x.unsaved = 0
	x.superseded()
	return true
}

// superseded says that what lies in the store is another snapshot than the one that the index stands on.
func (x *Index) superseded() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.snapshot = nil
}

// saveSoFar stores what is known of a tree that is still being read, where the files that no snapshot has are as many as those
// that one has: who closes the editor, or is killed, while a large tree is first indexed loses about half of it at most. Of 55,000
// files that need 50 s of processor time an index that is killed after 26 s needs 33 s more so, and 47 s without it; what it takes
// itself is less than two such runs differ by, since each snapshot is twice as large as the one before. Of 11,000 files, which need
// 5 s, it saves next to nothing. It ends with ctx.
func (x *Index) saveSoFar(ctx context.Context, unsaved int) (ok bool) {
	x.mu.Lock()
	x.base.merge()
	known := len(x.base.files)
	x.mu.Unlock()
	if x.storage.store == nil || 2*unsaved < known {
		return false
	}
	if err := x.storage.store.Save(func(w io.Writer) error { return x.WriteSnapshot(&until{ctx, w}) }); err != nil {
		if ctx.Err() == nil {
			x.storage.say("save the index so far", err)
		}
		return false
	}
	x.superseded()
	return true
}

// WriteSnapshot writes what is known of the source, without overlays. Equal trees give equal bytes,
// however the index came to know them. While files are read it must not run beside another one.
func (x *Index) WriteSnapshot(w io.Writer) error {
	x.mu.Lock()
	x.base.merge()
	files := x.base.files
	x.mu.Unlock()
	names, stems := x.symbols.Snapshot()
	return x.storage.encode(w, files, &names, &stems)
}

// writer writes sections and sums them up.
type writer struct {
	w    *bufio.Writer
	sum  hash.Hash32
	err  error
	rest func() // called when much was read that is not needed soon
	read int    // bytes since then
}

// restAt is after how many bytes what was read is let go of: a section may be hundreds of megabytes, and lies between others.
const restAt = 8 << 20

func newWriter(to io.Writer, rest func()) *writer {
	return &writer{w: bufio.NewWriterSize(to, 1<<20), sum: crc32.New(castagnoli), rest: rest}
}

// close writes the sum of it all.
func (w *writer) close() error {
	if w.err != nil {
		return w.err
	}
	if _, err := w.w.Write(binary.NativeEndian.AppendUint32(nil, w.sum.Sum32())); err != nil {
		return err
	}
	return w.w.Flush()
}

func (w *writer) raw(b []byte) {
	if w.err == nil {
		_, _ = w.sum.Write(b) // a hash takes everything
		_, w.err = w.w.Write(b)
	}
	if w.read += len(b); w.read > restAt {
		w.read = 0
		w.rest()
	}
}

// section announces n bytes; the caller writes them and calls pad.
func (w *writer) section(n int) { w.raw(binary.NativeEndian.AppendUint64(nil, uint64(n))) }

func (w *writer) pad(n int) {
	w.raw(make([]byte, -n&7))
	w.rest()
}

func put[T flat](w *writer, list []T) {
	b := store.Bytes(list)
	w.section(len(b))
	w.raw(b)
	w.pad(len(b))
}

// flat are types without pointers and without padding.
type flat interface {
	uint8 | uint16 | uint32 | uint64 | float32 | use | fileEntry | rowEntry | record.Definition
}

// fileEntry is one file: how much of each array is its own.
type fileEntry struct {
	path, id, terms, defs, more, body, signatures uint32
	class, words                                  uint32
}

func (k *storage) encode(to io.Writer, files []*record.Record, names, stems *vocab.View) error {
	w := newWriter(to, rest(k.store))
	w.raw(k.header())
	number := putSymbols(w, files, names, stems)
	entries := make([]fileEntry, len(files))
	total := fileEntry{}
	for i, f := range files {
		e := fileEntry{path: uint32(len(f.Path)), id: uint32(len(f.ID)), terms: uint32(len(f.Terms)), defs: uint32(len(f.Defs)),
			more: uint32(len(f.More)), body: uint32(len(f.Body)), signatures: uint32(len(f.Signatures)), class: uint32(f.Class), words: uint32(f.Words)}
		entries[i] = e
		total.path, total.id, total.terms, total.defs = total.path+e.path, total.id+e.id, total.terms+e.terms, total.defs+e.defs
		total.more, total.body, total.signatures = total.more+e.more, total.body+e.body, total.signatures+e.signatures
	}
	put(w, entries)
	eachFile(w, files, total.path, func(f *record.Record) []byte { return store.Letters(f.Path) })
	eachFile(w, files, total.id, func(f *record.Record) []byte { return store.Letters(f.ID) })
	var scratch []uint32
	eachFile(w, files, total.terms, func(f *record.Record) []uint32 { scratch = translate(scratch, f.Terms, number); return scratch })
	eachFile(w, files, total.terms, func(f *record.Record) []uint8 { return f.Counts })
	var defs []record.Definition
	eachFile(w, files, total.defs, func(f *record.Record) []record.Definition {
		defs = append(defs[:0], f.Defs...)
		for i := range defs {
			defs[i].Name = number[defs[i].Name]
		}
		return defs
	})
	eachFile(w, files, total.defs, func(f *record.Record) []uint32 { return f.BodyEnd })
	eachFile(w, files, total.more, func(f *record.Record) []uint32 { scratch = translate(scratch, f.More, number); return scratch })
	eachFile(w, files, total.body, func(f *record.Record) []uint16 { return f.Body })
	eachFile(w, files, total.signatures, func(f *record.Record) []byte { return store.Letters(f.Signatures) })
	return w.close()
}

func eachFile[T flat](w *writer, files []*record.Record, total uint32, f func(*record.Record) []T) {
	n := int(total) * store.Size[T]()
	w.section(n)
	for _, r := range files {
		w.raw(store.Bytes(f(r)))
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

// renumber orders the symbols that files use: those of many files first, so that what is looked up
// all the time lies together, and those of equally many in the order of their first place. It gives
// the new number of each, and the old ones in the new order. rest is called now and then, since all of the records are
// read.
func renumber(files []*record.Record, names *vocab.View, rest func()) (number, order []uint32) {
	df := make([]uint32, names.Len())
	met := make([]uint32, 0, names.Len()) // in the order of their first place
	read := 0
	for _, f := range files {
		if read += f.Size(); read > restAt {
			read = 0
			rest()
		}
		for _, n := range f.Terms {
			if df[n]++; df[n] == 1 {
				met = append(met, n)
			}
		}
		f.Defines(func(n uint32) {
			if df[n] == 0 {
				df[n] = 1
				met = append(met, n)
			}
		})
	}
	order = byUse(met, df)
	number = df
	for k, n := range order {
		number[n] = uint32(k)
	}
	return number, order
}

// byUse puts those of many files first, and leaves those of equally many in their order. There are millions of strings, and
// not many numbers of files, so they are counted rather than compared.
func byUse(list, df []uint32) []uint32 {
	start := make([]uint32, 1) // of those of n files, in what is given back
	for _, n := range list {
		if more := int(df[n]) + 1 - len(start); more > 0 {
			start = append(start, make([]uint32, more)...)
		}
		start[df[n]]++
	}
	at := uint32(0)
	for k := len(start) - 1; k >= 0; k-- {
		at, start[k] = at+start[k], at
	}
	out := make([]uint32, len(list))
	for _, n := range list {
		out[start[df[n]]] = n
		start[df[n]]++
	}
	return out
}

// putSymbols writes the strings that files use, their stems, and the tables to find them by. It says
// how strings are numbered there.
func putSymbols(w *writer, files []*record.Record, names, stems *vocab.View) (number []uint32) {
	number, order := renumber(files, names, w.rest)
	w.rest()
	putStrings(w, names, order)
	partNumber := make([]uint32, stems.Len())
	parts := make([]uint32, 0, stems.Len())
	count := 0
	ends := make([]uint32, len(order))
	for k, n := range order {
		for _, t := range names.StemsOf(n) {
			if partNumber[t] == 0 {
				parts = append(parts, t)
				partNumber[t] = uint32(len(parts)) // from 1
			}
			count++
		}
		ends[k] = uint32(count)
	}
	w.section(4 * count)
	var list []uint32
	for _, n := range order {
		list = list[:0]
		for _, t := range names.StemsOf(n) {
			list = append(list, partNumber[t]-1)
		}
		w.raw(store.Bytes(list))
	}
	w.pad(4 * count)
	put(w, ends)
	put(w, vocab.HashTable(len(order), func(k uint32) []byte { return names.Bytes(order[k]) }))
	putStrings(w, stems, parts)
	put(w, []uint32(nil)) // stems have no stems
	put(w, []uint32(nil))
	put(w, vocab.HashTable(len(parts), func(k uint32) []byte { return stems.Bytes(parts[k]) }))
	return number
}

func putStrings(w *writer, view *vocab.View, order []uint32) {
	ends := make([]uint32, len(order))
	end := 0
	for k, n := range order {
		end += len(view.Bytes(n))
		ends[k] = uint32(end)
	}
	w.section(end)
	for _, n := range order {
		w.raw(view.Bytes(n))
	}
	w.pad(end)
	put(w, ends)
}
