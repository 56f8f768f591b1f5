package repomap

import (
	"path"
	"slices"
	"strings"
)

const (
	importWords = 300 // distinct words at the head of a file, among which its imports stand
	importedBy  = 0.7 // of a file that imports the chat file, beside one that the chat file imports
)

// importSignal prefers files that a chat file imports, and those that import it. What is imported is
// told without a parser, so in every language: the words of its module's name stand among the first
// words of the file. A module is the file itself or, in Go and for index files, its folder; so files
// of a package that uses another one are near to all of it.
func importSignal(q *scoring) []float64 {
	if len(q.chat) == 0 {
		return nil
	}
	modules := make([][]string, len(q.files()))
	for i, f := range q.files() {
		modules[i] = module(f.path)
	}
	number := q.numbers(modules)
	out := make([]float64, len(q.files()))
	for _, c := range q.chat {
		q.importedFrom(c, modules, number, out)
		q.importersOf(c, modules[c], number, out)
	}
	for i := range out {
		out[i] = min(out[i], 1)
	}
	return out
}

// importedFrom adds to the files that file c imports. A module of many files is less of a hint for
// each of them.
func (q *scoring) importedFrom(c int, modules [][]string, number map[string]uint32, out []float64) {
	here := make(map[uint32]bool, importWords)
	for _, t := range head(q.files()[c]) {
		here[t] = true
	}
	size := map[string]int{}
	var found []int
	for i, m := range modules {
		if i != c && len(m) > 0 && !slices.ContainsFunc(m, func(w string) bool { n, ok := number[w]; return !ok || !here[n] }) {
			size[strings.Join(m, "/")]++
			found = append(found, i)
		}
	}
	for _, i := range found {
		out[i] += 1 / float64(size[strings.Join(modules[i], "/")])
	}
}

// importersOf adds to the files that import file c, whose module is m.
func (q *scoring) importersOf(c int, m []string, number map[string]uint32, out []float64) {
	want := make([]uint32, 0, len(m))
	for _, w := range m {
		n, ok := number[w]
		if !ok {
			return // a word that no file has
		}
		if !slices.Contains(want, n) {
			want = append(want, n)
		}
	}
	if len(want) == 0 {
		return
	}
	q.eachFile(func(i int, f *record) {
		left := len(want)
		for _, t := range head(f) { // each word stands there once
			if slices.Contains(want, t) {
				left--
			}
		}
		if left == 0 && i != c {
			out[i] += importedBy
		}
	})
}

// numbers finds the symbols of the words of modules.
func (q *scoring) numbers(modules [][]string) map[string]uint32 {
	known := map[string]bool{}
	for _, m := range modules {
		for _, w := range m {
			known[w] = true
		}
	}
	out := make(map[string]uint32, len(known))
	for n := range uint32(q.s.names.len()) {
		if w := q.s.names.bytes(n); known[string(w)] {
			out[string(w)] = n
		}
	}
	return out
}

func head(f *record) []uint32 { return f.terms[:min(len(f.terms), importWords)] }

// module gives the words of the name under which a file is imported: its own and its folder's.
func module(p string) []string {
	base, dir := path.Base(p), path.Base(path.Dir(p))
	ext := path.Ext(base)
	base = strings.TrimSuffix(base, ext)
	switch {
	case ext == ".go" || base == "index" || base == "mod" || base == "__init__":
		base = dir
	case dir != "." && dir != "/":
		base = dir + "/" + base
	}
	var out []string
	words([]byte(base), func(start, end int) { out = append(out, base[start:end]) })
	return out
}
