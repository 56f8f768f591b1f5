package proposal

import (
	"slices"
	"testing"

	"coauthor/edits"
)

// A landing is told once, to whoever sees it first: what had landed before a server took it over is no news, what is
// seen only there is.
func TestALandingIsToldOnce(t *testing.T) {
	l := newLife(t)
	var told []string
	l.o.Landed = func(landing Landing) {
		for _, c := range landing.Files {
			told = append(told, landing.Turn+" "+landing.Op+" "+c.Path)
		}
	}
	l.next()
	ed := newEditor(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	l.apply(ed, "t1", edits.Change{Path: "a.txt", Op: edits.OpUpdate, Before: "a\n", After: "A\n"})
	if want := []string{"t1 apply a.txt"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	ed.answer = func(s Step) (Landed, bool) {
		ed.put(s.Change.Path, s.Change.After)
		return Landed{Path: s.Change.Path, State: LandUnknown}, true
	}
	l.apply(ed, "t2", edits.Change{Path: "b.txt", Op: edits.OpUpdate, Before: "b\n", After: "B\n"})
	if told = nil; l.next() != 2 || told != nil {
		t.Errorf("told at the start: %v", told)
	}
	for range 2 {
		l.s.Sent.SettleFrom(ed.ws.Snapshot())
	}
	if want := []string{"t2 apply b.txt"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
