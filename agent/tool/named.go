package tool

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// naming is a file in whose text a name stands.
type naming struct {
	path    string
	rank    int
	defines bool  // as far as is known without its text
	lines   []int // first lines of its definitions, from 0, as far as they are known
	times   int   // the name stands there
	text    *string
}

// namings are the files in which a name stands. complete says that none is missing: what is in no index yet was looked
// through until time was over.
type namings struct {
	l        *looking
	name     string
	word     *regexp.Regexp
	files    []naming
	complete bool
}

// named finds the files in which a name stands, by the index; the text of this turn is looked at itself.
func (l *looking) named(name string) (namings, error) {
	word, err := regexp.Compile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_])`)
	if err != nil || name == "" {
		return namings{}, refuse("%q is no name.", shorten(name, 60))
	}
	n := namings{l: l, name: name, word: word, complete: true}
	var list []repomap.Naming
	indexed := false
	if l.o.Names != nil {
		list, indexed = l.o.Names.Naming(l.ctx, name)
	}
	held := l.scope.held()
	may := l.o.Door.Lister(l.ctx)
	known := map[string]bool{}
	for _, f := range list {
		known[f.Path] = true
		if !held[f.Path] && may(f.Path) {
			n.files = append(n.files, naming{path: f.Path, defines: len(f.Defined) > 0, lines: f.Defined, times: f.Times, rank: repomap.Rank(f.Path, syntax.Code(f.Path))})
		}
	}
	rest := []string{}
	for f := range held {
		if may(f) && l.scope.snapshot.Exists(f) {
			rest = append(rest, f)
		}
	}
	if !indexed {
		files, err := l.scope.listing()
		if err != nil {
			return n, err
		}
		rest = slices.DeleteFunc(slices.Clone(files), func(f string) bool { return known[f] && !held[f] })
	}
	hits, read, err := l.scope.scan(rest, word, time.Now().Add(l.o.Patience))
	if err != nil {
		return n, err
	}
	n.complete = read == len(rest)
	for _, h := range hits {
		code := syntax.Code(h.path)
		n.files = append(n.files, naming{path: h.path, defines: code, times: len(h.lines), text: &h.text, rank: repomap.Rank(h.path, code)})
	}
	slices.SortStableFunc(n.files, func(a, b naming) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.path, b.path))
	})
	return n, l.ctx.Err()
}

// allowed leaves out files that may not be sent. It asks for all of them at once: each question may be one to git.
func (n *namings) allowed(files []naming) []naming {
	var paths []string
	for _, f := range files {
		if f.text == nil { // scan has asked for the others
			paths = append(paths, f.path)
		}
	}
	bad := n.l.scope.without(paths)
	return slices.DeleteFunc(slices.Clone(files), func(f naming) bool { return bad[f.path] })
}

// open gives the text of a file, unless it cannot be read.
func (n *namings) open(f naming) (text string, ok bool) {
	if f.text != nil {
		return *f.text, true
	}
	text, err := n.l.scope.text(f.path)
	return text, err == nil && len(text) <= mostSearch
}

// defines are the definitions in a file. The index spares parsing it.
func (l *looking) defines(f naming, lines []string, text string) []tag.Tag {
	if f.text == nil && l.o.Names != nil {
		if list, ok := l.o.Names.Outline(f.path); ok {
			tags := make([]tag.Tag, len(list))
			for i, d := range list {
				tags[i] = tag.Tag{Name: d.Name, Kind: d.Kind, Def: true, First: d.Line, Last: d.Last, Line: d.Line}
				for n := d.Line; n <= d.Last && n < len(lines); n++ { // behind what decorates it
					if has(lines[n], d.Name) {
						tags[i].Line = n
						break
					}
				}
			}
			return tags
		}
	}
	tags, err := l.o.Tags(l.ctx, f.path, []byte(text))
	if err != nil {
		return nil // a file that cannot be parsed has none
	}
	return slices.DeleteFunc(slices.Clone(tags), func(t tag.Tag) bool { return !t.Def })
}

// enclosing is the innermost definition around a line, counted from 0.
func enclosing(tags []tag.Tag, line int) (best tag.Tag, ok bool) {
	for _, t := range tags {
		if t.First <= line && line <= t.Last && (!ok || t.Last-t.First <= best.Last-best.First) {
			best, ok = t, true
		}
	}
	return best, ok
}

// missing says that files are missing.
func (n *namings) missing() {
	if n.complete {
		return
	}
	n.l.r.Limited = true
	if n.l.o.Names == nil {
		n.l.page.end += " There may be more, since time ran out: search in a folder finds all of it."
		return
	}
	n.l.page.end += " There may be more, since the files are still being indexed: make the call again later."
}

// qualified takes a name apart: of Type.method the name is method.
func qualified(raw string) (of, name string) {
	name = strings.TrimSuffix(strings.TrimSpace(raw), "()")
	if i := strings.LastIndexAny(name, ".:#"); i >= 0 && i+1 < len(name) {
		of, name = strings.TrimRight(name[:i], ".:#"), name[i+1:]
		of = strings.Trim(of[strings.LastIndexAny(of, ".:#")+1:], "(*&)")
	}
	return of, name
}
