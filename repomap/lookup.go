package repomap

import (
	"bytes"
	"runtime"
	"strings"

	"coauthor/repomap/syntax/tag"
)

// Definition is a name with a place where it is defined; the line is from 0.
type Definition struct {
	Name string
	Kind tag.Kind
	Path string
	Line int
}

// EachPath calls f with the path of every file that the index holds, in order, until it returns false. Whoever keeps
// a path copies it: it lies in memory that may go.
func (x *Index) EachPath(f func(path string) bool) {
	s := x.current()
	defer runtime.KeepAlive(s) // and with it the memory of its records
	for _, r := range s.files {
		if !f(r.path) {
			return
		}
	}
}

// Defined lists places where a name is defined, in the order of their files, at most so many.
func (x *Index) Defined(name string, most int) []Definition {
	s := x.current()
	defer runtime.KeepAlive(s)
	n, ok := s.names.find(name)
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
	for n := range uint32(s.names.len()) {
		if name := s.names.bytes(n); len(name) >= len(begin) && bytes.EqualFold(name[:len(begin)], begin) {
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
		for _, d := range r.defs {
			if left[d.name] == 0 {
				continue
			}
			if len(list) == most {
				return list
			}
			left[d.name]--
			list = append(list, Definition{Name: s.names.string(d.name), Kind: d.kind.tag(), Path: strings.Clone(r.path), Line: int(d.first)})
		}
	}
	return list
}
