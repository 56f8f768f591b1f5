package repomap

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/repomap/record"
	"coauthor/repomap/vocab"
)

// Options are what an Index works with. Source and Tagger are required; the rest may be nil.
type Options struct {
	Source   Source
	Store    Store
	Graphs   Store // keeps the graph of what Store holds of a large tree; nil makes it again at each start
	Tagger   Tagger
	CoChange CoChange
	Urgent   Tagger                 // tags what is laid over by Update; nil: Tagger does
	Code     func(path string) bool // is a file of that name program text; nil: all are
	Workers  int                    // who read files and have them tagged, beside each other; 0 is one

	// Fingerprint names the grammars behind Tagger: a snapshot made with others is not used.
	Fingerprint string
	Note        func(s string) // told about files that were skipped; may be called concurrently
}

// Index holds what is known of one repository. It is safe for concurrent use. Maps never wait for
// a refresh: they read the last published state.
type Index struct {
	o       Options
	storage *storage
	reader  *sourceReader
	symbols *vocab.Symbols // changed by Refresh alone, with mu held

	refreshing sync.Mutex // one Refresh at a time
	large      int        // files of the smallest tree that is large: its graph is stored, and at times what is known of it so far
	unsaved    int        // files that changed since the last snapshot; guarded by refreshing

	mu       sync.Mutex
	state    *state                 // guarded by mu
	base     ordered                // what the source has, without overlays; guarded by mu
	overlays map[string]overlayText // guarded by mu
	listed   int                    // files of the last listing, -1 before the first; guarded by mu
	indexed  int                    // of them in base or found unreadable; guarded by mu
	loaded   bool                   // the store was read; guarded by mu
	keeper   *keeper                // guarded by mu
	snapshot *snapshot              // what base was at first, as the store has it; nil: another one; guarded by mu
}

type overlayText struct {
	text   string
	record *record.Record
}

// state is one immutable generation.
type state struct {
	generation uint64
	complete   float64
	files      []*record.Record // by path
	history    *history         // never nil
	listing    uint64           // of the paths of files
	paths      *paths           // likewise
	symbols    *vocab.Symbols   // that number the words of files
	names      vocab.View
	stems      vocab.View

	keeper *keeper
	once   sync.Once
	graph  *graph // made by the first map of this generation
}

// New makes an empty index. Nothing is read before Refresh.
func New(o Options) *Index {
	x := &Index{o: o, large: smallTree, symbols: vocab.New(), overlays: map[string]overlayText{}, listed: -1,
		storage: &storage{store: o.Store, graphs: o.Graphs, fingerprint: o.Fingerprint, note: o.Note},
		reader:  &sourceReader{from: o.Source, tagger: o.Tagger, code: o.Code, notes: o.Note}}
	x.keeper = &keeper{}
	x.state = &state{history: &history{}, paths: &paths{}}
	return x
}

func (x *Index) current() *state {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.state
}

// Refresh brings the index up to date with its source. Maps asked for meanwhile come from what is
// there. Files that cannot be read or tagged are noted and skipped.
func (x *Index) Refresh(ctx context.Context) error {
	x.refreshing.Lock()
	defer x.refreshing.Unlock()
	var loading sync.WaitGroup
	loading.Go(x.load)
	files, err := x.reader.from.List(ctx)
	loading.Wait()
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	stale, gone, first := x.compare(files)
	if first && len(files) >= hugeTree {
		debug.FreeOSMemory() // the listing and what was read to make it, before a map needs as much again
	}
	x.unsaved += len(stale) + gone
	if err := x.tagAll(ctx, stale); err != nil {
		return err
	}
	if len(stale) >= hugeTree {
		debug.FreeOSMemory() // what tagging left behind, before saving needs as much again
		defer debug.FreeOSMemory()
	}
	due := x.unsaved > 0 && (x.unsaved > len(files)/1000 || len(files) < smallTree)
	if due && !x.save() {
		return ctx.Err()
	}
	if due && len(stale) >= manyFiles {
		huge := len(stale) >= hugeTree
		if huge {
			debug.FreeOSMemory() // what saving left behind
		}
		x.adopt()
		if huge {
			debug.FreeOSMemory() // what was traded for the snapshot, before a graph is made of it
		}
	}
	x.keepGraph(ctx)
	return ctx.Err()
}

