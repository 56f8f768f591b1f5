package lsptest

import (
	"encoding/json"
	"slices"
)

// preview is an edit that a client with quirks.Preview shows before it applies it, as Visual Studio Code does: the
// user takes all or a part of it or nothing, and where a document has changed meanwhile nothing can be taken.
type preview struct {
	id    json.RawMessage
	label string
	edit  WorkspaceEdit
	at    map[string]int32 // versions of the open documents that it touches, when it was opened
}

func needsConfirmation(edit WorkspaceEdit) bool {
	for id := range edit.ChangeAnnotations {
		if edit.asksAbout(id) {
			return true
		}
	}
	return false
}

// openPreview shows an edit; one whose documents have other versions is refused without a word.
func (e *Editor) openPreview(m Message, label string, edit WorkspaceEdit) {
	if e.between != nil {
		e.between()
		e.between = nil
	}
	p := &preview{id: m.ID, label: label, edit: edit, at: map[string]int32{}}
	for _, s := range edit.DocumentChanges {
		abs, _ := pathOf(s.TextDocument.URI)
		b := e.buffer(abs)
		if s.Kind != "" || b == nil {
			continue
		}
		if v := s.TextDocument.Version; v != nil && *v != b.version {
			e.log.Edits = append(e.log.Edits, Received{Label: label, Edit: edit, Reason: "stale"})
			e.answer(m.ID, map[string]any{"applied": false})
			return
		}
		p.at[b.abs] = b.version
	}
	e.preview = p
	e.log.Previews++
}

// Previews reports whether the user looks at a preview of this client.
func (e *Editor) Previews() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.preview != nil
}

// Preview waits for a preview and decides on it: take is whether to press Apply, without the files that are named.
func (e *Editor) Preview(take bool, without ...string) {
	e.t.Helper()
	e.Wait("a preview", func(*Log) bool { return e.preview != nil })
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.preview
	e.preview = nil
	r := Received{Label: p.label, Edit: p.edit, Reason: "discarded"}
	for abs, v := range p.at {
		b := e.buffer(abs)
		if take && (b == nil && v != 0 || b != nil && b.version != v) { // one that was closed is opened once more, in its first version
			take, r.Reason = false, e.relative(abs)+" has changed in the meantime"
		}
	}
	if take {
		e.check.review.consent()
		part := p.edit.Part(func(uri string) bool {
			abs, ok := pathOf(uri)
			return !ok || !slices.Contains(without, e.relative(abs))
		})
		touched, _, err := e.perform(part.steps())
		r.Applied, r.Reason = err == nil, reasonOf(err)
		e.tellThese(touched)
	}
	e.log.Edits = append(e.log.Edits, r)
	e.answer(p.id, map[string]any{"applied": r.Applied})
	e.touch()
}

// untriggered takes out of a step the edit that only makes a client ask: it needs confirmation and changes nothing. It
// reports whether anything is left.
func (w *WorkspaceEdit) untriggered(s *DocumentChange) bool {
	s.Edits = slices.DeleteFunc(slices.Clone(s.Edits), func(e AnnotatedEdit) bool {
		return e.NewText == "" && e.Range.Start == e.Range.End && w.asksAbout(e.AnnotationID)
	})
	return len(s.Edits) > 0
}

// asksAbout reports whether the changes of an annotation need confirmation.
func (w *WorkspaceEdit) asksAbout(id string) bool {
	return said(w.ChangeAnnotations[id].NeedsConfirmation)
}

// Asks reports whether a change holds what only makes a client ask.
func (w *WorkspaceEdit) Asks(s DocumentChange) bool {
	return slices.ContainsFunc(s.Edits, func(e AnnotatedEdit) bool { return w.asksAbout(e.AnnotationID) })
}

// Part is the edit of those files alone that the user keeps, by URI, without what only makes a client ask.
func (w *WorkspaceEdit) Part(keep func(uri string) bool) WorkspaceEdit {
	var part WorkspaceEdit
	for _, s := range w.steps() {
		if left := w.untriggered(&s); keep(s.Target()) && (left || s.Kind != "") {
			part.DocumentChanges = append(part.DocumentChanges, s)
		}
	}
	return part
}
