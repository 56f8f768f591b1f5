package workspace

import (
	"fmt"
	"maps"
	"time"
)

// The store of what is open in the editor. Whoever follows a client (package lsp, which also turns its
// positions into text) asks Next for the document after a change and puts it here: so there is one
// answer to what a document reads, which version it is, and whether that is known at all.

// NewDocument returns a document as its client opened it.
func NewDocument(path, text string, version int32, now time.Time) *Document {
	return &Document{Path: path, Text: text, Open: true, Version: version, Size: int64(len(text)), Changed: now}
}

// Next returns the document after a change that its client told. whole says that the change sets the
// whole text, whatever stood there before; text makes the new text and is called only if the change
// is taken. With an error the change was dropped, and what is returned is still what to go on with:
//
//   - The version of a change must not be lower than that of the document; it may be equal, and it may
//     skip some. An older whole text is dropped. An older change of a part is dropped too, but then
//     the client has a text that is not known here: the document is Lost.
//   - A change of a part of a Lost document has no base. Only a whole text makes it known again.
func (d *Document) Next(version int32, whole bool, now time.Time, text func() string) (*Document, error) {
	switch {
	case version < d.Version && whole:
		return d, fmt.Errorf("version %d came after %d", version, d.Version)
	case version < d.Version:
		return d.AsLost(), fmt.Errorf("version %d came after %d; its text is unknown until it is opened again", version, d.Version)
	case d.Lost && !whole:
		return d, fmt.Errorf("cannot apply this change: an earlier change could not be read, so the document's text is unknown")
	}
	next := *d
	next.Text, next.Version, next.Lost, next.Changed = text(), version, false, now
	next.Size = int64(len(next.Text))
	return &next, nil
}

// AsLost returns the document with the mark that its text is a guess.
func (d *Document) AsLost() *Document {
	if d.Lost {
		return d
	}
	next := *d
	next.Lost = true
	return &next
}

// DidOpen notes that a document is open in the editor.
func (w *Workspace) DidOpen(path, text string, version int32) {
	w.Put(NewDocument(path, text, version, w.o.Clock()))
}

// DidChange notes the new text of an open document. A version that goes backwards is logged and
// dropped, and so is a change of a document that is not open.
func (w *Workspace) DidChange(path, text string, version int32) {
	path = cleanOrSame(path)
	w.mu.Lock()
	old := w.open[path]
	w.mu.Unlock()
	if old == nil {
		w.o.Log.Warn("dropped a change to a document that is not open", "path", path)
		return
	}
	next, err := old.Next(version, true, w.o.Clock(), func() string { return text })
	if err != nil {
		w.o.Log.Warn("dropped a change", "path", path, "err", err)
		return
	}
	w.Put(next)
}

// Put stores the state of an open document under its path.
func (w *Workspace) Put(doc *Document) {
	if clean := cleanOrSame(doc.Path); clean != doc.Path {
		next := *doc
		next.Path, doc = clean, &next
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	open := maps.Clone(w.open)
	open[doc.Path] = doc
	w.open = open
	w.forgetSent(doc.Path)
	w.generation++
}

// DidSave notes that a document was written to disk.
func (w *Workspace) DidSave(string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.generation++
}

// DidClose notes that a document was closed: the disk counts again.
func (w *Workspace) DidClose(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	open := maps.Clone(w.open)
	delete(open, cleanOrSame(path))
	w.open = open
	w.forgetSent(cleanOrSame(path))
	w.generation++
}
