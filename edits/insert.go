package edits

import (
	"fmt"
	"slices"

	"coauthor/edits/match"
)

// insert applies a chunk that has only new lines: below its scope lines, at its line number, or at
// the end of the file.
func (r *run) insert(e *Edit, path string, f *file, p *match.Pattern, w match.Where, top bool) {
	b, new := f.body, p.Signed('+')
	key := fmt.Sprintf("%s\x00%d %v %q\x00%s", path, w.Line, top, w.Scopes, p.Key())
	_, again := r.memory.landed[key]
	if again && len(w.Scopes) == 0 {
		r.report.sayTwice(e, path)
		return
	}
	if r.repeated(e, path, f, key) || !r.fits(e, path, f, new) {
		return
	}
	if f.toldTwice(p, formOf(e, p)) {
		r.report.res.Rungs[RungAlready]++
		r.report.say(e, "it is the same change in another form; %s has it already", path)
		return
	}
	at, by := len(b.Lines()), match.TieEnd
	switch n := w.Line + f.shift; {
	case len(w.Scopes) > 0:
		var ok bool
		at, ok = b.Below(w.Scopes, f.cursor)
		for ok && again && standAt(b, new, at) { // the same again means the next place
			at, ok = b.Below(w.Scopes, at)
		}
		switch {
		case !ok && again:
			r.report.sayTwice(e, path)
			return
		case !ok:
			r.report.refuse(e, path, ReasonNoMatch, fmt.Sprintf("the line %q, below which the new lines belong, is not in the file", w.Scopes[len(w.Scopes)-1]))
			return
		}
		by = match.TieScope
	case w.Line > 0 && n <= len(b.Lines()):
		at, by = n, match.TieLine
	case top && !match.IsBlank(f.before):
		if !r.numbered(f) {
			r.report.refuse(e, path, ReasonAmbiguous, fmt.Sprintf("by its header the hunk is for a file without lines, and %s has some; give the lines above or below the new ones as well", path))
			return
		}
		at, by = 0, match.TieLine
	}
	s := sure{always: true}
	landed := r.memory.landing(path, b, at, at, s)
	f.splice(at, at, new)
	landed()
	r.memory.told(key, s)
	f.forms |= formOf(e, p)
	f.shift += len(new)
	r.report.res.Rungs[match.RungExact]++
	r.report.say(e, "added to %s at line %d by %s", path, at+1, by)
}

// standAt says whether lines stand at one of the file.
func standAt(b *match.Text, lines []string, at int) bool {
	return at+len(lines) <= len(b.Lines()) && slices.Equal(b.Lines()[at:at+len(lines)], lines)
}

// numbered says whether the line numbers of the hunks of a file are right: there are some hunks with old
// lines, and each stood before the reply where its header says.
func (r *run) numbered(f *file) bool {
	before, right := f.was(&r.in), false
	for i := range r.list {
		if r.list[i].Path != r.list[r.at].Path {
			continue
		}
		for _, c := range r.list[i].Chunks {
			p := match.New(c.Lines, &r.in)
			if p.Len() == 0 {
				continue
			}
			if right = before.StandsAt(p, c.Line); !right {
				return false
			}
		}
	}
	return right
}
