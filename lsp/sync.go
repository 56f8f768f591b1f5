package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"coauthor/agent/workspace"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
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
	doc := &openDocument{URI: d.URI, Language: d.LanguageID, Lines: s.lines(d.Text), WholeAt: document.Version(d.Version)}
	s.docs.syncing.Lock()
	defer s.docs.syncing.Unlock()
	doc.Root, doc.Path, doc.Unplaced = s.roots.settle(d.URI)
	doc.Document = workspace.NewDocument(doc.Path, d.Text, document.Version(d.Version), s.opts.Clock())
	s.docs.Put(doc)
	s.docs.Focus(d.URI, nil)
	s.docs.balance()
	if doc.Path != "" {
		s.proved(doc)
		doc.Root.ws.Put(doc.Document)
		doc.Root.session.Comments.ForgetWritten(doc.Path)
		s.documentChanged(doc.Root, doc.Path)
		doc.Root.session.Mapper.Prepare()
		doc.Root.marks.Follow(doc.Path, doc.Text, false)
	}
	for _, c := range s.docs.early.Take(doc.URI, doc.Version, s.opts.Clock()) {
		if err := s.changeDocument(doc.URI, c.Version, c.Changes); err != nil {
			return err
		}
	}
	return nil
}

// documentChanged is called on the goroutine that reads, after the document was put where everybody
// sees it. It does not wait for anything.
func (s *server) documentChanged(r *rootState, path string) {
	if doc, open := s.docs.document(r, path); open && !doc.Lost {
		r.session.Proposals().Settle(path, doc.Text)
	}
	s.follows(r, path)
	s.textsMove(r, path)
	s.delivery.landings.Tell()
}

// echo says whether a document is told as opened that is not, and takes note of the change on disk.
func (s *server) echo(uri string) bool {
	if _, open := s.docs.Get(uri); open || !s.client.Quirks.EditsFilesOnDisk || !s.docs.echoes.Take(document.KeyOfURI(uri)) {
		return false
	}
	if r, path, known := s.roots.locate(uri); known && path != "" {
		r.session.FileChanged(path)
	}
	s.delivery.landings.Tell()
	return true
}

// lines builds the table of a text as this client counts.
func (s *server) lines(text string) document.Lines {
	return document.LinesOf(text, s.client.Quirks.OnlyLF)
}

func (s *server) didChange(_ context.Context, p *didChangeParams) error {
	s.docs.syncing.Lock()
	defer s.docs.syncing.Unlock()
	doc, open := s.docs.Get(p.Document.URI)
	var changes []document.ContentChange
	err := json.Unmarshal(p.Changes, &changes)
	switch {
	case !open && err == nil && s.client.Quirks.VersionsStep && p.Document.Version != nil:
		s.docs.early.Put(p.Document.URI, document.Version(*p.Document.Version), changes, s.opts.Clock())
		return nil
	case !open:
		return fmt.Errorf("change of %s, which is not open", p.Document.URI)
	}
	v := doc.Version + 1
	if p.Document.Version != nil {
		v = document.Version(*p.Document.Version)
	}
	if err != nil {
		s.keep(doc.AsLost())
		return fmt.Errorf("change in %s: %w; its text is unknown until it is opened again", doc.URI, err)
	}
	return s.changeDocument(doc.URI, v, changes)
}

// changeDocument takes over the changes of an open document, in this order: the document, what we say of its lines, the
// conversation that may be written in it, and what follows what the user does there.
func (s *server) changeDocument(uri string, v int32, changes []document.ContentChange) error {
	doc, open := s.docs.Get(uri)
	if !open {
		return fmt.Errorf("change of %s, which is not open", uri)
	}
	if beyond := document.Unit(doc.Lines.Count()); len(changes) > 0 && changes[0].Range != nil && changes[0].Range.Start.Line > beyond {
		s.log.Info("a change starts after the end of its document and is made there", "uri", uri, "line", changes[0].Range.Start.Line, "lines", beyond)
	}
	take := doc.Changed
	if s.client.Quirks.VersionsStep {
		take = doc.Arrived
	}
	next, err := take(v, changes, s.opts.Clock(), s.docs.encoding)
	own := sent(next)
	users := !own && s.docs.keys.press(uri, next.Text, s.opts.Clock())
	s.keep(next)
	next.Root.marks.Follow(next.Path, next.Text, !own)
	s.tick(next)
	if err != nil {
		return fmt.Errorf("change in %s dropped: %w", doc.URI, err)
	}
	if !own {
		if review.IsPrompt(next.Path) {
			s.catchUp(next.Root, next.Path)
		}
		s.commentsWritten(doc, next)
	}
	if users { // of an edit of ours some tell when the user is elsewhere by now
		s.docs.Focus(next.URI, nil)
	}
	s.docs.ForgetRange(next.URI)
	if s.docs.ForgetSeen(next.URI) {
		s.diagnosed(next.URI)
	}
	if next.Path != "" {
		next.Root.session.Mapper.Edited()
	}
	return nil
}

