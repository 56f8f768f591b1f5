package lsp

import (
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/workspace"
)

// document is an open document as the client showed it last: the one that the workspace holds, with
// what is needed to talk to the client about it. It never changes: a change of the client makes a new
// one, so whoever holds one may read it from any goroutine.
type document struct {
	// Document is the text, its version, and whether they are known. Where path is not empty, it is
	// the one that the workspace of the root has.
	*workspace.Document
	uri      string     // as the client spells it, which is how it wants to be answered
	root     *rootState // never nil
	path     string     // relative to the root; "" for what is no file of it
	unplaced bool       // the disk has not told yet which root it has: until then it has the rootless one
	language string
	lines    lines // of the text
	wholeAt  int32 // the version in which the client told the whole text last
	// held are changes that came too early, by version; see arrived.
	held []heldChange
}

// uncertain says that the text is not what the client has, as far as is known.
func (d *document) uncertain() bool { return d.Lost || len(d.held) > 0 }

// ours reports whether the server wrote the document, for the user to look at or to write an
// instruction in: a diff, an answer, a map. No command is about its text.
func (d *document) ours() bool {
	return strings.HasPrefix(d.path, ".coauthor/") || strings.HasPrefix(d.uri, section+":")
}

// documents are the open documents of the client. Only the goroutine that reads changes them.
// With unplaced documents see place.go, others change one, holding server.syncing.
type documents struct {
	mu         sync.Mutex
	byKey      map[string]*document        // guarded by mu; by keyOfURI
	focused    string                      // guarded by mu; the key of the document that was used last, of the user's own
	front      string                      // guarded by mu; the same, of all, those that the server wrote too
	prompt     string                      // guarded by mu; the prompt document that was used last
	ranges     map[string]protocol.Range   // guarded by mu; of the last code action request, by key
	complaints map[string][]wireDiagnostic // guarded by mu; of all servers, from coauthor/diagnostics, by key
}

func newDocuments() *documents {
	return &documents{byKey: map[string]*document{}, ranges: map[string]protocol.Range{}, complaints: map[string][]wireDiagnostic{}}
}

// get returns the open document of a URI, however it is spelled.
func (d *documents) get(uri string) (*document, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc, ok := d.byKey[keyOfURI(uri)]
	return doc, ok
}

// put stores a new state of a document.
func (d *documents) put(doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.byKey[keyOfURI(doc.uri)] = doc
}

// close forgets a document.
func (d *documents) close(uri string) {
	key := keyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.byKey, key)
	delete(d.ranges, key)
	delete(d.complaints, key)
	for _, at := range []*string{&d.focused, &d.front, &d.prompt} {
		if *at == key {
			*at = ""
		}
	}
}

// all returns the open documents in no order.
func (d *documents) all() []*document {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]*document, 0, len(d.byKey))
	for _, doc := range d.byKey {
		list = append(list, doc)
	}
	return list
}

// focus remembers the document that the user is in, and the selection where it is known.
func (d *documents) focus(uri string, selection *protocol.Range) {
	key := keyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	doc, open := d.byKey[key]
	if !open {
		return
	}
	d.front = key
	switch {
	case isPromptDocument(doc.path):
		d.prompt = key
	case !doc.ours():
		d.focused = key
	}
	if selection != nil {
		d.ranges[key] = *selection
	}
}

// lastFocused returns the document that the user was in last, with the selection of its last code
// action request. Commands that a user types carry neither.
func (d *documents) lastFocused() (doc *document, selection *protocol.Range) {
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

// inFront returns the document that was used last, whoever wrote it; nil for none.
func (d *documents) inFront() *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byKey[d.front]
}

// lastPrompt returns the URI of the prompt document that was used last; "" for none.
func (d *documents) lastPrompt() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.byKey[d.prompt]; doc != nil {
		return doc.uri
	}
	return ""
}

// forgetRange drops the selection that the last code action request of a document had: its text
// has moved.
func (d *documents) forgetRange(uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.ranges, keyOfURI(uri))
}

// complain stores what all servers complain about in an open document.
func (d *documents) complain(uri string, list []wireDiagnostic) {
	key := keyOfURI(uri)
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, open := d.byKey[key]; open {
		d.complaints[key] = list
	}
}

// complaintsIn returns the complaints about a document that touch a range.
func (d *documents) complaintsIn(uri string, in *protocol.Range) []wireDiagnostic {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []wireDiagnostic
	for _, c := range d.complaints[keyOfURI(uri)] {
		if in == nil || uint32(c.Range.Start.Line) <= in.End.Line && uint32(c.Range.End.Line) >= in.Start.Line {
			list = append(list, c)
		}
	}
	return list
}

// contentChange is one entry of a didChange; Range is nil where Text is the whole document.
type contentChange struct {
	Range *wireRange `json:"range"`
	Text  string     `json:"text"`
}

// changed returns the document after the changes, each applied on the result of the one before. With
// an error they were dropped, and what is returned is still what to go on with; see
// workspace.Document.Next.
func (d *document) changed(version int32, changes []contentChange, now time.Time, e encoding) (*document, error) {
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
			next.lines = linesOf(parts[0].Text, next.lines.onlyLF)
			next.wholeAt = version
			parts = parts[1:]
		}
		next.lines = next.lines.changed(parts, e)
		return next.lines.text
	})
	return &next, err
}

// asLost returns the document with the mark that its text is not known any more.
func (d *document) asLost() *document {
	next := *d
	next.Document, next.held = d.AsLost(), nil
	return &next
}
