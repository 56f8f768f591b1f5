package edits

import (
	"fmt"
	"slices"
	"strings"
)

// maxNearest is how many places a failure shows.
const maxNearest = 3

// missed records that a pattern found no place, with the places that it may have meant.
func (r *run) missed(e *Edit, path string, f *file, p *pattern, w where, m *miss, complete bool) {
	b := f.body
	message := m.message
	if m.reason == ReasonNoMatch {
		message = "the lines to replace are not in " + path
		if other, ok := r.names.elsewhere(path, p); ok {
			m.reason = ReasonOtherFile
			message += ", but they are in " + other
		}
		if !complete {
			message += "; no candidates were searched, because the text repeats too much"
		}
	}
	fail := r.report.refuse(e, path, m.reason, message)
	fail.Already = m.reason != ReasonAmbiguous && b.already(p)
	if len(m.places) > 0 || complete {
		fail.Nearest = placesOf(b, path, p, m.places)
		r.shown = append(r.shown, shown{len(r.report.res.Failures) - 1, path, p, w})
	}
}

// shown is a failure with places of a file that later edits may change.
type shown struct {
	failure int // its index
	path    string
	p       *pattern
	w       where
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
			return f.body.show(s.path, s.p, min(c.Line-1, len(f.body.lines)), len(s.p.old)).Text != c.Text
		}) {
			continue
		}
		var places []int
		if fail.Reason == ReasonAmbiguous {
			_, _, m := f.body.locateAny(s.p, s.w)
			if m == nil || m.reason != ReasonAmbiguous {
				fail.Nearest = nil
				continue
			}
			fail.Message, places = m.message, m.places
		}
		fail.Nearest = placesOf(f.body, s.path, s.p, places)
	}
}

// placesOf shows places, or where there are none those that a pattern is most like.
func placesOf(b *body, path string, p *pattern, places []int) (found []Candidate) {
	for _, at := range places {
		if len(found) < maxNearest {
			found = append(found, b.show(path, p, at, len(p.old)))
		}
	}
	if len(places) > 0 {
		return found
	}
	list, _ := candidates(b, p, limits{0, len(b.lines)})
	seen := map[int]bool{}
	for _, c := range list {
		if seen[c.at] {
			continue
		}
		seen[c.at] = true
		if len(found) < maxNearest && c.score >= 0.4 {
			found = append(found, b.show(path, p, c.at, len(p.old)))
		}
	}
	return found
}

// elsewhere names another chat file in which the old text stands.
func (s *names) elsewhere(path string, p *pattern) (string, bool) {
	for _, chat := range s.o.Chat {
		if chat != path && s.tree.exists(chat) && s.tree.holds(chat, p) {
			return chat, true
		}
	}
	return "", false
}

// show is a place for the eyes of the model: the lines as they are, and how they differ.
func (b *body) show(path string, p *pattern, at, n int) Candidate {
	var have []string
	for _, l := range b.lines[at:min(at+n, len(b.lines))] {
		have = append(have, l.text)
	}
	var want []string
	for k := range p.old {
		want = append(want, p.text(k))
	}
	c := Candidate{Path: path, Line: at + 1, Text: joined(have)}
	if joined(want) != c.Text {
		var out strings.Builder
		writeUnified(&out, splitLines(joined(want)), splitLines(c.Text), 1, &b.in.spare)
		c.Diff = fmt.Sprintf("--- wanted\n+++ %s from line %d\n%s", path, at+1, out.String())
	}
	return c
}
