package lsp

import (
	"coauthor/edits"
	"coauthor/lsp/review"
)

// To undo and to redo a change is offered near what it has changed, by the words of its request: elsewhere in a file the
// user thinks of something else, and the commands are there as before.

// nearLines is how many lines a place may be away from a changed line.
const nearLines = 10

// nearUndo leaves out of a situation what is not near its place, and adds the words of the requests. It compares texts, so
// it is not for requests that nobody made.
func (s *server) nearUndo(place actionPlace, now *situation) {
	near := func(turn *string) (label string) {
		if *turn == "" {
			return ""
		}
		label, change, ok := place.doc.Root.session.Proposals().LastChange(*turn, place.doc.Path)
		if ok && !s.docs.near(place, change) {
			*turn = ""
		}
		return label
	}
	now.undoLabel, now.redoLabel = near(&now.undoable), near(&now.redoable)
}

// near says whether a place is near lines that a change has changed, wherever they are now.
func (d *documents) near(place actionPlace, c edits.Change) bool {
	if c.Op != edits.OpUpdate && c.Op != edits.OpRename || c.Before == c.After {
		return true // the whole file is of it
	}
	text := place.doc.Text
	var spans [][2]int
	for _, h := range edits.Diff(c.Before, c.After) {
		spans = append(spans, [2]int{h.NewStart, h.NewEnd})
	}
	first, last := int(place.rng.Start.Line)-nearLines, int(place.rng.End.Line)+nearLines
	lines := place.doc.Lines
	for _, span := range review.FollowAll(c.After, text, spans) {
		at := lines.RangeOf(span[0], span[1], d.encoding)
		if int(at.Start.Line) <= last && int(at.End.Line) >= first {
			return true
		}
	}
	return false
}
