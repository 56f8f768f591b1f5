package edits

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coauthor/edits/match"
)

// maxNearest is how many of the places between which nothing decided a failure shows.
const maxNearest = 3

// missed records that the pattern found no place, with the places that it may have meant.
func (a *attempt) missed(m *match.Miss, complete bool) {
	r := a.r
	reason, message := ReasonAmbiguous, severalPlaces(m)
	if m.Count == 0 {
		reason, message = ReasonNoMatch, "the lines to replace are not in "+a.path
		if other, ok := r.names.elsewhere(a.path, a.p); ok {
			reason = ReasonOtherFile
			message += ", but they are in " + other
		}
		if !complete {
			message += "; no candidates were searched, because the text repeats too much"
		}
	}
	fail := r.report.refuse(a.e, a.path, reason, message)
	fail.Already = m.Count == 0 && match.Already(a.f.body, a.p)
	if m.Count > 0 || complete {
		fail.Nearest = r.placesOf(a.f.body, a.path, a.p, m.Lines)
		r.shown = append(r.shown, shown{len(r.report.res.Failures) - 1, a.path, a.p, a.w})
	}
}

// severalPlaces says that nothing decided between some.
func severalPlaces(m *match.Miss) string {
	var at []string
	for _, line := range m.Lines {
		at = append(at, strconv.Itoa(line+1))
	}
	more := ""
	if m.Count > len(at) {
		more = ", …"
	}
	return fmt.Sprintf("the text stands in %d places, at lines %s%s; give more lines around it, so that it stands in one",
		m.Count, strings.Join(at, ", "), more)
}

// shown is a failure with places of a file that later edits may change.
type shown struct {
	failure int // its index
	path    string
	p       *match.Pattern
	w       match.Where
}

// look shows the places of failures as all edits have left them, where that is not what was seen when they were refused.
func (r *run) look() {
	for _, s := range r.shown {
		f := r.tree.texts[s.path]
		if s.failure >= len(r.report.res.Failures) || r.report.res.Failures[s.failure].Path != s.path || f == nil || f.body == nil {
			continue
		}
		fail := &r.report.res.Failures[s.failure]
		if !slices.ContainsFunc(fail.Nearest, func(c Candidate) bool {
			return r.show(f.body, s.path, s.p, min(c.Line-1, len(f.body.Lines()))).Text != c.Text
		}) {
			continue
		}
		var places []int
		if fail.Reason == ReasonAmbiguous {
			_, _, m := match.Locate(f.body, s.p, f.expects(s.w))
			if m == nil || m.Count == 0 {
				fail.Nearest = nil
				continue
			}
			fail.Message, places = severalPlaces(m), m.Lines
		}
		fail.Nearest = r.placesOf(f.body, s.path, s.p, places)
	}
}

// placesOf shows places, or where there are none those that a pattern is most like.
func (r *run) placesOf(b *match.Text, path string, p *match.Pattern, places []int) (found []Candidate) {
	if len(places) == 0 {
		places = match.Resembling(b, p)
	}
	for _, at := range places[:min(len(places), maxNearest)] {
		found = append(found, r.show(b, path, p, at))
	}
	return found
}

// elsewhere names another chat file in which the old text stands.
func (s *names) elsewhere(path string, p *match.Pattern) (string, bool) {
	for _, chat := range s.o.Chat {
		if chat != path && s.tree.exists(chat) && s.tree.holds(chat, p) {
			return chat, true
		}
	}
	return "", false
}

// show is a place for the eyes of the model: the lines as they are, and how they differ.
func (r *run) show(b *match.Text, path string, p *match.Pattern, at int) Candidate {
	have, want := joined(b.Lines()[at:min(at+p.Len(), len(b.Lines()))]), joined(p.Old())
	c := Candidate{Path: path, Line: at + 1, Text: have}
	if want != have {
		var out strings.Builder
		writeUnified(&out, splitLines(want), splitLines(have), 1, &r.spare)
		c.Diff = fmt.Sprintf("--- wanted\n+++ %s from line %d\n%s", path, at+1, out.String())
	}
	return c
}

// joined returns texts as lines of a block.
func joined(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}