// smallTree is how many files make a snapshot so small that it is written after every change. A larger
// one waits for a thousandth of its files: to read those again at a start costs less.
const smallTree = 5000

// hugeTree is how many new files leave so much garbage behind that it is worth a collection.
const hugeTree = 10_000

// compare drops what is gone and gives the files that must be read. first says that none were known before.
func (x *Index) compare(files []File) (stale []File, gone int, first bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	first = x.listed < 0
	stale, gone = x.base.follow(files)
	x.listed, x.indexed = len(files), len(files)-len(stale)
	switch {
	case first || gone > 0:
		x.publish()
	case x.state.complete != x.share(): // only how complete it is
		old := x.state
		x.enter(&state{generation: old.generation + 1, complete: x.share(), files: old.files, history: old.history, listing: old.listing})
	}
	return stale, gone, first
}

// tagAll reads and tags files with several workers and publishes as it goes.
func (x *Index) tagAll(ctx context.Context, files []File) error {
	if len(files) == 0 {
		return nil
	}
	to := collector{x: x, in: intake{x: x}, next: time.Now().Add(publishEvery), left: len(files)}
	var group sync.WaitGroup
	left := queue{most: 1, takers: max(1, x.o.Workers), files: files}
	if _, ok := x.reader.tagger.(BatchTagger); ok {
		left.most = batchFiles
	}
	for range min(left.takers, len(files)) {
		group.Go(func() {
			memory := &record.Memory{}
			for ctx.Err() == nil {
				some := left.take()
				if len(some) == 0 {
					return
				}
				x.reader.drafts(ctx, some, memory, func(d *record.Draft) { to.add(ctx, d) })
			}
		})
	}
	group.Wait()
	to.in.take()
	x.mu.Lock()
	defer x.mu.Unlock()
	if ctx.Err() == nil {
		x.indexed = x.listed
	}
	x.publish()
	return ctx.Err()
}

// collector numbers the words of drafts and takes them over, many at a time. Who brings one does the work: to wake another
// goroutine for each of many thousand files would take as long as reading many.
type collector struct {
	x *Index

	mu      sync.Mutex
	in      intake    // guarded by mu
	next    time.Time // when to publish; guarded by mu
	unsaved int       // files that no snapshot has; guarded by mu
	left    int       // files that are still to come; guarded by mu
}

func (c *collector) add(ctx context.Context, d *record.Draft) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := d.Finish(c.x.symbols)
	c.in.add(r)
	c.in.leave(d.Bytes)
	if start := time.Now(); start.After(c.next) && c.in.ripe() {
		c.in.take()
		c.x.mu.Lock()
		c.x.publish()
		c.x.mu.Unlock()
		c.next = time.Now().Add(max(publishEvery, publishShare*time.Since(start)))
	}
	c.unsaved, c.left = c.unsaved+1, c.left-1
	if c.unsaved%c.x.large == 0 && c.left >= c.x.large {
		c.in.take()
		if c.x.saveSoFar(ctx, c.unsaved) {
			c.unsaved = 0
		}
	}
}

// intake takes records over into the index, many at a time.
type intake struct {
	x     *Index
	batch []*record.Record
	size  int // of their lists, in bytes

	onHeap int // bytes of lists that were too few for the store's memory, so far
	left   int // bytes of texts that were read, and of lists that were moved, since the last collection
}

// garbageAt is how many bytes are read before what that left behind, three times as much, is collected: a large tree
// would otherwise need twice the memory that its words take, for the garbage that is allowed beside them. It is not
// given back to the system: the next texts need as much again.
const garbageAt = 28 << 20

// leave counts what is garbage now.
func (in *intake) leave(size int) {
	if in.left += size; in.left > garbageAt {
		in.left = 0
		runtime.GC()
	}
}

// ripe says whether what has come may be taken over by itself. A slow machine brings little between two states: if
// each little were left on the heap, all of a large tree would be there in the end.
func (in *intake) ripe() bool { return in.size >= spillLeast || in.onHeap+in.size <= spillAt }

func (in *intake) add(r *record.Record) {
	in.batch, in.size = append(in.batch, r), in.size+r.Size()
	if in.size > spillAt {
		in.take()
	}
}

