package edits

// attempt is an edit, or a hunk of one, on its way into a file: read, located, vetted, put.
type attempt struct {
	r    *run
	e    *Edit
	path string
	f    *file
	w    where
	form formBit
	key  string // by which it is known when it comes again
	p    *pattern
	at   place
	like []pair // lines of a place by RungSimilar that are not as they were written
}

// land carries a pattern into a file, or says why not.
func (r *run) land(e *Edit, path string, f *file, p *pattern, w where) {
	a := &attempt{r: r, e: e, path: path, f: f, w: w, form: p.form(e), key: path + "\x00" + p.key(), p: p}
	if !a.came() && a.locate() && !a.vetoed() {
		a.put()
	}
}

// came says whether the same was told before, in this reply or an earlier one.
func (a *attempt) came() bool {
	r := a.r
	switch {
	case r.memory.twice(a.key, a.w.line):
		r.report.sayTwice(a.e, a.path)
		return true
	case r.repeated(a.e, a.path, a.f, a.key):
		return true
	case a.f.toldTwice(a.p, a.form):
		r.report.res.Rungs[RungAlready]++
		r.report.say(a.e, "it is the same change in another form; %s has it already", a.path)
		return true
	}
	return false
}

// locate finds the place of the pattern, perhaps by another reading of it. Where there is none, or nothing to do, that is
// told.
func (a *attempt) locate() bool {
	r, b := a.r, a.f.body
	p, at, missed := b.locateAny(a.p, a.w)
	if missed == nil && loose(at.rung) && a.e.Kind == KindReplace {
		if q, found, ok := b.signed(a.e, a.w); ok {
			p, at = q, found
			r.report.read(a.e, "%s", signsTaken)
		}
	}
	if missed != nil && missed.reason == ReasonNoMatch {
		if q, found, note := reread(a.f, a.e, p, a.w); found != nil {
			p, at, missed = q, *found, nil
			r.report.say(a.e, "%s", note)
		}
	}
	complete := true
	if missed != nil && missed.reason == ReasonNoMatch {
		var places []place
		if places, complete = findSimilar(b, p, a.w); len(places) == 1 {
			at, missed = places[0], nil
			a.like = differing(b, p, at)
		} else if had(a.f, p) {
			a.sayHad()
			return false
		}
	}
	if missed != nil {
		r.missed(a.e, a.path, a.f, p, a.w, missed, complete)
		return false
	}
	if a.e.Kind == KindReplace && loose(at.rung) && b.within(p, at) {
		a.sayHad()
		return false
	}
	if at.own {
		p = p.asFile(b, at)
	}
	a.p, a.at = p, at
	return true
}

// loose says whether more than blanks at line ends may differ.
func loose(r Rung) bool { return r != RungExact && r != RungTrailing }

func (a *attempt) sayHad() {
	a.r.report.res.Rungs[RungAlready]++
	a.r.report.say(a.e, "%s has it already", a.path)
}

// put changes the file.
func (a *attempt) put() {
	r, p, b := a.r, a.p, a.f.body
	for _, l := range p.lines {
		if l.Sign != '-' {
			continue
		}
		if name, ok := saidIn(l.Text); ok && !p.adds(name) {
			r.dropped[dropKey(a.path, name)] = dropper{a.e.Index, p}
		}
	}
	n := len(b.lines)
	s := sure{always: a.at.tie == "" || a.at.tie == tieSelection}
	if a.at.tie == tieLine {
		s.line = a.w.line
	}
	landed := r.memory.landing(a.path, b, a.at.from, a.at.to, s)
	b.lastEnd(p, a.at)
	end := b.put(p, a.at)
	landed()
	a.f.forms |= a.form
	r.memory.told(a.key, s)
	if a.w.ordered {
		b.cursor = end
	}
	b.shift += len(b.lines) - n
	r.report.res.Rungs[a.at.rung]++
	if len(a.like) > 0 {
		r.report.res.Similar = append(r.report.res.Similar, Candidate{Path: a.path, Line: a.at.from + 1, Diff: diffOf(a.like)})
	}
	if a.at.rung != RungExact || a.at.tie != "" {
		tie := ""
		if a.at.tie != "" {
			tie = ", chosen by " + a.at.tie
		}
		r.report.say(a.e, "placed in %s at line %d by %s%s%s", a.path, a.at.from+1, a.at.rung, tie, saidOf(a.like))
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
