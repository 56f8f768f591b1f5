package repomap

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime/debug"

	"coauthor/repomap/record"
	"coauthor/repomap/store"
	"coauthor/repomap/vocab"
)

// The graph of a snapshot lies beside it, as flat arrays too. To make the graph of a large tree again takes longer than
// everything else at a start: the first map of a process comes 0.6 s later without it on Linux's sources. It names the
// snapshot that it is of by that one's checksum; the few files that changed since are carried over like edits.
const (
	graphMagic   = "coauthor's graph"
	graphVersion = 3
)

// rowEntry is one file's row: how much of each array is its own.
type rowEntry struct{ ones, many, defs uint32 }

// snapshot is the stored snapshot on which an index stands: its records in order of path, and its checksum.
type snapshot struct {
	files []*record.Record
	sum   uint32
	graph bool // its graph is stored, or cannot be
}

// graphHeader begins the graph of a snapshot.
func (k *storage) graphHeader(of *snapshot) []byte {
	return append([]byte(graphMagic), store.Bytes([]uint32{0x01020304, graphVersion, formatVersion, of.sum,
		uint32(len(of.files)), vocab.Hash(k.fingerprint)})...)
}

// keepGraph stores the graph of the snapshot that the index stands on, if there is none yet. It is called with
// refreshing held.
func (x *Index) keepGraph(ctx context.Context) {
	x.mu.Lock()
	of, s := x.snapshot, x.state
	x.mu.Unlock()
	if x.storage.graphs == nil || of == nil || of.graph || len(of.files) < x.large || ctx.Err() != nil {
		return
	}
	if _, near := differences(of.files, s.files); !near {
		return // the next start cannot use it either
	}
	plain := &state{files: of.files, symbols: s.symbols, names: s.names.Loaded(), stems: s.stems.Loaded(), keeper: s.keeper} // without what came after the snapshot
	g := s.keeper.fresh(ctx, plain)
	if g == nil {
		return
	}
	g.stemCounts(plain)
	g.makeNorms()
	of.graph = true // or it cannot be stored, and then not the next time
	err := x.storage.graphs.Save(func(w io.Writer) error {
		return g.encode(&until{ctx, w}, x.storage.graphHeader(of), rest(x.storage.store))
	})
	if err != nil {
		x.storage.say("save the graph", err)
		return
	}
	if kept := x.storage.loadGraph(of, s.symbols); kept != nil {
		s.keeper.replace(g, kept)
		g = nil
		debug.FreeOSMemory() // it was as large as the index
	}
}

// loadGraph gives the graph of a snapshot from the store, or nil.
func (k *storage) loadGraph(of *snapshot, names *vocab.Symbols) *graph {
	if k.graphs == nil {
		return nil
	}
	data, owner, err := page(k.graphs)
	if err != nil || len(data) == 0 {
		k.say("load the graph", err)
		return nil
	}
	head := k.graphHeader(of)
	if !store.Aligned(data) || len(data) < len(head)+4 || string(data[:len(head)]) != string(head) {
		return nil // of another snapshot
	}
	g, err := decodeGraph(data, len(head), rest(k.graphs))
	if err == nil {
		err = g.belongs(of.files, names)
	}
	rest(k.graphs)()
	if err != nil {
		k.say("load the graph", err)
		return nil
	}
	g.owner = owner
	return g
}

// say tells of what failed.
func (k *storage) say(doing string, err error) {
	if err != nil && k.note != nil {
		k.note(fmt.Sprintf("%s: %v", doing, err))
	}
}

// encode writes a graph without late slots, as one made from nothing is.
func (g *graph) encode(to io.Writer, head []byte, rest func()) error {
	w := newWriter(to, rest)
	w.raw(head)
	for _, c := range []vocab.Column{g.df, g.ndef} {
		total := 0
		for _, part := range c {
			total += len(part)
		}
		w.section(4 * total)
		for _, part := range c {
			w.raw(store.Bytes(part))
		}
		w.pad(4 * total)
	}
	put(w, g.inner.Bits)
	put(w, g.inner.Sum)
	put(w, g.slots)
	put(w, g.plain)
	put(w, g.link)
	put(w, g.share)
	put(w, g.users)
	put(w, g.self)
	put(w, g.out)
	like := g.like.Load()
	put(w, []uint32{uint32(like.total)})
	put(w, like.words)
	put(w, g.norms.get())
	entries := make([]rowEntry, len(g.rows))
	var total rowEntry
	for i := range g.rows {
		r := &g.rows[i]
		entries[i] = rowEntry{uint32(len(r.ones)), uint32(len(r.many)), uint32(len(r.defs))}
		total.ones, total.many, total.defs = total.ones+entries[i].ones, total.many+entries[i].many, total.defs+entries[i].defs
	}
	put(w, entries)
	eachRow(w, g.rows, total.ones, func(r *row) []uint32 { return r.ones })
	eachRow(w, g.rows, total.many, func(r *row) []use { return r.many })
	eachRow(w, g.rows, total.defs, func(r *row) []uint32 { return r.defs })
	return w.close()
}