func (in *intake) take() {
	x := in.x
	if !x.storage.spill(in.batch) {
		in.onHeap += in.size
	}
	in.leave(in.size)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range in.batch {
		x.base.add(r)
	}
	x.indexed += len(in.batch)
	in.batch, in.size = nil, 0
}

// sourceReader reads files of a source and has them tagged.
type sourceReader struct {
	from   Source
	tagger Tagger
	code   func(path string) bool // nil: every file is program text
	notes  func(s string)
}

// drafts reads and tags some files. One that cannot be read is known by its path alone.
func (r *sourceReader) drafts(ctx context.Context, files []File, memory *record.Memory, add func(*record.Draft)) {
	var readable []File
	var texts []Text
	all := memory.Texts[:0]
	for _, f := range files {
		more, err := r.from.Read(ctx, f.Path, all)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			r.note(ctx, "read", f.Path, err)
			add(record.NewDraft(f.Path, f.ID, r.class(f), nil, nil, memory))
		default:
			readable, texts = append(readable, f), append(texts, Text{f.Path, more[len(all):len(more):len(more)]})
			all = more
		}
	}
	if cap(all) <= record.MaxText {
		memory.Texts = all
	}
	for i, t := range TagAll(ctx, r.tagger, texts) {
		if d := r.tagged(ctx, readable[i], texts[i].Src, t, memory); d != nil {
			add(d)
		}
	}
}

// TagAll has some files tagged, at once where the tagger takes several.
func TagAll(ctx context.Context, by Tagger, texts []Text) []Tagged {
	if batch, ok := by.(BatchTagger); ok && len(texts) > 1 {
		return batch.TagAll(ctx, texts)
	}
	out := make([]Tagged, len(texts))
	for i, t := range texts {
		out[i].Tags, out[i].Err = by.Tags(ctx, t.Path, t.Src)
	}
	return out
}

// tagged makes a draft of a file's text and tags, or none when ctx has ended before they came.
func (r *sourceReader) tagged(ctx context.Context, f File, src []byte, t Tagged, memory *record.Memory) *record.Draft {
	if t.Err != nil {
		if ctx.Err() != nil {
			return nil
		}
		r.note(ctx, "tag", f.Path, t.Err)
	}
	return record.NewDraft(f.Path, f.ID, r.class(f), src, t.Tags, memory)
}

func (r *sourceReader) note(ctx context.Context, doing, path string, err error) {
	if r.notes != nil && ctx.Err() == nil {
		r.notes(fmt.Sprintf("%s %s: %v", doing, path, err))
	}
}

func (r *sourceReader) class(f File) record.Class {
	switch {
	case f.Made:
		return record.Made
	case f.Vendored:
		return record.Vendored
	}
	return record.Classify(f.Path, r.code == nil || r.code(f.Path))
}

// Update lays the text of an unsaved document over the file at path, which need not exist, and says
// whether that changed anything.
func (x *Index) Update(ctx context.Context, path, text string) (changed bool, err error) {
	x.mu.Lock()
	old, ok := x.overlays[path]
	x.mu.Unlock()
	if ok && old.text == text {
		return false, nil
	}
	tagger := x.o.Urgent
	if tagger == nil {
		tagger = x.o.Tagger
	}
	tags, err := tagger.Tags(ctx, path, []byte(text))
	d := x.reader.tagged(ctx, File{Path: path}, []byte(text), Tagged{tags, err}, &record.Memory{})
	if d == nil {
		return false, ctx.Err()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	r := d.Finish(x.symbols) // with the lock, since adopt changes the numbers
	x.overlays[path] = overlayText{text: text, record: r}
	x.publishOne(path, r)
	return true, nil
}

// Forget removes the overlay of path.
func (x *Index) Forget(path string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, ok := x.overlays[path]; ok {
		delete(x.overlays, path)
		x.publishOne(path, x.confirmed(path))
	}
}

// linked gives the graph of this state.
func (s *state) linked() *graph {
	s.once.Do(func() { s.graph = s.keeper.graph(s) })
	return s.graph
}

// find gives the place of path in files.
func (s *state) find(path string) (int, bool) { return findPath(s.files, path) }

// findPath gives the place of path in files, which are in order.
func findPath(files []*record.Record, path string) (int, bool) {
	return slices.BinarySearchFunc(files, path, func(r *record.Record, path string) int { return strings.Compare(r.Path, path) })
}