// keep stores the state of an open document and wakes those who wait for it.
func (s *server) keep(doc *openDocument) {
	s.docs.Put(doc)
	if doc.Path != "" {
		s.proved(doc)
		doc.Root.ws.Put(doc.Document)
		s.documentChanged(doc.Root, doc.Path)
		if !doc.Uncertain() {
			s.told(doc.Root, doc.Path)
		}
	}
}

func (s *server) didSave(_ context.Context, p *documentParams) error {
	doc, open := s.docs.Get(p.Document.URI)
	if !open {
		return nil // some clients tell of files that they never opened
	}
	s.docs.Focus(doc.URI, nil)
	if doc.Path != "" {
		doc.Root.ws.DidSave(doc.Path)
		s.documentChanged(doc.Root, doc.Path)
		doc.Root.session.FileChanged(doc.Path)
		s.told(doc.Root, doc.Path)
		s.savedComments(doc)
	}
	return nil
}

func (s *server) didClose(_ context.Context, p *documentParams) error {
	s.docs.syncing.Lock()
	defer s.docs.syncing.Unlock()
	doc, open := s.docs.Get(p.Document.URI)
	if !open {
		return fmt.Errorf("close of %s, which is not open", p.Document.URI)
	}
	s.docs.Close(doc.URI)
	undiagnosed(doc)
	s.docs.balance()
	if doc.Path != "" {
		doc.Root.ws.DidClose(doc.Path)
		s.documentChanged(doc.Root, doc.Path)
		s.told(doc.Root, doc.Path)
	}
	if review.IsPrompt(doc.Path) {
		s.tasks.background(func(ctx context.Context) {
			s.keepTalk(ctx, doc)
			s.catchUp(doc.Root, doc.Path)
		})
	}
	s.roots.leave(doc.Root)
	return nil
}

// balance makes room for garbage while a large document is open.
func (d *documents) balance() {
	d.headroom.want(slices.ContainsFunc(d.All(), func(d *openDocument) bool { return len(d.Text) >= largeDocument }))
}

// visible are the files of a root that the user sees.
func (d *documents) visible(r *rootState) (paths []string) {
	for _, doc := range d.Visible() {
		if doc.Root == r && doc.Path != "" {
			paths = append(paths, doc.Path)
		}
	}
	return paths
}

// didFocus is our own notification: the user went to a document, selected something there, or sees other documents.
func (d *documents) didFocus(_ context.Context, p *didFocusParams) error {
	if p.Visible != nil {
		d.SetVisible(*p.Visible)
	}
	if p.URI == "" {
		return nil
	}
	if p.Range == nil {
		d.Focus(p.URI, nil)
		return nil
	}
	r := p.Range.Protocol()
	d.Focus(p.URI, &r)
	return nil
}

// didDiagnose is our own notification: what all servers complain about, of which some clients give
// each server only its own part.
func (s *server) didDiagnose(_ context.Context, p *diagnosticsParams) error {
	s.docs.SetDiagnostics(p.URI, p.Diagnostics)
	s.diagnosed(p.URI)
	return nil
}

// didChangeFolders adds and removes roots and gives every open document the root it has now.
func (s *server) didChangeFolders(_ context.Context, p *foldersParams) error {
	s.roots.setFolders(paths(p.Event.Added), paths(p.Event.Removed))
	s.docs.syncing.Lock()
	defer s.docs.syncing.Unlock()
	for _, doc := range s.docs.All() {
		r, path, known := s.roots.locate(doc.URI)
		unplaced := false
		switch {
		case known:
		case doc.Unplaced, s.roots.get(doc.Root.dir) == doc.Root:
			continue // its root is not one that has left
		default:
			r, path, unplaced = s.roots.settle(doc.URI)
		}
		if r == doc.Root && path == doc.Path {
			continue
		}
		if doc.Path != "" {
			doc.Root.ws.DidClose(doc.Path)
		}
		moved := doc.MovedTo(r, path)
		moved.Unplaced = unplaced
		s.docs.Put(moved)
		if path != "" {
			r.ws.Put(moved.Document)
		}
		s.roots.leave(doc.Root)
	}
	return nil
}

// paths returns the OS paths of folders; those that are no files have none.
func paths(folders []folder) []string {
	var list []string
	for _, f := range folders {
		if abs, ok := document.PathOfURI(f.URI); ok {
			list = append(list, abs)
		}
	}
	return list
}
