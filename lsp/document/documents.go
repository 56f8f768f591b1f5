package document

import (
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/workspace"
)

// Document is an open document as the client showed it last: the one that the workspace holds, with
// what is needed to talk to the client about it. It never changes: a change of the client makes a new
// one, so whoever holds one may read it from any goroutine.
type Document[R any] struct {
	// Document is the text, its version, and whether they are known. Where Path is not empty, it is
	// the one that the workspace of the root has.
	*workspace.Document
	URI      string // as the client spells it, which is how it wants to be answered
	Root     R      // where it belongs
	Path     string // relative to the root; "" for what is no file of it
	Unplaced bool   // the disk has not told yet which root it has: until then it has the rootless one
	Language string
	Lines    Lines // of the text
	WholeAt  int32 // the version in which the client told the whole text last
	// held are changes that came too early, by version; see Arrived.
	held []HeldChange
}

// Uncertain says that the text is not what the client has, as far as is known.
func (d *Document[R]) Uncertain() bool { return d.Lost || len(d.held) > 0 }

// Kind says whose a document is.
type Kind string

// The kinds.
const (
	Users  Kind = "user"   // the user's own, and what a command without a name means
	Ours   Kind = "ours"   // written by the server for the user to look at: a diff, an answer, a map
	Prompt Kind = "prompt" // written by the server for the user to write an instruction in
)

// Table are the open documents of the client. Only the goroutine that reads changes them.
// Whoever else changes one, such as the one who places an unplaced document, sees to it that it is no
// other one's turn.
type Table[R any] struct {
	mu          sync.Mutex
	kindOf      func(uri, path string) Kind
	byKey       map[string]*Document[R]   // guarded by mu; by KeyOfURI
	focused     string                    // guarded by mu; the key of the document that was used last, of the user's own
	front       string                    // guarded by mu; the same, of all, those that the server wrote too
	prompt      string                    // guarded by mu; the prompt document that was used last
	visible     []string                  // guarded by mu; the keys of the documents that the user sees, where the client tells
	ranges      map[string]protocol.Range // guarded by mu; of the last code action request, by key
	diagnostics map[string][]Diagnostic   // guarded by mu; of all servers, by key
	diagnosed   map[string]bool           // guarded by mu; diagnostics are from coauthor/diagnostics; otherwise from requests
}

// NewTable returns an empty table. kindOf says whose a document is by its URI and its path.
func NewTable[R any](kindOf func(uri, path string) Kind) *Table[R] {
	return &Table[R]{kindOf: kindOf, byKey: map[string]*Document[R]{}, ranges: map[string]protocol.Range{}, diagnostics: map[string][]Diagnostic{}, diagnosed: map[string]bool{}}
}

// Get returns the open document of a URI, however it is spelled.
func (d *Table[R]) Get(uri string) (*Document[R], bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc, ok := d.byKey[KeyOfURI(uri)]
	return doc, ok
}

// Put stores a new state of a document.
func (d *Table[R]) Put(doc *Document[R]) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.byKey[KeyOfURI(doc.URI)] = doc
}

// Close forgets a document.
func (d *Table[R]) Close(uri string) {
	key := KeyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.byKey, key)
	delete(d.ranges, key)
	delete(d.diagnostics, key)
	delete(d.diagnosed, key)
	for _, at := range []*string{&d.focused, &d.front, &d.prompt} {
		if *at == key {
			*at = ""
		}
	}
}

// All returns the open documents in no order.
func (d *Table[R]) All() []*Document[R] {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]*Document[R], 0, len(d.byKey))
	for _, doc := range d.byKey {
		list = append(list, doc)
	}
	return list
}

// Reads gives the text of an open document, and its URI as the client spells it.
func (d *Table[R]) Reads(uri string) (own, text string, open bool) {
	doc, open := d.Get(uri)
	if !open {
		return "", "", false
	}
	return doc.URI, doc.Text, true
}

// Focus remembers the document that the user is in, and the selection where it is known.
func (d *Table[R]) Focus(uri string, selection *protocol.Range) {
	key := KeyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	doc, open := d.byKey[key]
	if !open {
		return
	}
	d.front = key
	switch d.kindOf(doc.URI, doc.Path) {
	case Prompt:
		d.prompt = key
	case Users:
		d.focused = key
	case Ours:
	}
	if selection != nil {
		d.ranges[key] = *selection
	}
}

// LastFocused returns the document that the user was in last, with the selection of its last code
// action request. Commands that a user types carry neither.
func (d *Table[R]) LastFocused() (doc *Document[R], selection *protocol.Range) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc = d.byKey[d.focused]
	if doc == nil {
		return nil, nil
	}
	if r, ok := d.ranges[d.focused]; ok {
		selection = &r
	}
	return doc, selection
}

