package repomap

import (
	"math"
	"path"
	"strings"
	"sync"

	"coauthor/repomap/imports"
	"coauthor/repomap/record"
	"coauthor/repomap/vocab"
)

// paths are the paths of all files of a state, and what they say whatever stands in the files. States share
// them for as long as no file comes, goes, or gets another name, so an edit leaves them as they are.
type paths struct {
	list []string // not the records: those of one state would stay for as long as all of these

	once sync.Once
	made *pathTable

	mu      sync.Mutex
	history *history  // of recent; guarded by mu
	recent  []float64 // guarded by mu
}

// pathTable is what signals ask of each path. It is immutable.
type pathTable struct {
	stems     map[string]uint32 // of base names
	baseStems lists             // file -> the stems of its base name, in order
	begins    []beginning       // file -> how its base name begins

	words   map[string]uint32 // of modules
	modules lists             // file -> the words of its module: those of its folder, then its own
	own     []uint32          // file -> where its own begin among them
	alone   []bool            // file -> it has a name of its own, by which neighbours import it
	folders []uint32          // file -> a number for its folder

	folder    map[string]uint32 // the numbers of folders, by their paths with a slash at the end
	inFolder  lists             // folder -> its files
	manifests []int             // files that say how modules are named
}

// lists are lists of numbers, one behind the other.
type lists struct{ all, ends []uint32 }

func (l *lists) of(i int) []uint32 {
	start := uint32(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.all[start:l.ends[i]]
}

// byNumber lists for each number the places where it stands, in order.
func byNumber(numbers []uint32, n int) lists {
	l := lists{all: make([]uint32, len(numbers)), ends: make([]uint32, n)}
	for _, k := range numbers {
		l.ends[k]++
	}
	at := uint32(0)
	for k, count := range l.ends {
		l.ends[k], at = at, at+count
	}
	for i, k := range numbers {
		l.all[l.ends[k]] = uint32(i)
		l.ends[k]++
	}
	return l
}

// numberOf gives the number of a text, a new one if it has none.
func numberOf(table map[string]uint32, text string) uint32 {
	n, ok := table[text]
	if !ok {
		n = uint32(len(table))
		table[text] = n
	}
	return n
}

// table looks at the paths when it is first asked.
func (p *paths) table() *pathTable {
	p.once.Do(func() { p.made = newPathTable(p.list) })
	return p.made
}

func newPaths(files []*record.Record) *paths {
	p := &paths{list: make([]string, len(files))}
	for i, f := range files {
		p.list[i] = f.Path
	}
	return p
}

func newPathTable(list []string) *pathTable {
	t := &pathTable{stems: map[string]uint32{}, words: map[string]uint32{}, begins: make([]beginning, len(list)),
		own: make([]uint32, len(list)), alone: make([]bool, len(list)), folders: make([]uint32, len(list))}
	t.folder = map[string]uint32{}
	dir, folder := "", []uint32(nil) // of the path before, which most share, and the words of its name
	for i, p := range list {
		base := path.Base(p)
		stem := strings.TrimSuffix(base, path.Ext(base))
		vocab.Words([]byte(stem), func(start, end int) {
			vocab.Stems(stem[start:end], func(s string) { t.baseStems.all = append(t.baseStems.all, numberOf(t.stems, s)) })
		})
		t.baseStems.ends = append(t.baseStems.ends, uint32(len(t.baseStems.all)))
		t.begins[i] = beginningOf(base)

		m := moduleOf(p)
		begin := len(t.modules.all)
		if in := p[:len(p)-len(base)]; i == 0 || in != dir {
			dir = in
			t.enter(m.dir)
			folder = t.modules.all[begin:]
			t.folders[i] = numberOf(t.folder, in)
		} else {
			t.modules.all = append(t.modules.all, folder...)
			t.folders[i] = t.folders[i-1]
		}
		t.own[i], t.alone[i] = uint32(len(t.modules.all)), m.base != ""
		t.enter(m.base)
		t.modules.ends = append(t.modules.ends, uint32(len(t.modules.all)))
		if imports.ManifestOf(base) != imports.Other {
			t.manifests = append(t.manifests, i)
		}
	}
	t.inFolder = byNumber(t.folders, len(t.folder))
	return t
}

// enter puts the words of a name behind those of the modules.
func (t *pathTable) enter(name string) {
	vocab.Words([]byte(name), func(start, end int) {
		t.modules.all = append(t.modules.all, numberOf(t.words, name[start:end]))
	})
}

// module gives the words by which file i is imported in file c: a neighbour needs no folder.
func (t *pathTable) module(i, c int) []uint32 {
	if t.alone[i] && t.folders[i] == t.folders[c] {
		return t.modules.all[t.own[i]:t.modules.ends[i]]
	}
	return t.modules.of(i)
}

// ages tell how long ago a commit touched each file. Nobody may write to them.
func (p *paths) ages(h *history) []float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.history == h {
		return p.recent
	}
	list := make([]float64, len(p.list))
	spread(len(list), 256, func(from, to int) {
		for i := from; i < to; i++ {
			age, ok := h.rank[p.list[i]]
			if !ok {
				age = len(h.commits)
			}
			list[i] = -math.Log(float64(1 + age))
		}
	})
	p.history, p.recent = h, list
	return list
}

// beginning is a hash of the first four bytes of a base name in lower case, by which most names are seen not to
// stand in a message without a search for each.
type beginning uint32

const (
	hashedBeginnings           = 1 << 16
	neverSaid        beginning = hashedBeginnings     // too short a name to be meant
	maybeSaid        beginning = hashedBeginnings + 1 // it has to be searched for
)

func beginningOf(base string) beginning {
	lower := strings.ToLower(base)
	switch {
	case len(base) <= 4:
		return neverSaid
	case len(lower) < 4:
		return maybeSaid
	}
	return hashBeginning(lower)
}

func hashBeginning(s string) beginning {
	n := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
	return beginning(n * 2654435761 >> 16)
}

// beginnings are those of all places of a message.
type beginnings vocab.Set

func beginningsOf(message string) beginnings {
	b := vocab.NewSet(hashedBeginnings + 2)
	b.Add(uint32(maybeSaid))
	for i := range max(0, len(message)-3) {
		b.Add(uint32(hashBeginning(message[i:])))
	}
	return beginnings(b)
}

func (b beginnings) mayHave(n beginning) bool { return vocab.Set(b).Has(uint32(n)) }
