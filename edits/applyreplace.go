package edits

import (
	"fmt"
	"slices"
	"strings"
)

// replace applies a SEARCH/REPLACE edit.
func (r *run) replace(e *Edit) {
	p := newPattern(replacePattern(e.Search, e.Replace, &r.in.spare), r.in)
	if p.blank() {
		r.fill(e)
		return
	}
	path, f := r.open(e, p, OpUpdate)
	if f == nil {
		return
	}
	// A shorter SEARCH is the beginning of a longer one: the longest that stands in the file says most.
	for _, s := range slices.Backward(e.Splits) {
		q := newPattern(replacePattern(s.Search, s.Replace, &r.in.spare), r.in)
		if _, missed := f.body.locate(q, where{}, ladder); missed == nil {
			p = q
			e.Search, e.Replace = s.Search, s.Replace
			r.say(e, "a divider line was read as a line of the file")
			break
		}
	}
	if strayDivider(texts(e.Search), texts(e.Replace)) {
		r.refuse(e, path, ReasonMalformed, "the new lines hold a divider line; write the block again with one divider")
		return
	}
	r.land(e, path, f, p, where{pair: r.pair})
}

// pair gives each of several equal blocks its place where they are as many as the places: the first the
// first, and so on. What the earlier ones made may hold the old text again, but stands before the rest.
func (r *run) pair(n int) (int, bool) {
	if r.equals == nil {
		r.equals = map[block]*equals{}
		for i := range r.list {
			b := blockOf(&r.list[i])
			if r.equals[b] == nil {
				r.equals[b] = &equals{}
			}
			r.equals[b].at = append(r.equals[b].at, i)
		}
	}
	q := r.equals[blockOf(&r.list[r.at])]
	done, _ := slices.BinarySearch(q.at, r.at)
	left := len(q.at) - done
	if len(q.at) < 2 || left > n || done == 0 && left != n || done > 0 && !q.paired {
		return 0, false
	}
	q.paired = true
	return n - left, true
}

// block is what makes two blocks of a reply equal.
type block struct {
	kind                  Kind
	path, search, replace string
}

func blockOf(e *Edit) block { return block{e.Kind, tidy(e.Path), e.Search, e.Replace} }

// equals are the edits of a reply that are equal, by their index, and whether each has its own place.
type equals struct {
	at     []int
	paired bool
}

// strayDivider says whether the new lines hold a marker that the old ones do not have and that is no
// underline of a heading: it would end up in the file.
func strayDivider(search, replace []string) bool {
	const divider = "======="
	if slices.Contains(search, divider) {
		return false
	}
	for i, text := range replace {
		if text != divider {
			continue
		}
		if i == 0 || isBlank(replace[i-1]) || indentOf(replace[i-1]) != "" || len(replace[i-1]) > len(divider) {
			return true
		}
	}
	return false
}

// land finds the place of a pattern and applies it there.
func (r *run) land(e *Edit, path string, f *file, p *pattern, w where) {
	b := f.body
	key := path + "\x00" + p.key()
	if r.twice(key, w.line) {
		r.sayTwice(e, path)
		return
	}
	if r.repeated(e, path, f, key) {
		return
	}
	form := p.form(e)
	if f.toldTwice(p, form) {
		r.res.Rungs[RungAlready]++
		r.say(e, "it is the same change in another form; %s has it already", path)
		return
	}
	p, pl, missed := b.locateAny(p, w)
	if missed == nil && pl.rung != RungExact && pl.rung != RungTrailing && e.Kind == KindReplace {
		if q, found, ok := b.signed(e, w); ok {
			p, pl = q, found
			r.say(e, "%s", signsTaken)
		}
	}
	if missed != nil && missed.reason == ReasonNoMatch {
		if q, found, note := r.reread(f, e, p, w); found != nil {
			p, pl, missed = q, *found, nil
			r.say(e, "%s", note)
		}
	}
	complete := true
	if missed != nil && missed.reason == ReasonNoMatch {
		var places []place
		if places, complete = findSimilar(b, p, w); len(places) == 1 {
			pl, missed = places[0], nil
		} else if r.had(f, p) || e.Kind == KindReplace && r.made[path+"\x00"+p.result()] && b.already(p) {
			r.res.Rungs[RungAlready]++
			r.say(e, "%s has it already", path)
			return
		}
	}
	if missed != nil {
		r.missed(e, path, f, p, missed, complete)
		return
	}
	if e.Kind == KindReplace && pl.rung != RungExact && pl.rung != RungTrailing && b.within(p, pl) {
		r.res.Rungs[RungAlready]++
		r.say(e, "%s has it already", path)
		return
	}
	if pl.rung == RungUnicode || pl.rung == RungSimilar {
		p, pl = b.mapped(p, pl)
	}
	if pl.own {
		p = p.asFile(b, pl)
	}
	if r.marked(e, path, f, added(p)) {
		return
	}
	if pl.rung == RungElision && p.spells() {
		p, pl = p.writtenOut(b, pl)
	}
	o, some := omitted(p.lines, b.lines)
	if o.lost {
		r.refuse(e, path, ReasonElision, fmt.Sprintf("%q stands for code that is there now; write the code out", o.text))
		return
	}
	if b.parts(p, pl) {
		if q, tail, ok := b.belowTail(p, pl); ok {
			p, pl = q, tail
		}
	}
	if b.parts(p, pl) {
		r.refuse(e, path, ReasonAmbiguous, fmt.Sprintf("below line %d the new lines would stand between the head of a block and its body; give the lines after them as well", pl.to))
		return
	}
	for _, l := range p.lines {
		if l.Sign != '-' {
			continue
		}
		if name, ok := saidIn(l.Text); ok && !p.adds(name) {
			r.droppers[dropKey(path, name)] = e.Index
		}
	}
	if some && removes(p.lines) {
		r.say(e, maybeOmitted, o.text, path)
	}
	n := len(b.lines)
	s := sure{always: pl.tie == "" || pl.tie == tieSelection}
	if pl.tie == tieLine {
		s.line = w.line
	}
	landed := r.landing(path, b, pl.from, pl.to, s)
	b.lastEnd(p, pl)
	end := b.put(p, pl)
	landed()
	f.forms |= form
	r.told(key, s)
	if result := p.result(); e.Kind == KindReplace && result != "" {
		r.made[path+"\x00"+result] = true
	}
	if w.ordered {
		b.cursor = end
	}
	b.shift += len(b.lines) - n
	r.res.Rungs[pl.rung]++
	if pl.rung != RungExact || pl.tie != "" {
		tie := ""
		if pl.tie != "" {
			tie = ", chosen by " + pl.tie
		}
		r.say(e, "placed in %s at line %d by %s%s", path, pl.from+1, pl.rung, tie)
	}
}

