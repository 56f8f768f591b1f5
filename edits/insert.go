package edits

import (
	"fmt"
	"slices"
)

// insert applies a chunk that has only new lines: below its scope lines, at its line number, or at
// the end of the file.
func (r *run) insert(e *Edit, path string, f *file, p *pattern, w where) {
	b := f.body
	key := fmt.Sprintf("%s\x00%d %v %q\x00%s", path, w.line, w.atTop, w.scopes, p.key())
	_, again := r.memory.landed[key]
	if again && len(w.scopes) == 0 {
		r.report.sayTwice(e, path)
		return
	}
	if r.repeated(e, path, f, key) || !r.fits(e, path, f, added(p)) {
		return
	}
	if f.toldTwice(p, p.form(e)) {
		r.report.res.Rungs[RungAlready]++
		r.report.say(e, "it is the same change in another form; %s has it already", path)
		return
	}
	at, by := len(b.lines), "end of file"
	switch n := w.line + b.shift; {
	case len(w.scopes) > 0:
		var ok bool
		at, ok = b.scope(w.scopes, b.cursor)
		for ok && again && b.have(p, at) { // the same again means the next place
			at, ok = b.scope(w.scopes, at)
		}
		switch {
		case !ok && again:
			r.report.sayTwice(e, path)
			return
		case !ok:
			r.report.refuse(e, path, ReasonNoMatch, fmt.Sprintf("the line %q, below which the new lines belong, is not in the file", w.scopes[len(w.scopes)-1]))
			return
		}
		by = "scope"
	case w.line > 0 && n <= len(b.lines):
		at, by = n, tieLine
	case w.atTop && !isBlank(f.before):
		if !r.numbered(f) {
			r.report.refuse(e, path, ReasonAmbiguous, fmt.Sprintf("by its header the hunk is for a file without lines, and %s has some; give the lines above or below the new ones as well", path))
			return
		}
		at, by = 0, tieLine
	}
	s := sure{always: true}
	landed := r.memory.landing(path, b, at, at, s)
	b.put(p, place{from: at, to: at})
	landed()
	r.memory.told(key, s)
	f.forms |= p.form(e)
	b.shift += len(p.lines)
	r.report.res.Rungs[RungExact]++
	r.report.say(e, "added to %s at line %d by %s", path, at+1, by)
}

// have says whether the new lines of a pattern that has no others stand at a line.
func (b *body) have(p *pattern, at int) bool {
	return at+len(p.lines) <= len(b.lines) &&
		slices.EqualFunc(b.lines[at:at+len(p.lines)], p.lines, func(l line, c ChunkLine) bool { return l.text == c.Text })
}

// numbered says whether the line numbers of the hunks of a file are right: there are some hunks with old
// lines, and each stood before the reply where its header says.
func (r *run) numbered(f *file) bool {
	before, right := f.was(), false
	for i := range r.list {
		if r.list[i].Path != r.list[r.at].Path {
			continue
		}
		for _, c := range r.list[i].Chunks {
			p := newPattern(c.Lines, r.in)
			if len(p.old) == 0 {
				continue
			}
			from, to := c.Line-1, c.Line-1+len(p.old)
			if right = c.Line > 0 && to <= len(before.lines) && slices.Equal(before.folded(foldRight)[from:to], p.folded(foldRight)); !right {
				return false
			}
		}
	}
	return right
}
