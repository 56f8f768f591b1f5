package repomap

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax"
)

// openKept opens an index that stores the graph of every tree in graphs, where that is not nil.
func openKept(t testing.TB, m, graphs *memory) *Index {
	t.Helper()
	o := Options{Source: m, Tagger: syntax.Tagger{}, CoChange: m, Store: m, Code: syntax.Code, Workers: 2, Note: func(s string) { t.Log(s) }}
	if graphs != nil {
		o.Graphs = graphs
	}
	x := New(o)
	x.large = 1
	if err := errors.Join(x.Refresh(t.Context()), x.RefreshHistory(t.Context())); err != nil {
		t.Fatal(err)
	}
	return x
}

// keptTree gives a store of n files with a snapshot and its graph, as two processes leave it.
func keptTree(t *testing.T, n int) (m, graphs *memory) {
	t.Helper()
	m, graphs = newMemory(project(n)), &memory{}
	openKept(t, m, graphs)
	openKept(t, m, graphs) // a small first index stands on its own records, not on the snapshot
	if len(graphs.stored) == 0 {
		t.Fatal("no graph was stored")
	}
	return m, graphs
}

var keptRequests = []Request{
	{Budget: 500},
	{Budget: 500, Chat: []string{"pkg1/file1.go"}},
	{Budget: 500, Message: "visit the next node in one step", MentionedIdents: []string{"run3"}},
	{Budget: 300, Chat: []string{"pkg2/file2.go", "pkg1/file1.go"}, Message: "run the last step", Besides: "run3 comes next", Earlier: []string{"visit a node"}},
}

// mapsOf are the maps of several requests, each asked twice: the first map of a process reads piece by piece.
func mapsOf(t *testing.T, x *Index) (all []Map) {
	t.Helper()
	for _, r := range slices.Concat(keptRequests, keptRequests) {
		m := mapOf(t, x, r)
		m.Generation = 0
		all = append(all, m)
	}
	return all
}

