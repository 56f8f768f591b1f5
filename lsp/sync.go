package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"coauthor/agent/workspace"
)

// The handlers here run on the goroutine that reads, in the order of the wire. Whatever they find
// wrong is an error that the router logs: the protocol has no way to ask for the text again.

func (s *server) didOpen(_ context.Context, p *didOpenParams) error {
	d := &p.Document
	if d.URI == "" {
		return fmt.Errorf("didOpen without a URI")
	}
	if s.echo(d.URI) {
		return nil
	}
	doc := &document{uri: d.URI, language: d.LanguageID, lines: s.lines(d.Text), wholeAt: version(d.Version)}
	s.syncing.Lock()
	defer s.syncing.Unlock()
	doc.root, doc.path, doc.unplaced = s.settle(d.URI)
	doc.Document = workspace.NewDocument(doc.path, d.Text, version(d.Version), s.opts.Clock())
	s.docs.put(doc)
	s.docs.focus(d.URI, nil)
	s.balance()
	if doc.path != "" {
		doc.root.ws.Put(doc.Document)
		s.documentChanged(doc.root, doc.path)
		doc.root.session.PrepareMap()
	}
	for _, c := range s.early.take(keyOfURI(doc.uri), doc.Version, s.opts.Clock()) {
		if err := s.changeDocument(doc.uri, c.version, c.changes); err != nil {
			return err
		}
	}
	return nil
}

// echo says whether a document is told as opened that is not, and takes note of the change on disk.
func (s *server) echo(uri string) bool {
	if _, open := s.docs.get(uri); open || !s.quirks.EditsFilesOnDisk || !s.echoes.take(keyOfURI(uri)) {
		return false
	}
	if r, path, known := s.locate(uri); known && path != "" {
		r.session.FileChanged(path)
	}
	s.landings.tell()
	return true
}

// lines builds the table of a text as this client counts.
func (s *server) lines(text string) lines { return linesOf(text, s.quirks.OnlyLF) }

func (s *server) didChange(_ context.Context, p *didChangeParams) error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	doc, open := s.docs.get(p.Document.URI)
	var changes []contentChange
	err := json.Unmarshal(p.Changes, &changes)
	switch {
	case !open && err == nil && s.quirks.VersionsStep && p.Document.Version != nil:
		s.early.put(earlyChange{heldChange{version(*p.Document.Version), changes}, keyOfURI(p.Document.URI), s.opts.Clock()})
		return nil
	case !open:
		return fmt.Errorf("change of %s, which is not open", p.Document.URI)
	}
	v := doc.Version + 1
	if p.Document.Version != nil {
		v = version(*p.Document.Version)
	}
	if err != nil {
		s.keep(doc.asLost())
		return fmt.Errorf("change of %s: %w; its text is unknown until it is opened again", doc.uri, err)
	}
	return s.changeDocument(doc.uri, v, changes)
}

// changeDocument takes over the changes of an open document.
func (s *server) changeDocument(uri string, v int32, changes []contentChange) error {
	doc, open := s.docs.get(uri)
	if !open {
		return fmt.Errorf("change of %s, which is not open", uri)
	}
	take := doc.changed
	if s.quirks.VersionsStep {
		take = doc.arrived
	}
	next, err := take(v, changes, s.opts.Clock(), s.encoding)
	s.keys.press(uri, next.Text, s.opts.Clock())
	s.keep(next)
	if err != nil {
		return fmt.Errorf("change of %s dropped: %w", doc.uri, err)
	}
	s.docs.focus(next.uri, nil)
	s.docs.forgetRange(next.uri)
	if next.path != "" {
		next.root.session.Edited()
	}
	return nil
}

// keep stores the state of an open document and wakes those who wait for it.
func (s *server) keep(doc *document) {
	s.docs.put(doc)
	if doc.path != "" {
		doc.root.ws.Put(doc.Document)
		s.documentChanged(doc.root, doc.path)
		if !doc.uncertain() {
			s.told(doc.root, doc.path)
		}
	}
}

func (s *server) didSave(_ context.Context, p *documentParams) error {
	doc, open := s.docs.get(p.Document.URI)
	if !open {
		return nil // some clients tell of files that they never opened
	}
	s.docs.focus(doc.uri, nil)
	if doc.path != "" {
		doc.root.ws.DidSave(doc.path)
		s.documentChanged(doc.root, doc.path)
		doc.root.session.FileChanged(doc.path)
		s.told(doc.root, doc.path)
	}
	return nil
}

func (s *server) didClose(_ context.Context, p *documentParams) error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	doc, open := s.docs.get(p.Document.URI)
	if !open {
		return fmt.Errorf("close of %s, which is not open", p.Document.URI)
	}
	s.docs.close(doc.uri)
	s.balance()
	if doc.path != "" {
		doc.root.ws.DidClose(doc.path)
		s.documentChanged(doc.root, doc.path)
		s.told(doc.root, doc.path)
	}
	s.roots.leave(doc.root)
	return nil
}

// balance makes room for garbage while a large document is open.
func (s *server) balance() {
	s.headroom.want(slices.ContainsFunc(s.docs.all(), func(d *document) bool { return len(d.Text) >= largeDocument }))
}

// didFocus is our own notification: the user went to a document or selected something there.
func (s *server) didFocus(_ context.Context, p *didFocusParams) error {
	if p.Range == nil {
		s.docs.focus(p.URI, nil)
		return nil
	}
	r := p.Range.protocol()
	s.docs.focus(p.URI, &r)
	return nil
}

// didDiagnose is our own notification: what all servers complain about, of which some clients give
// each server only its own part.
func (s *server) didDiagnose(_ context.Context, p *diagnosticsParams) error {
	s.docs.complain(p.URI, p.Diagnostics)
	return nil
}

// didChangeFolders adds and removes roots and gives every open document the root it has now.
func (s *server) didChangeFolders(_ context.Context, p *foldersParams) error {
	s.roots.setFolders(paths(p.Event.Added), paths(p.Event.Removed))
	s.syncing.Lock()
	defer s.syncing.Unlock()
	for _, doc := range s.docs.all() {
		r, path, known := s.locate(doc.uri)
		unplaced := false
		switch {
		case known:
		case doc.unplaced, s.roots.get(doc.root.dir) == doc.root:
			continue // its root is not one that has left
		default:
			r, path, unplaced = s.settle(doc.uri)
		}
		if r == doc.root && path == doc.path {
			continue
		}
		if doc.path != "" {
			doc.root.ws.DidClose(doc.path)
		}
		moved := doc.movedTo(r, path)
		moved.unplaced = unplaced
		s.docs.put(moved)
		if path != "" {
			r.ws.Put(moved.Document)
		}
		s.roots.leave(doc.root)
	}
	return nil
}

// paths returns the OS paths of folders; those that are no files have none.
func paths(folders []folder) []string {
	var list []string
	for _, f := range folders {
		if abs, ok := pathOfURI(f.URI); ok {
			list = append(list, abs)
		}
	}
	return list
}

// version reads a document's version; clients that count in floating point exist.
func version(v float64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }
