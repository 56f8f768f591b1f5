package edits

import (
	"maps"
	"slices"
	"strings"

	"coauthor/edits/match"
	"coauthor/edits/name"
)

// whole replaces a file by its new text, or makes it.
func (r *run) whole(e *Edit) {
	list := match.Lines(e.Replace)
	t := r.names.resolve(e.Path)
	if !t.below {
		r.noFile(e, t)
		return
	}
	if !t.exists {
		r.create(e, t.path, e.Replace)
		return
	}
	f := r.tree.get(t.path)
	if f.err != nil {
		r.report.refuse(e, t.path, reasonOf(f.err), f.err.Error())
		return
	}
	if !r.allowed(e, t.path, OpUpdate) || r.repeatedWhole(e, t.path, r.memory.key) {
		return
	}
	list = r.unnamed(e, t.path, list, f.body)
	if bare, ok := unnumberedListing(f.body.String(), list); ok && e.Listing {
		list = bare
		r.report.read(e, "line numbers inside the listing were taken off")
	}
	l := &listing{r: r, e: e, path: t.path, f: f, list: list}
	if l.vetoed() {
		return
	}
	f.edited = f.edited || len(l.spans()) > 0
	rewrite(f.body, list, l.spans())
	f.cursor = 0
	r.memory.landedWhole(t.path, r.memory.key)
	r.report.res.Listed = append(r.report.res.Listed, t.path)
	f.forms |= asWhole
	r.report.res.Rungs[RungWhole]++
}

// unnamed drops a first line that is only a comment with the file's name, which the file did not have, and the
// blank line below it.
func (r *run) unnamed(e *Edit, file string, new []string, b *match.Text) []string {
	if !e.Listing || len(new) == 0 {
		return new
	}
	if _, named := name.Comment(new[0], func(path string) bool { return path == file }); !named {
		return new
	}
	if slices.ContainsFunc(b.Lines(), func(text string) bool { return match.Trim(text) == match.Trim(new[0]) }) {
		return new
	}
	r.report.read(e, "the first line only names %s and was left out", file)
	new = new[1:]
	if len(new) > 0 && match.IsBlank(new[0]) && (len(b.Lines()) == 0 || !match.IsBlank(b.Lines()[0])) {
		new = new[1:]
	}
	return new
}

// rewrite gives a file other lines, where they differ from its own. Those that were there before keep their bytes.
func rewrite(b *match.Text, next []string, spans []span) {
	for _, s := range slices.Backward(spans) {
		b.Splice(s.a0, s.a1, next[s.b0:s.b1])
	}
}

// remove deletes a file.
func (r *run) remove(e *Edit) {
	if t := r.names.resolve(e.Path); t.below && !t.exists && r.repeatedWhole(e, t.path, r.memory.key) {
		return
	}
	path, f := r.open(e, nil, OpDelete)
	if f == nil {
		return
	}
	r.memory.landedWhole(path, r.memory.key)
	r.tree.note(path)
	r.tree.set.add(Change{Path: path, Op: OpDelete, Before: f.before})
	f.body = nil
	r.report.res.Rungs[RungDelete]++
}

// hunks applies the chunks of one edit, each for itself but in order.
func (r *run) hunks(e *Edit, i int) {
	if len(e.Chunks) == 0 {
		r.report.refuse(e, e.Path, ReasonMalformed, "the edit holds no change")
		return
	}
	r.otherName(e)
	if t := r.names.resolve(e.Path); t.below && !t.exists && r.queue.makes(i) {
		r.create(e, t.path, e.Chunks[0].added())
		return
	}
	p := match.Hunk(e.Chunks[0].Lines, &r.in)
	path, f := r.open(e, p, OpUpdate)
	if f == nil {
		return
	}
	for k, c := range e.Chunks {
		if k > 0 {
			p = match.Hunk(c.Lines, &r.in)
		}
		if r.o.Remember || len(r.memory.earlier) > 0 {
			r.memory.key = c.key()
		}
		p.Ends = c.Ends
		w := match.Where{Ordered: true, Scopes: c.Scopes, Line: c.Line, AtEnd: c.AtEnd, Later: r.queue.later(i, k)}
		if p.Len() == 0 {
			r.insert(e, path, f, p, w, c.AtTop)
			continue
		}
		if !p.Changes() {
			continue
		}
		r.land(e, path, f, p, w)
	}
}

// hunkQueue reads the hunks of a reply before their turn.
type hunkQueue struct {
	in    *match.Table
	list  []Edit
	known map[*Chunk]*match.Pattern // those that were looked at
}

// makes says whether a hunk is all of a file that is to be made: by its header no line stood before it, it takes nothing
// away, and no other hunk of the file follows.
func (h *hunkQueue) makes(i int) bool {
	e := &h.list[i]
	if len(e.Chunks) != 1 || !e.Chunks[0].AtTop || len(e.Chunks[0].Scopes) > 0 || i+1 < len(h.list) && h.list[i+1].Kind == KindHunk && h.list[i+1].Path == e.Path {
		return false
	}
	return !slices.ContainsFunc(e.Chunks[0].Lines, func(l match.Line) bool { return l.Sign != '+' })
}

// added is the text of the new lines of a chunk.
func (c Chunk) added() string {
	var b strings.Builder
	for _, l := range c.Lines {
		if l.Sign == '+' {
			b.WriteString(l.Text)
			if !l.Open {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// otherName chooses between the two names that a diff gives a file. When only the old one is a file,
// it is the one that is meant, and moves if the format says so.
func (r *run) otherName(e *Edit) {
	to := r.names.resolve(e.Path)
	if e.From == "" || to.exists {
		return
	}
	from := r.names.resolve(e.From)
	if !from.exists {
		return
	}
	if e.To != "" && to.below && r.allowed(e, from.path, OpRename) && r.allowed(e, to.path, OpCreate) {
		r.tree.move(from.path, to.path)
		r.report.res.Rungs[RungRename]++
		return
	}
	e.Path = from.path
}

// move renames a file that is known to be there, to a name that is free.
func (t *tree) move(path, to string) {
	f := t.get(path)
	t.note(path)
	if f.body == nil {
		return
	}
	t.set.add(Change{Path: path, Op: OpRename, To: to, Before: f.before, After: f.before})
	t.texts[path] = &file{}
	if t.texts[to] == nil {
		t.order = append(t.order, to)
	}
	t.texts[to] = f
}

// later returns the patterns of the hunks of the same file that follow, one by one. A refused hunk is looked at again behind all
// others, so each has its own.
func (h *hunkQueue) later(i, k int) func(n int) *match.Pattern {
	var follow []*match.Pattern
	return func(n int) *match.Pattern {
		for n >= len(follow) {
			k++
			for k >= len(h.list[i].Chunks) {
				i, k = i+1, 0
				if i >= len(h.list) || h.list[i].Kind != KindHunk || h.list[i].Path != h.list[i-1].Path {
					i-- // stay at the last one
					k = len(h.list[i].Chunks)
					return nil
				}
			}
			c := &h.list[i].Chunks[k]
			p := h.known[c]
			if p == nil {
				p = match.New(c.Lines, h.in)
				if h.known == nil {
					h.known = map[*Chunk]*match.Pattern{}
				}
				h.known[c] = p
			}
			follow = append(follow, p)
		}
		return follow[n]
	}
}

// rename moves a file, with its chunks applied. It is all or nothing.
func (r *run) rename(e *Edit, i int) {
	key := r.memory.key
	if from := r.names.resolve(e.Path); from.below && !from.exists && r.repeatedWhole(e, from.path, key) {
		return
	}
	path, f := r.open(e, nil, OpRename)
	if f == nil {
		return
	}
	moved := r.names.resolve(e.To)
	to := moved.path
	switch {
	case !moved.below:
		r.report.refuse(e, path, ReasonNoFile, to+" is no path below the root of the project; give one relative to the root")
		return
	case moved.exists:
		r.report.refuse(e, path, ReasonExists, to+" is there already")
		return
	}
	if !r.allowed(e, to, OpCreate) {
		return
	}
	r.tree.note(path)
	failures, landings := len(r.report.res.Failures), len(r.memory.list)
	landed, earlier, forms := maps.Clone(r.memory.landed), slices.Clone(r.memory.earlier), f.forms
	first, last := f.body.Selected()
	if len(e.Chunks) > 0 {
		r.hunks(e, i)
	}
	if len(r.report.res.Failures) > failures {
		f.load(f.before, &r.in) // what was placed is taken back
		r.memory.list = r.memory.list[:landings]
		r.memory.landed, r.memory.earlier, f.forms = landed, earlier, forms
		f.edited = true
		f.body.Select(first, last)
		return
	}
	r.memory.landedWhole(path, key)
	r.tree.move(path, to)
	r.report.res.Rungs[RungRename]++
}