// Whatever changed since the graph was stored, maps and graphs are those of an index without a store.
func TestKeptGraph(t *testing.T) {
	for name, change := range map[string]func(m *memory){
		"nothing": func(*memory) {},
		"another text": func(m *memory) {
			m.write("pkg1/file1.go", "package p1\n\nfunc Late() { run3(nil, 0); Late() }\n")
		},
		"a new file":  func(m *memory) { m.write("pkg0/new.go", "package p0\n\nfunc BrandNew() { run3(nil, 0) }\n") },
		"a file gone": func(m *memory) { m.remove("pkg2/file2.go") },
		"many": func(m *memory) {
			for i := range maxCarried + 10 {
				m.write(fmt.Sprintf("late/file%d.go", i), fmt.Sprintf("package late\n\nfunc Late%d() { Late%d() }\n", i, i/2))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, graphs := keptTree(t, 60)
			change(m)
			kept := bytes.Clone(graphs.stored)
			again := openKept(t, m, graphs)
			if name == "nothing" && !bytes.Equal(kept, graphs.stored) {
				t.Error("the graph was stored again")
			}
			fresh := newMemory(m.files)
			fresh.version = m.version
			plain := open(t, fresh, 1)
			s := again.current()
			same(t, s, s.linked(), newGraph(s))
			if diff := cmp.Diff(mapsOf(t, plain), mapsOf(t, again)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A stored graph spares the next process the making of one: what it begins with is what lies in the store.
func TestKeptGraphIsUsed(t *testing.T) {
	m, graphs := newMemory(project(manyFiles+20)), &memory{}
	if first := openKept(t, m, graphs); len(graphs.stored) == 0 || first.keeper.last == nil {
		t.Fatal("a large first index stores no graph")
	}
	x := openKept(t, m, graphs)
	kept := x.keeper.last
	if kept == nil || x.current().linked() != kept {
		t.Error("the graph was made again")
	}
	if open(t, m, 1).keeper.last != nil {
		t.Error("a graph without a store")
	}
}

// Small trees store none: to make it costs less than to read it.
func TestSmallTreesKeepNoGraph(t *testing.T) {
	m, graphs := newMemory(project(40)), &memory{}
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, Store: m, Graphs: graphs, Code: syntax.Code})
	for range 2 {
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if graphs.stored != nil {
		t.Error("a graph was stored")
	}
}

// Whatever lies in the place of the graph, maps are right, and a right one is stored.
func TestDamagedGraph(t *testing.T) {
	m, graphs := keptTree(t, 40)
	want := mapsOf(t, openKept(t, m, graphs))
	good := graphs.stored
	_, foreign := keptTree(t, 50)
	cases := map[string][]byte{"empty": {}, "short": []byte("x"), "text": bytes.Repeat([]byte("hello "), 1000), "of another tree": foreign.stored,
		"longer": append(bytes.Clone(good), 0, 0, 0, 0, 0, 0, 0, 0)}
	for n := 1; n < 8; n++ {
		at := len(good) * n / 8
		cases[fmt.Sprintf("cut at %d", at)] = good[:at]
		damaged := bytes.Clone(good)
		damaged[at] ^= 1
		cases[fmt.Sprintf("another bit at %d", at)] = damaged
	}
	for name, data := range cases {
		graphs.stored = data
		if diff := cmp.Diff(want, mapsOf(t, openKept(t, m, graphs))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if !bytes.Equal(graphs.stored, good) {
			t.Errorf("%s: the graph was not stored again", name)
		}
	}
}

// The graph of a snapshot that was written over since is of no use, whatever it was of.
func TestGraphOfAnOlderSnapshot(t *testing.T) {
	m, graphs := keptTree(t, 40)
	old := graphs.stored
	m.write("pkg1/file1.go", "package p1\n\nfunc Other() { run3(nil, 0) }\n")
	openKept(t, m, nil) // it stores a snapshot, and no graph
	x := openKept(t, m, graphs)
	if bytes.Equal(graphs.stored, old) {
		t.Error("the graph is still the old one")
	}
	if diff := cmp.Diff(mapsOf(t, open(t, m, 1)), mapsOf(t, x)); diff != "" {
		t.Error(diff)
	}
}

// slowDisk ends a context in the middle of a save.
type slowDisk struct {
	*memory
	cancel func()
}

func (d slowDisk) Save(write func(io.Writer) error) error {
	d.cancel()
	return write(io.Discard)
}

func TestCancelledWhileTheGraphIsStored(t *testing.T) {
	m, _ := keptTree(t, 40)
	ctx, cancel := context.WithCancel(t.Context())
	noted := ""
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, Store: m, Graphs: slowDisk{&memory{}, cancel}, Code: syntax.Code, Workers: 2,
		Note: func(s string) { noted += s }})
	x.large = 1
	if err := x.Refresh(ctx); !errors.Is(err, context.Canceled) || noted == "" {
		t.Errorf("%v, noted %q", err, noted)
	}
	if g := makeGraph(ctx, x.current()); g != nil {
		t.Error("a graph for nobody")
	}
}

// The lists of a graph may be of any length where the sum happens to be right: nothing is read beyond them.
func FuzzDecodeGraph(f *testing.F) {
	m, graphs := newMemory(project(12)), &memory{}
	x := openKept(f, m, graphs)
	of := &snapshot{files: x.current().files}
	g := newGraph(x.current())
	g.stemCounts(x.current())
	g.makeNorms()
	var b bytes.Buffer
	if err := g.encode(&b, x.storage.graphHeader(of), func() {}); err != nil {
		f.Fatal(err)
	}
	head := len(x.storage.graphHeader(of))
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:head+8])
	f.Fuzz(func(t *testing.T, data []byte) {
		data = append(make([]byte, 0, len(data)+8), data...)
		if len(data) < head+4 {
			return
		}
		end := len(data) - 4
		binary.NativeEndian.PutUint32(data[end:], crc32.Checksum(data[:end], castagnoli))
		if g, err := decodeGraph(data, head, func() {}); err == nil {
			_ = g.belongs(of.files, x.symbols)
		}
	})
}

// pager is a store that lends its memory and counts how often it is let go.
type pager struct {
	*memory
	rests atomic.Int32
}

func (p *pager) Page() ([]byte, func(), error) { return p.stored, nil, nil }
func (p *pager) Spill([]byte) (kept []byte, _ func(), _ error) {
	return nil, nil, errors.ErrUnsupported
}
func (p *pager) Rest() { p.rests.Add(1) }

// The first map of a process lets go of what it reads as it goes on; later ones find it where they left it.
func TestFirstMapLetsGo(t *testing.T) {
	m, graphs := keptTree(t, 60)
	store := &pager{memory: m}
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, Store: store, Graphs: graphs, Code: syntax.Code})
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := store.rests.Load()
	first := mapOf(t, x, keptRequests[1])
	if now := store.rests.Load(); now < before+20 {
		t.Errorf("let go %d times", now-before)
	}
	before = store.rests.Load()
	if diff := cmp.Diff(first, mapOf(t, x, keptRequests[1])); diff != "" || store.rests.Load() != before {
		t.Errorf("let go %d times\n%s", store.rests.Load()-before, diff)
	}
}
