package repomap

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"coauthor/repomap/record"
	"coauthor/repomap/store"
	"coauthor/repomap/vocab"
)

// A snapshot is the index as flat arrays, so that loading it is one read and no decoding: a header,
// then sections of a length and that many bytes, padded to eight, then a checksum of it all.
// Symbols are numbered by their use and the order of paths and of words in files, so equal trees make
// equal snapshots. What another version, another set of grammars or another byte order wrote is ignored.
const (
	magic         = "coauthor map\n\x00\x00\x00"
	formatVersion = 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errSnapshot = errors.New("not a snapshot of this version")

// manyFiles is how many new records make it worth while to trade them for the snapshot.
const manyFiles = 1000

// storage is where the snapshot of an index lies, and the graph of that.
type storage struct {
	store, graphs Store  // nil: nowhere
	fingerprint   string // of the grammars
	note          func(s string)
}

// header begins every snapshot.
func (k *storage) header() []byte {
	order := uint32(0x01020304)
	h := append([]byte(magic), store.Bytes([]uint32{order, formatVersion, uint32(store.Size[record.Definition]()), vocab.Hash(k.fingerprint)})...)
	return h
}

// load takes over the snapshot, once, before the first refresh.
func (x *Index) load() {
	x.mu.Lock()
	first := !x.loaded
	x.loaded = true
	x.mu.Unlock()
	if x.storage.store == nil || !first {
		return
	}
	data, owner, err := page(x.storage.store)
	if err == nil && len(data) > 0 {
		var l loaded
		if l, err = x.storage.decode(data, owner); err == nil {
			x.takeOver(l, x.storage.loadGraph(l.snapshot, l.symbols))
		}
	}
	rest(x.storage.store)()
	x.storage.say("load the index", err)
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
	if n > uint64(len(r.data)-8) {
		r.bad = true
		return nil
	}
	list, ok := store.List[T](r.data[8 : 8+n])
	if !ok {
		r.bad = true
		return nil
	}
	r.data = r.data[min(uint64(len(r.data)), 8+(n+7)&^7):]
	return list
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

// page gives what a store holds in memory that the system may take back.
func page(from Store) ([]byte, *store.Lent, error) {
	if p, ok := from.(Pager); ok {
		data, free, err := p.Page()
		return data, store.Lend(free), err
	}
	data, err := from.Load()
	return data, nil, err
}

// rest gives what lets go of all that was read of a store and is not needed soon.
func rest(of Store) func() {
	if p, ok := of.(Pager); ok {
		return p.Rest
	}
	return func() {}
}

// letGo is rest of both stores.
func (k *storage) letGo() {
	rest(k.store)()
	if k.graphs != nil {
		rest(k.graphs)()
	}
}

// loaded is what a snapshot holds: records, and what numbers their words.
type loaded struct {
	symbols  *vocab.Symbols
	snapshot *snapshot
}

// decode makes records of a snapshot. It checks the sum, so lists are then trusted to fit together.
func (k *storage) decode(data []byte, owner *store.Lent) (loaded, error) {
	head := k.header()
	if !store.Aligned(data) || len(data) < len(head)+4 || string(data[:len(head)]) != string(head) {
		return loaded{}, errSnapshot
	}
	body, sum := data[:len(data)-4], binary.NativeEndian.Uint32(data[len(data)-4:])
	if checksum(body, rest(k.store)) != sum {
		return loaded{}, errors.New("the snapshot is damaged")
	}
	r := &reader{data: body[len(head):]}
	names, parts := takeSymbols(r), takeSymbols(r)
	entries := take[fileEntry](r)
	paths, ids := slices.Clone(take[uint8](r)), slices.Clone(take[uint8](r)) // maps give away paths
	terms, counts, defs, bodyEnd := take[uint32](r), take[uint8](r), take[record.Definition](r), take[uint32](r)
	more, text, signatures := take[uint32](r), take[uint16](r), take[uint8](r)
	records := make([]record.Record, len(entries))
	of := &snapshot{files: make([]*record.Record, len(entries)), sum: sum}
	for i, e := range entries {
		f := &records[i]
		*f = record.Record{Owner: owner, Path: store.Text(cut(r, &paths, e.path)), ID: store.Text(cut(r, &ids, e.id)), Class: record.Class(e.class), Words: int(e.words),
			Terms: cut(r, &terms, e.terms), Counts: cut(r, &counts, e.terms), Defs: cut(r, &defs, e.defs), BodyEnd: cut(r, &bodyEnd, e.defs),
			More: cut(r, &more, e.more), Body: cut(r, &text, e.body), Signatures: store.Text(cut(r, &signatures, e.signatures))}
		of.files[i] = f
	}
	if r.bad {
		return loaded{}, errSnapshot
	}
	names.Owner, parts.Owner = owner, owner
	return loaded{symbols: vocab.Loaded(names, parts), snapshot: of}, nil
}

// takeOver makes what was loaded the index's own. Documents may have been laid over before: their words
// are numbered again. All of it is one step, since a state holds numbers of one kind. g is its graph, or nil.
func (x *Index) takeOver(l loaded, g *graph) {
	x.mu.Lock()
	defer x.mu.Unlock()
	names, _ := x.symbols.Snapshot()
	for path, o := range x.overlays {
		o.record = o.record.Renumber(&names, l.symbols)
		x.overlays[path] = o
	}
	l.snapshot.graph = g != nil
	x.symbols, x.snapshot, x.keeper = l.symbols, l.snapshot, &keeper{last: g, rest: x.storage.letGo}
	x.base = ordered{files: l.snapshot.files, sum: listing(l.snapshot.files)}
	x.publish()
}

// adopt trades the records of a first index, scattered over the heap, for the snapshot that was just
// written of them.
func (x *Index) adopt() {
	data, owner, err := page(x.storage.store)
	if err != nil || len(data) == 0 {
		return // what is in memory is as good, only larger
	}
	l, err := x.storage.decode(data, owner)
	if err != nil {
		return
	}
	rest(x.storage.store)()
	x.takeOver(l, nil)
}

func takeSymbols(r *reader) vocab.View {
	var v vocab.View
	v.Base.Blob, v.Base.Ends = take[uint8](r), take[uint32](r)
	v.Base.Stems, v.Base.StemEnd, v.Table = take[uint32](r), take[uint32](r), take[uint32](r)
	return v
}
