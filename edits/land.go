package edits

import "coauthor/edits/match"

// attempt is an edit, or a hunk of one, on its way into a file: read, located, vetted, put.
type attempt struct {
	r    *run
	e    *Edit
	path string
	f    *file
	w    match.Where
	form formBit
	key  string // by which it is known when it comes again
	p    *match.Pattern
	at   match.Place
	like []pair // lines of a place by RungSimilar that are not as they were written
}

// land carries a pattern into a file, or says why not.
func (r *run) land(e *Edit, path string, f *file, p *match.Pattern, w match.Where) {
	a := &attempt{r: r, e: e, path: path, f: f, w: f.expects(w), form: formOf(e, p), key: path + "\x00" + p.Key(), p: p}
	if !a.came() && a.locate() && !a.vetoed() {
		a.put()
	}
}

// came says whether the same was told before, in this reply or an earlier one.
func (a *attempt) came() bool {
	r := a.r
	switch {
	case r.memory.twice(a.key, a.w.Line):
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
	p, at, missed := match.Locate(b, a.p, a.w)
	if missed == nil && loose(at.Rung) && a.e.Kind == KindReplace {
		if q, found, ok := a.signed(); ok {
			p, at = q, found
			r.report.read(a.e, "%s", signsTaken)
		}
	}
	if missed != nil && missed.Count == 0 {
		if q, found, note := a.reread(p); found != nil {
			p, at, missed = q, *found, nil
			r.report.say(a.e, "%s", note)
		}
	}
	complete := true
	if missed != nil && missed.Count == 0 {
		var found match.Place
		var ok bool
		if found, ok, complete = match.Similar(b, p, a.w); ok {
			at, missed = found, nil
			a.like = differing(b, p, at)
		} else if match.Had(a.f.was(&r.in), p) { // what an earlier edit of the reply made may be the same text in another place
			a.sayHad()
			return false
		}
	}
	if missed != nil {
		a.p = p
		a.missed(missed, complete)
		return false
	}
	if a.e.Kind == KindReplace && loose(at.Rung) && match.Within(b, p, at) {
		a.sayHad()
		return false
	}
	if at.Own {
		p = a.asFile(p, at)
	}
	a.p, a.at = p, at
	return true
}

// asFile is a pattern of the edit with the lines of the file for its old text.
func (a *attempt) asFile(p *match.Pattern, at match.Place) *match.Pattern {
	var new []string
	for _, l := range p.Lines {
		if l.Sign != '-' {
			new = append(new, l.Text)
		}
	}
	return a.r.pattern(joined(a.f.body.Lines()[at.From:at.To]), joined(new))
}

// loose says whether more than blanks at line ends may differ.
func loose(r match.Rung) bool { return r != match.RungExact && r != match.RungTrailing }

func (a *attempt) sayHad() {
	a.r.report.res.Rungs[RungAlready]++
	a.r.report.say(a.e, "%s has it already", a.path)
}

// put changes the file.
func (a *attempt) put() {
	r, p, b := a.r, a.p, a.f.body
	for _, l := range p.Lines {
		if l.Sign != '-' {
			continue
		}
		if name, ok := saidIn(l.Text); ok && !adds(p, name) {
			r.dropped[dropKey(a.path, name)] = dropper{a.e.Index, p}
		}
	}
	n := len(b.Lines())
	s := sure{always: a.at.Tie == "" || a.at.Tie == match.TieSelection}
	if a.at.Tie == match.TieLine {
		s.line = a.w.Line
	}
	landed := r.memory.landing(a.path, b, a.at.From, a.at.To, s)
	end := b.Put(p, a.at)
	a.f.edited = true
	landed()
	a.f.forms |= a.form
	r.memory.told(a.key, s)
	if a.w.Ordered {
		a.f.cursor = end
	}
	a.f.shift += len(b.Lines()) - n
	r.report.res.Rungs[a.at.Rung]++
	if len(a.like) > 0 {
		r.report.res.Similar = append(r.report.res.Similar, Candidate{Path: a.path, Line: a.at.From + 1, Diff: diffOf(a.like)})
	}
	if a.at.Rung != match.RungExact || a.at.Tie != "" {
		tie := ""
		if a.at.Tie != "" {
			tie = ", chosen by " + string(a.at.Tie)
		}
		r.report.say(a.e, "placed in %s at line %d by %s%s%s", a.path, a.at.From+1, a.at.Rung, tie, saidOf(a.like))
	}
}

// removes says whether some lines with something in them go.
func removes(lines []match.Line) bool {
	for _, l := range lines {
		if l.Sign == '-' && !match.IsBlank(l.Text) {
			return true
		}
	}
	return false
}

// adds says whether the new lines define a name.
func adds(p *match.Pattern, name string) bool {
	for _, l := range p.Lines {
		if l.Sign == '+' {
			if have, ok := saidIn(l.Text); ok && have == name {
				return true
			}
		}
	}
	return false
}
