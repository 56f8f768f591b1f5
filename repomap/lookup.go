package repomap

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"strings"

	"coauthor/repomap/record"
	"coauthor/repomap/syntax/tag"
	"coauthor/repomap/vocab"
)

// Definition is a name with a place where it is defined; the lines are from 0.
type Definition struct {
	Name string
	Kind tag.Kind
	Path string
	Line int // the first of it
	Last int
}

// EachPath calls f with the path of every file that the index holds, in order, until it returns false. Whoever keeps
// a path copies it: it lies in memory that may go.
func (x *Index) EachPath(f func(path string) bool) {
	s := x.current()
	defer runtime.KeepAlive(s) // and with it the memory of its records
	for _, r := range s.files {
		if !f(r.Path) {
			return
		}
	}
}

// Defined lists places where a name is defined, in the order of their files, at most so many.
func (x *Index) Defined(name string, most int) []Definition {
	s := x.current()
	defer runtime.KeepAlive(s)
	n, ok := s.names.Find(name)
	if !ok {
		return nil
	}
	return s.definitions(map[uint32]int{n: most}, most)
}

// Beginning lists names that begin so, in any case of letters, each with the first place where it is defined, at most
// so many. It looks once at each name that is in use.
func (x *Index) Beginning(prefix string, most int) []Definition {
	s := x.current()
	defer runtime.KeepAlive(s)
	wanted, begin := map[uint32]int{}, []byte(prefix)
	for n := range uint32(s.names.Len()) {
		if name := s.names.Bytes(n); len(name) >= len(begin) && bytes.EqualFold(name[:len(begin)], begin) {
			wanted[n] = 1
		}
	}
	return s.definitions(wanted, most)
}

// definitions lists where names are defined, of each as many places as left says, and at most so many in all.
func (s *state) definitions(left map[uint32]int, most int) []Definition {
	var list []Definition
	if len(left) == 0 {
		return nil
	}
	for _, r := range s.files {
		for _, d := range r.Defs {
			if left[d.Name] == 0 {
				continue
			}
			if len(list) == most {
				return list
			}
			left[d.Name]--
			list = append(list, Definition{Name: s.names.String(d.Name), Kind: d.Kind.Tag(), Path: strings.Clone(r.Path), Line: int(d.First), Last: int(d.Last)})
		}
	}
	return list
}

// Naming is a file in whose text a name stands.
type Naming struct {
	Path    string
	Times   int   // how often it stands there, up to 255
	Defined []int // first lines of its definitions there, from 0; -1 where the line is not known
	rank    int
}

// Names is what an index holds of the names in its files, at one moment.
type Names struct{ s *state }

// NamesOf is what an index holds now.
func NamesOf(x *Index) Names { return Names{x.current()} }

// Naming lists the files in whose text a name stands as a word, in the order of Rank and then of their paths. complete says
// that the index holds every file.
func (v Names) Naming(name string) (list []Naming, complete bool) {
	s := v.s
	defer runtime.KeepAlive(s)
	complete = s.complete == 1
	defined, ok := s.names.Find(name)
	written := map[string]uint32{}
	vocab.Words([]byte(name), func(start, end int) { clear(written); written[name[start:end]] = 0; written["$"+name[start:end]] = 0 })
	known := map[string]uint32{}
	for word := range written {
		if n, is := s.names.Find(word); is {
			known[word] = n
		}
	}
	if !ok && len(known) == 0 {
		return nil, complete
	}
	for _, r := range s.files {
		one := Naming{}
		for _, n := range known {
			if i := slices.Index(r.Terms, n); i >= 0 {
				one.Times += int(r.Counts[i])
			}
		}
		if ok && (one.Times > 0 || len(known) == 0) {
			one.Defined = r.DefinedAt(defined)
		}
		if one.Times > 0 || len(one.Defined) > 0 {
			one.Path, one.rank = strings.Clone(r.Path), int(r.Class)
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b Naming) int { return cmp.Compare(a.rank, b.rank) }) // the files are in order of their paths
	return list, complete
}

// Outline lists the definitions of a file, outer ones first, and the ID that it had when it was read. ok is false for a file that is not
// indexed, or has more definitions than are kept.
func (v Names) Outline(path string) (list []Definition, id string, ok bool) {
	s := v.s
	defer runtime.KeepAlive(s)
	i, ok := s.find(path)
	if !ok || len(s.files[i].More) > 0 {
		return nil, "", false
	}
	r := s.files[i]
	for _, d := range r.Defs {
		list = append(list, Definition{Name: s.names.String(d.Name), Kind: d.Kind.Tag(), Path: path, Line: int(d.First), Last: int(d.Last)})
	}
	return list, strings.Clone(r.ID), true
}

// Rank orders files by how soon a reader of a project looks at them: its code, its tests, documents and data, and what others
// wrote or a program made. isCode says that the path is that of program text.
func Rank(path string, isCode bool) int { return int(record.Classify(path, isCode)) }