// SetVisible notes which documents the user sees, open or not.
func (d *Table[R]) SetVisible(uris []string) {
	keys := make([]string, len(uris))
	for i, uri := range uris {
		keys[i] = KeyOfURI(uri)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.visible = keys
}

// Visible returns the open documents that the user sees; none where the client has not told.
func (d *Table[R]) Visible() (list []*Document[R]) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, key := range d.visible {
		if doc := d.byKey[key]; doc != nil {
			list = append(list, doc)
		}
	}
	return list
}

// InFront returns the document that was used last, whoever wrote it; nil for none.
func (d *Table[R]) InFront() *Document[R] {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byKey[d.front]
}

// LastPrompt returns the URI of the prompt document that was used last; "" for none.
func (d *Table[R]) LastPrompt() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.byKey[d.prompt]; doc != nil {
		return doc.URI
	}
	return ""
}

// ForgetRange drops the selection that the last code action request of a document had: its text
// has moved.
func (d *Table[R]) ForgetRange(uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.ranges, KeyOfURI(uri))
}

// SetDiagnostics stores what all servers complain about in an open document.
func (d *Table[R]) SetDiagnostics(uri string, list []Diagnostic) {
	key := KeyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, open := d.byKey[key]; open {
		d.diagnostics[key], d.diagnosed[key] = list, true
	}
}

// SeeDiagnostics stores what a request says about a range of an open document, in the place of what was seen there before.
// A client that tells of all by SetDiagnostics is taken at that word. It reports whether anything is known now or was.
func (d *Table[R]) SeeDiagnostics(uri string, in protocol.Range, list []Diagnostic) bool {
	key := KeyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.diagnostics[key]
	if _, open := d.byKey[key]; !open || d.diagnosed[key] || len(before)+len(list) == 0 {
		return false
	}
	now := slices.DeleteFunc(slices.Clone(before), func(c Diagnostic) bool { return c.touches(in) })
	for _, c := range list {
		if c.Text() != "" && !slices.ContainsFunc(now, func(o Diagnostic) bool { return o.Range == c.Range && o.Source == c.Source && o.Text() == c.Text() }) {
			now = append(now, c)
		}
	}
	d.diagnostics[key] = now
	return true
}

// ForgetSeen drops what requests said about a document: its text has moved. It reports whether there was anything.
func (d *Table[R]) ForgetSeen(uri string) bool {
	key := KeyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.diagnosed[key] || len(d.diagnostics[key]) == 0 {
		return false
	}
	delete(d.diagnostics, key)
	return true
}

// Diagnosed reports whether the client tells of all diagnostics of a document, without being asked.
func (d *Table[R]) Diagnosed(uri string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.diagnosed[KeyOfURI(uri)]
}

// touches reports whether a diagnostic is about lines of a range.
func (c Diagnostic) touches(in protocol.Range) bool {
	return uint32(c.Range.Start.Line) <= in.End.Line && uint32(c.Range.End.Line) >= in.Start.Line
}

// DiagnosticsIn returns the complaints about a document that touch a range.
func (d *Table[R]) DiagnosticsIn(uri string, in *protocol.Range) []Diagnostic {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []Diagnostic
	for _, c := range d.diagnostics[KeyOfURI(uri)] {
		if in == nil || c.touches(*in) {
			list = append(list, c)
		}
	}
	return list
}

// ContentChange is one entry of a didChange; Range is nil where Text is the whole document.
type ContentChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// Changed returns the document after the changes, each applied on the result of the one before. With
// an error they were dropped, and what is returned is still what to go on with; see
// workspace.Document.Next.
func (d *Document[R]) Changed(version int32, changes []ContentChange, now time.Time, e Encoding) (*Document[R], error) {
	from := 0 // nothing before the last whole text matters
	for i, c := range changes {
		if c.Range == nil {
			from = i
		}
	}
	next := *d
	var err error
	next.Document, err = d.Next(version, whole(changes), now, func() string {
		parts := changes[from:]
		if len(parts) > 0 && parts[0].Range == nil {
			next.Lines = LinesOf(parts[0].Text, next.Lines.onlyLF)
			next.WholeAt = version
			parts = parts[1:]
		}
		next.Lines = next.Lines.changed(parts, e)
		return next.Lines.Text
	})
	return &next, err
}

// AsLost returns the document with the mark that its text is not known any more.
func (d *Document[R]) AsLost() *Document[R] {
	next := *d
	next.Document, next.held = d.Document.AsLost(), nil
	return &next
}

// MovedTo returns the document under another root.
func (d *Document[R]) MovedTo(r R, path string) *Document[R] {
	moved, placed := *d, *d.Document
	placed.Path = path
	moved.Root, moved.Path, moved.Unplaced, moved.Document = r, path, false, &placed
	return &moved
}
