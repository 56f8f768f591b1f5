package edits

import (
	"slices"
	"strings"

	"coauthor/edits/match"
)

// replace applies a SEARCH/REPLACE edit.
func (r *run) replace(e *Edit) {
	p := r.pattern(e.Search, e.Replace)
	if p.Blank() {
		r.fill(e)
		return
	}
	path, f := r.open(e, p, OpUpdate)
	if f == nil {
		return
	}
	// A shorter SEARCH is the beginning of a longer one: the longest that stands in the file says most.
	for _, s := range slices.Backward(e.Splits) {
		q := r.pattern(s.Search, s.Replace)
		if _, _, missed := match.Locate(f.body, q, match.Where{}); missed == nil {
			p = q
			e.Search, e.Replace = s.Search, s.Replace
			r.report.read(e, "a divider line was read as a line of the file")
			break
		}
	}
	r.land(e, path, f, p, match.Where{})
}

// pattern is that of a SEARCH and its REPLACE: what both have is kept, so that the file's own bytes stay there.
func (r *run) pattern(search, replace string) *match.Pattern {
	return match.New(both(match.Lines(search), match.Lines(replace), &r.spare), &r.in)
}

// both puts old and new lines together, with signs that say what stays. Where no work is spared for finding that, all of
// it is replaced.
func both(old, new []string, spare *int) []match.Line {
	var out []match.Line
	at := 0
	add := func(sign byte, list []string) {
		for _, text := range list {
			out = append(out, match.Line{Sign: sign, Text: text})
		}
	}
	for _, s := range diffWithin(old, new, spare) {
		add(' ', old[at:s.a0])
		add('-', old[s.a0:s.a1])
		add('+', new[s.b0:s.b1])
		at = s.a1
	}
	add(' ', old[at:])
	return out
}

// fill applies an edit without old text: it makes a file, or adds to the end of one.
func (r *run) fill(e *Edit) {
	t := r.names.resolve(e.Path)
	if !t.below {
		r.noFile(e, t)
		return
	}
	if t.exists && r.repeatedWhole(e, t.path, r.memory.key) {
		return
	}
	key := t.path + "\x00" + e.Replace
	if t.exists && r.memory.twice(key, 0) {
		r.report.sayTwice(e, t.path)
		return
	}
	if !t.exists {
		r.memory.landed[key] = r.create(e, t.path, e.Replace)
		return
	}
	if e.Replace == "" {
		r.report.refuse(e, t.path, ReasonMalformed, "both sides of the block are empty")
		return
	}
	f := r.tree.get(t.path)
	if f.err != nil {
		r.report.refuse(e, t.path, reasonOf(f.err), f.err.Error())
		return
	}
	if e.Search != "" && !f.body.Blank() {
		r.report.refuse(e, t.path, ReasonMalformed, "the old lines are blank, which says nothing of the place; give lines with something in them, or none to add to the end")
		return
	}
	if !r.allowed(e, t.path, OpUpdate) {
		return
	}
	if r.repeated(e, t.path, f, key) {
		return
	}
	if HasHalf(f.body.String(), e.Replace) {
		r.report.refuse(e, t.path, ReasonExists, "the file is there already and holds much of this text; give the lines to replace")
		return
	}
	new := match.Lines(e.Replace)
	if !r.fits(e, t.path, f, new) {
		return
	}
	s, end := sure{always: true}, len(f.body.Lines())
	landed := r.memory.landing(t.path, f.body, end, end, s)
	f.splice(end, end, new)
	landed()
	r.memory.told(key, s)
	r.report.res.Rungs[match.RungExact]++
	r.report.say(e, "added to the end of %s", t.path)
}

// create makes a file, and says whether it did.
func (r *run) create(e *Edit, path, text string) bool {
	if !r.allowed(e, path, OpCreate) || !r.fits(e, path, nil, match.Lines(text)) {
		return false
	}
	if o := r.doubt(e, path, text); o != nil {
		r.report.refuse(e, path, o.reason, o.message)
		return false
	}
	if placeholder(text) {
		r.report.refuse(e, path, ReasonElision, "the file would hold nothing but words that stand for its content; write the content out")
		return false
	}
	text = lfOnly(text)
	f := r.tree.get(path)
	if f.err != nil {
		r.report.refuse(e, path, reasonOf(f.err), f.err.Error())
		return false
	}
	r.tree.set.add(Change{Path: path, Op: OpCreate, After: text})
	f.load(text, &r.in)
	f.before = text
	f.body.CloseEnd()
	r.memory.landedWhole(path, r.memory.key)
	r.report.res.Rungs[RungCreate]++
	return true
}

// lfOnly gives a text that no file dictates the plain line end.
func lfOnly(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}