func eachRow[T flat](w *writer, rows []row, total uint32, f func(*row) []T) {
	n := int(total) * store.Size[T]()
	w.section(n)
	for i := range rows {
		w.raw(store.Bytes(f(&rows[i])))
	}
	w.pad(n)
}

var errGraph = errors.New("the graph is damaged")

// decodeGraph makes a graph of what encode wrote behind a header. It checks the sum, so the lists of rows are
// then trusted to fit together.
func decodeGraph(data []byte, head int, rest func()) (*graph, error) {
	body, sum := data[:len(data)-4], binary.NativeEndian.Uint32(data[len(data)-4:])
	if checksum(body, rest) != sum {
		return nil, errGraph
	}
	r := &reader{data: body[head:]}
	g := &graph{df: vocab.ColumnOf(take[uint32](r)), ndef: vocab.ColumnOf(take[uint32](r))}
	g.inner.Bits, g.inner.Sum = take[uint64](r), take[uint32](r)
	g.slots, g.plain, g.link, g.share = take[uint32](r), take[float32](r), take[float32](r), take[float32](r)
	g.users, g.self, g.out = take[uint32](r), take[float32](r), take[float32](r)
	numbers, words, norms := take[uint32](r), take[uint32](r), take[float32](r)
	entries := take[rowEntry](r)
	ones, many, defs := take[uint32](r), take[use](r), take[uint32](r)
	if r.bad || len(numbers) != 1 {
		return nil, errGraph
	}
	g.like.Store(&stemCounts{words: words, total: int(numbers[0])})
	g.norms.put(norms)
	g.rows = make([]row, len(entries))
	for i, e := range entries {
		g.rows[i] = row{ones: cut(r, &ones, e.ones), many: cut(r, &many, e.many), defs: cut(r, &defs, e.defs)}
	}
	if r.bad {
		return nil, errGraph
	}
	return g, nil
}

// belongs makes the graph that of files, if it is as large.
func (g *graph) belongs(files []*record.Record, names *vocab.Symbols) error {
	words, stems := names.Snapshot()
	n, slots := len(words.Base.Ends), len(g.slots)
	for _, fits := range []bool{len(g.rows) == len(files), len(g.self) == len(files), len(g.out) == len(files), len(g.norms.get()) == len(files), g.df.Len() == n, g.ndef.Len() == n,
		len(g.inner.Bits) == len(vocab.NewSet(n)), len(g.inner.Sum) == len(g.inner.Bits), len(g.plain) == slots, len(g.link) == slots, len(g.share) == slots,
		len(g.users) == slots, len(g.like.Load().words) == len(stems.Base.Ends)} {
		if !fits {
			return errGraph
		}
	}
	g.files, g.names, g.logs = files, names, logsOf(len(files))
	return nil
}

// until is a writer that fails once ctx has ended.
type until struct {
	ctx context.Context
	io.Writer
}

func (u *until) Write(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Writer.Write(b)
}

// fresh gives the graph of s as made from nothing. Whoever wants a map meanwhile waits for it, since it is most
// of what that one needs. It is nil where ctx ends first.
func (k *keeper) fresh(ctx context.Context, s *state) *graph {
	k.mu.Lock()
	defer k.mu.Unlock()
	g := makeGraph(ctx, s)
	if k.last == nil {
		k.last = g
	}
	return g
}

// replace puts a graph that lies in the store in place of the same one on the heap.
func (k *keeper) replace(g, kept *graph) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last == g {
		k.last = kept
	}
}

// checksum reads all of what a store gave, and lets go of what it has read.
func checksum(data []byte, rest func()) uint32 {
	sum := uint32(0)
	for len(data) > 0 {
		n := min(len(data), 32<<20)
		sum = crc32.Update(sum, castagnoli, data[:n])
		data = data[n:]
		rest()
	}
	return sum
}
