package repomap

import (
	"path"
	"slices"
	"strings"

	"coauthor/repomap/syntax/tag"
)

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

// linked resolves imports when it is first asked.
func (q *scoring) linked() *linkage {
	if q.links != nil {
		return q.links
	}
	l := &linkage{imported: map[int][]share{}, importers: map[int][]int{}}
	q.links = l
	if !slices.ContainsFunc(q.chat, func(c int) bool { return languageOf(q.files()[c].path) != otherLanguage }) {
		return l
	}
	v := newResolver(q.s)
	for _, c := range q.chat {
		file := q.files()[c].path
		if !v.knows(file) {
			continue
		}
		if languageOf(file) == javaLanguage {
			v.javaRoots() // before files are looked at beside each other
		}
		l.imported[c] = v.imported(c)
		l.importers[c] = q.importers(v, c)
	}
	return l
}

// ofReceiver says that a name is only known behind a value of its type, of which imports say nothing.
func (d definition) ofReceiver() bool { return d.kind.tag() == tag.Method || d.kind.tag() == tag.Field }

// imported lists the files that file c imports, each once.
func (v *resolver) imported(c int) []share {
	best := map[int]float64{}
	for name := range strings.SplitSeq(v.s.files[c].imports(), "\n") {
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
	switch path.Base(v.s.files[list[0]].path) {
	case "__init__.py", "lib.rs", "mod.rs":
		for inner := range strings.SplitSeq(v.s.files[list[0]].imports(), "\n") {
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
func (q *scoring) importers(v *resolver, c int) []int {
	file := q.files()[c].path
	l := languageOf(file)
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
	if l == goLanguage {
		exact = v.goPath(file)
	}
	q.eachFile(func(i int, f *record) {
		says := f.imports()
		if i == c || says == "" || languageOf(f.path) != l {
			return
		}
		for name := range strings.SplitSeq(says, "\n") {
			switch {
			case exact != "":
				found[i] = found[i] || name == exact
			case strings.Contains(name, key) || l == javaLanguage && strings.HasSuffix(name, ".*") || l == rustLanguage && strings.HasPrefix(name, "super::"):
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
	for _, m := range v.manifests[goLanguage] { // the deepest first
		if rest, ok := strings.CutPrefix(dir, m.dir); ok {
			return strings.TrimSuffix(m.says[0]+"/"+rest, "/")
		}
	}
	return ""
}
