package repomap

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"coauthor/repomap/imports"
	"coauthor/repomap/record"
	"coauthor/repomap/vocab"
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
		l := linkageOf(q)
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
		importedFrom(q, c, out)
		importersOf(q, c, out)
	}
	for i := range out {
		out[i] = min(out[i], 1)
	}
	return out
}

// importedFrom adds to the files that file c imports. A module of many files is less of a hint for
// each of them.
func importedFrom(q *scoring, c int, out []float64) {
	t := q.s.paths.table()
	here := make([]bool, len(t.words))
	for _, term := range head(q.files()[c]) {
		if n, ok := t.words[string(q.s.names.Bytes(term))]; ok {
			here[n] = true
		}
	}
	found := make([]bool, len(out))
	q.eachFile(func(i int, _ *record.Record) {
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
			size[moduleOf(q.files()[i].Path)]++
		}
	}
	for i := range found {
		if found[i] {
			out[i] += 1 / float64(size[moduleOf(q.files()[i].Path)])
		}
	}
}

// importersOf adds to the files that import file c.
func importersOf(q *scoring, c int, out []float64) {
	own := q.files()[c].Path
	far := numbers(q, moduleOf(own))
	near := numbers(q, moduleOf(own).from(own, path.Dir(own)))
	folders := q.s.paths.table().folders
	q.eachFile(func(i int, f *record.Record) {
		want := far
		if folders[i] == folders[c] {
			want = near
		}
		if len(want) == 0 || f.Class == record.Prose || i == c {
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
func numbers(q *scoring, m module) []uint32 {
	var out []uint32
	missing := false
	m.words(func(w string) {
		n, ok := q.s.names.Find(w)
		if missing = missing || !ok; !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	if missing {
		return nil
	}
	slices.SortStableFunc(out, func(a, b uint32) int { return cmp.Compare(q.g.df.At(a), q.g.df.At(b)) })
	return out
}

func head(f *record.Record) []uint32 { return f.Terms[:min(len(f.Terms), importWords)] }

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
		vocab.Words([]byte(part), func(start, end int) { f(part[start:end]) })
	}
}

// linkage is what imports say for certain about the chat files.
type linkage struct {
	imported  map[int][]share // chat file -> the files that it imports; those have none of whose language that is not known
	importers map[int][]int   // chat file -> the files that import it
}

// share is one of the files of a module; one of many is less of a hint.
type share struct {
	file  int
	share float64
}

// linkageOf resolves imports when it is first asked.
func linkageOf(q *scoring) *linkage {
	if q.links != nil {
		return q.links
	}
	l := &linkage{imported: map[int][]share{}, importers: map[int][]int{}}
	q.links = l
	if !slices.ContainsFunc(q.chat, func(c int) bool { return imports.LanguageOf(q.files()[c].Path) != imports.Other }) {
		return l
	}
	v := newResolver(q.s)
	for _, c := range q.chat {
		file := q.files()[c].Path
		if !v.knows(file) {
			continue
		}
		if imports.LanguageOf(file) == imports.Java {
			v.javaRoots() // before files are looked at beside each other
		}
		l.imported[c] = v.imported(c)
		l.importers[c] = importers(q, v, c)
	}
	return l
}

// imported lists the files that file c imports, each once.
func (v *resolver) imported(c int) []share {
	best := map[int]float64{}
	for name := range strings.SplitSeq(v.s.files[c].Imports(), "\n") {
		list := v.meant(c, name, 3)
		for _, i := range list {
			if i != c {
				best[i] = max(best[i], 1/float64(len(list)))
			}
		}
	}
	out := make([]share, 0, len(best))
	for i, s := range best {
		out = append(out, share{i, s})
	}
	slices.SortFunc(out, func(a, b share) int { return a.file - b.file })
	return out
}

// meant are the targets of a name, and what those hand on that only collect what others define.
func (v *resolver) meant(from int, name string, hops int) []int {
	list := v.targets(from, name)
	if len(list) != 1 || hops == 0 || list[0] == from {
		return list
	}
	last := lastOf(name)
	switch path.Base(v.s.files[list[0]].Path) {
	case "__init__.py", "lib.rs", "mod.rs":
		for inner := range strings.SplitSeq(v.s.files[list[0]].Imports(), "\n") {
			if lastOf(inner) != last {
				continue
			}
			for _, i := range v.meant(list[0], inner, hops-1) {
				if !slices.Contains(list, i) {
					return []int{i} // the one that defines it
				}
			}
		}
	}
	return list
}

// lastOf is the last name of a path of names.
func lastOf(name string) string { return name[strings.LastIndexAny(name, ".:/")+1:] }

// importers lists the files that import file c. Only names that have the last part of how it is called are resolved, and
// those that may mean it without.
func importers(q *scoring, v *resolver, c int) []int {
	file := q.files()[c].Path
	l := imports.LanguageOf(file)
	m := moduleOf(file)
	key := m.base
	switch {
	case path.Base(file) == "lib.rs" || path.Base(file) == "main.rs":
		key = "" // crates and their roots have many names
	case key == "":
		key = m.dir
	}
	found := make([]bool, len(q.files()))
	exact := ""
	if l == imports.Go {
		exact = v.goPath(file)
	}
	q.eachFile(func(i int, f *record.Record) {
		says := f.Imports()
		if i == c || says == "" || imports.LanguageOf(f.Path) != l {
			return
		}
		for name := range strings.SplitSeq(says, "\n") {
			switch {
			case exact != "":
				found[i] = found[i] || name == exact
			case strings.Contains(name, key) || l == imports.Java && strings.HasSuffix(name, ".*") || l == imports.Rust && strings.HasPrefix(name, "super::"):
				found[i] = found[i] || slices.Contains(v.targets(i, name), c)
			}
		}
	})
	var out []int
	for i, ok := range found {
		if ok {
			out = append(out, i)
		}
	}
	return out
}

// goPath is how the package of a file of Go is imported.
func (v *resolver) goPath(file string) string {
	dir := dirOf(file)
	for _, m := range v.manifests[imports.Go] { // the deepest first
		if rest, ok := strings.CutPrefix(dir, m.dir); ok {
			return strings.TrimSuffix(m.says[0]+"/"+rest, "/")
		}
	}
	return ""
}
