package repomap

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

const (
	importWords = 300 // distinct words at the head of a file, among which its imports stand
	// Of a file that imports the chat file, beside one that the chat file imports. On 94 requests of the benchmark neither 0.4
	// nor 1 does better by more than the noise.
	importedBy = 0.7
)

// importSignal prefers files that a chat file imports, and those that import it. In some languages it is known which
// these are: see resolver. In the others it is told without a parser: the words of its module's name stand among the first
// words of the file. A module is the file itself or, in Go and for index files, its folder; so files
// of a package that uses another one are near to all of it.
func importSignal(q *scoring) []float64 {
	if len(q.chat) == 0 {
		return nil
	}
	out := make([]float64, len(q.files()))
	for _, c := range q.chat {
		l := q.linked()
		imported, known := l.imported[c]
		for _, t := range imported {
			out[t.file] += t.share
		}
		for _, i := range l.importers[c] {
			out[i] += importedBy
		}
		if known {
			continue
		}
		q.importedFrom(c, out)
		q.importersOf(c, out)
	}
	for i := range out {
		out[i] = min(out[i], 1)
	}
	return out
}

// importedFrom adds to the files that file c imports. A module of many files is less of a hint for
// each of them.
func (q *scoring) importedFrom(c int, out []float64) {
	t := q.s.paths.table()
	here := make([]bool, len(t.words))
	for _, term := range head(q.files()[c]) {
		if n, ok := t.words[string(q.s.names.bytes(term))]; ok {
			here[n] = true
		}
	}
	found := make([]bool, len(out))
	q.eachFile(func(i int, _ *record) {
		n, missing := 0, false
		for _, w := range t.module(i, c) {
			n++
			missing = missing || !here[w]
		}
		found[i] = n > 0 && !missing && i != c
	})
	size := map[module]int{}
	for i := range found {
		if found[i] {
			size[moduleOf(q.files()[i].path)]++
		}
	}
	for i := range found {
		if found[i] {
			out[i] += 1 / float64(size[moduleOf(q.files()[i].path)])
		}
	}
}

// importersOf adds to the files that import file c.
func (q *scoring) importersOf(c int, out []float64) {
	own := q.files()[c].path
	far := q.numbers(moduleOf(own))
	near := q.numbers(moduleOf(own).from(own, path.Dir(own)))
	folders := q.s.paths.table().folders
	q.eachFile(func(i int, f *record) {
		want := far
		if folders[i] == folders[c] {
			want = near
		}
		if len(want) == 0 || f.class == prose || i == c {
			return
		}
		words := head(f)
		for _, w := range want { // the rarest one first, so few files are looked at for the others
			if !slices.Contains(words, w) {
				return
			}
		}
		out[i] += importedBy
	})
}

// numbers gives the symbols of a module's words, those of the fewest files first; none if no file has one of them.
func (q *scoring) numbers(m module) []uint32 {
	var out []uint32
	missing := false
	m.words(func(w string) {
		n, ok := q.s.names.find(w)
		if missing = missing || !ok; !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	if missing {
		return nil
	}
	slices.SortStableFunc(out, func(a, b uint32) int { return cmp.Compare(q.g.df.at(a), q.g.df.at(b)) })
	return out
}

func head(f *record) []uint32 { return f.terms[:min(len(f.terms), importWords)] }

// module is the name under which a file is imported: its folder's and its own. A folder at the root is
// "", and so is the name of a file that stands for its folder.
type module struct{ dir, base string }

func moduleOf(p string) module {
	m := module{dir: path.Base(path.Dir(p)), base: path.Base(p)}
	ext := path.Ext(m.base)
	m.base = strings.TrimSuffix(m.base, ext)
	if m.dir == "." || m.dir == "/" {
		m.dir = ""
	}
	if ext == ".go" || m.base == "index" || m.base == "mod" || m.base == "__init__" {
		m.base = ""
	}
	return m
}

// from is the module of the file at p as files in dir may write it: a neighbour needs no folder.
func (m module) from(p, dir string) module {
	if m.base != "" && path.Dir(p) == dir {
		m.dir = ""
	}
	return m
}

// words calls f for the words of the name.
func (m module) words(f func(w string)) {
	for _, part := range []string{m.dir, m.base} {
		words([]byte(part), func(start, end int) { f(part[start:end]) })
	}
}