func added(p *pattern) []string {
	var out []string
	for _, l := range p.lines {
		if l.Sign == '+' {
			out = append(out, l.Text)
		}
	}
	return out
}

func removes(lines []ChunkLine) bool {
	for _, l := range lines {
		if l.Sign == '-' && !isBlank(l.Text) {
			return true
		}
	}
	return false
}

// adds says whether the new lines define a name.
func (p *pattern) adds(name string) bool {
	for _, l := range p.lines {
		if l.Sign == '+' {
			if have, ok := saidIn(l.Text); ok && have == name {
				return true
			}
		}
	}
	return false
}

// fill applies an edit without old text: it makes a file, or adds to the end of one.
func (r *run) fill(e *Edit) {
	t := r.resolve(e.Path)
	if e.Path == "" {
		r.refuse(e, "", ReasonNoName, "no file name was given; put the path on a line of its own before the block")
		return
	}
	if t.exists && r.repeatedWhole(e, t.path, r.key) {
		return
	}
	key := t.path + "\x00" + e.Replace
	if t.exists && r.twice(key, 0) {
		r.sayTwice(e, t.path)
		return
	}
	if !t.exists || !t.sure {
		path := spellings(tidy(e.Path))[0]
		r.landed[path+"\x00"+e.Replace] = r.create(e, path, e.Replace)
		return
	}
	if e.Replace == "" {
		r.refuse(e, t.path, ReasonMalformed, "both sides of the block are empty")
		return
	}
	f := r.get(t.path)
	if f.err != nil {
		r.refuse(e, t.path, reasonOf(f.err), f.err.Error())
		return
	}
	if !r.allowed(e, t.path, OpUpdate) {
		return
	}
	if r.repeated(e, t.path, f, key) {
		return
	}
	new, _ := cutLines(e.Replace)
	if shared(new, f.body.lines) >= 0.5 {
		r.refuse(e, t.path, ReasonExists, "the file is there already and holds much of this text; give the lines to replace")
		return
	}
	if r.marked(e, t.path, f, texts(e.Replace)) {
		return
	}
	b := f.body
	with := make([]line, len(new))
	for i, l := range new {
		with[i] = line{l.text, b.eol}
	}
	s := sure{always: true}
	landed := r.landing(t.path, b, len(b.lines), len(b.lines), s)
	b.replace(len(b.lines), len(b.lines), with)
	landed()
	r.told(key, s)
	r.res.Rungs[RungExact]++
	r.say(e, "added to the end of %s", t.path)
}

// shared is how much of the lines with something in them is also in the file.
func shared(file, lines []line) float64 {
	have := map[string]bool{}
	for _, l := range file {
		have[foldTrim.apply(l.text)] = true
	}
	n, in := 0, 0
	for _, l := range lines {
		if text := foldTrim.apply(l.text); text != "" {
			n++
			if have[text] {
				in++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return float64(in) / float64(n)
}

// create makes a file, and says whether it did.
func (r *run) create(e *Edit, path, text string) bool {
	if !r.allowed(e, path, OpCreate) || r.marked(e, path, nil, texts(text)) {
		return false
	}
	if placeholder(text) {
		r.refuse(e, path, ReasonElision, "the file would hold nothing but words that stand for its content; write the content out")
		return false
	}
	text = lfOnly(text)
	f := r.get(path)
	if f.err != nil {
		r.refuse(e, path, reasonOf(f.err), f.err.Error())
		return false
	}
	r.set.add(Change{Path: path, Op: OpCreate, After: text})
	f.body, f.before = newBody(text, r.in), text
	f.body.open = false
	r.landedWhole(path, r.key)
	r.res.Rungs[RungCreate]++
	return true
}

// lfOnly gives a text that no file dictates the plain line end.
func lfOnly(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}
