package workspace

import (
	"maps"

	"coauthor/edits"
)

// Some editors change a document and tell of it much later, or never: of a buffer that is not in front,
// or of one that they loaded for the edit. Until they do, what they were sent is what the user has: the
// next plan is made of it, and what the model is shown.

// sent is what an editor was sent for a file and has not told of.
type sent struct {
	over *string // what the file read before, as far as is known here; nil where there was none
	text string
}

// Sent notes that an editor has taken an edit, after which the file reads text. That holds until the
// editor tells what the document reads, or closes it, and for a file that is not open until it is
// another one on disk.
func (w *Workspace) Sent(path, text string) error {
	path = cleanOrSame(path)
	over, err := w.Snapshot().told(path)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	next := maps.Clone(w.sent)
	if next == nil {
		next = map[string]sent{}
	}
	next[path] = sent{over, text}
	if over != nil && (*over == text || Blank(*over) && Blank(text)) {
		delete(next, path)
	}
	w.sent = next
	w.generation++
	return nil
}

// TakeSent returns what an editor was sent for a file and has not told of, and forgets it. It is asked
// before what the editor tells is stored.
func (w *Workspace) TakeSent(path string) (change edits.Change, ok bool) {
	path = cleanOrSame(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	s, ok := w.sent[path]
	if !ok {
		return edits.Change{}, false
	}
	w.forgetSent(path)
	if s.over == nil || Blank(*s.over) {
		return edits.Change{Path: path, Op: edits.OpCreate, After: s.text}, true
	}
	return edits.Change{Path: path, Op: edits.OpUpdate, Before: *s.over, After: s.text}, true
}

// forgetSent drops what was sent for a file. The caller holds mu.
func (w *Workspace) forgetSent(path string) {
	if _, ok := w.sent[path]; ok {
		w.sent = maps.Clone(w.sent)
		delete(w.sent, path)
		w.generation++
	}
}

// outdated forgets what was sent for a file of which something else has come since.
func (w *Workspace) outdated(path string, s sent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sent[path] == s {
		w.forgetSent(path)
	}
}

// told is what the editor told of a file, or what is on disk; nil where there is none.
func (s *Snapshot) told(path string) (*string, error) {
	plain := &base{w: s.base.w, open: s.base.open, disk: map[string]*diskFile{}}
	return (&Snapshot{base: plain, until: s.until}).Text(path)
}

// shown is what the user has, where doc is what was told or read; nil for no file.
func (b *base) shown(path string, doc *Document) *Document {
	sent, ok := b.sent[path]
	if !ok {
		return doc
	}
	switch {
	case doc == nil && sent.over == nil:
		doc = &Document{Path: path}
	case doc != nil && (sent.over != nil && doc.Text == *sent.over || sent.over == nil && Blank(doc.Text)):
	default:
		b.w.outdated(path, sent)
		return doc
	}
	next := *doc
	next.Text, next.Size = sent.text, int64(len(sent.text))
	return &next
}
