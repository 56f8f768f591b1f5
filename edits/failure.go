package edits

import (
	"fmt"
	"strings"
)

// maxNearest is how many places a failure shows.
const maxNearest = 3

// missed records that a pattern found no place, with the places that it may have meant.
func (r *run) missed(e *Edit, path string, f *file, p *pattern, m *miss, complete bool) {
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
	for _, at := range m.places {
		if len(fail.Nearest) < maxNearest {
			fail.Nearest = append(fail.Nearest, b.show(path, p, at, len(p.old)))
		}
	}
	if len(m.places) > 0 || !complete {
		return
	}
	list, _ := candidates(b, p, limits{0, len(b.lines)})
	seen := map[int]bool{}
	for _, c := range list {
		if seen[c.at] {
			continue
		}
		seen[c.at] = true
		if len(fail.Nearest) < maxNearest && c.score >= 0.4 {
			fail.Nearest = append(fail.Nearest, b.show(path, p, c.at, len(p.old)))
		}
	}
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
