package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
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
	doc := &folder.Document{URI: d.URI, Language: d.LanguageID, Lines: s.docs.lines(d.Text), WholeAt: document.Version(d.Version)}
	s.docs.syncing.Lock()
	defer s.docs.syncing.Unlock()
	doc.Root, doc.Path, doc.Unplaced = s.folders.Settle(d.URI)
	doc.Document = workspace.NewDocument(doc.Path, d.Text, document.Version(d.Version), s.opts.Clock())
	s.docs.Put(doc)
	s.docs.Focus(d.URI, nil)
	s.docs.balance()
	if doc.Path != "" {
		s.proved(doc)
		doc.Root.Workspace.Put(doc.Document)
		doc.Root.Session.Comments.ForgetWritten(doc.Path)
		s.documentChanged(doc.Root, doc.Path)
		doc.Root.Session.Mapper.Prepare()
		doc.Root.Marks.Follow(doc.Path, doc.Text, false)
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
func (s *server) documentChanged(r *folder.Folder, path string) {
	if doc, open := s.docs.document(r, path); open && !doc.Lost {
		r.Session.Proposals.Sent.Settle(path, doc.Text)
	}
	r.Hunks.Follow(path)
	r.Pending.Changed(path)
	s.landings.Tell()
}

// echo says whether a document is told as opened that is not, and takes note of the change on disk.
func (s *server) echo(uri string) bool {
	if _, open := s.docs.Get(uri); open || !s.client.Quirks.EditsFilesOnDisk || !s.docs.echoes.Take(document.KeyOfURI(uri)) {
		return false
	}
	if r, path, known := s.folders.Locate(uri); known && path != "" {
		r.Session.FileChanged(path)
	}
	s.landings.Tell()
	return true
}

// lines builds the table of a text as this client counts.
func (d *documents) lines(text string) document.Lines {
	return document.LinesOf(text, d.client.Quirks.OnlyLF)
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
	next.Root.Marks.Follow(next.Path, next.Text, !own)
	next.Root.Chat.Tick(shown(next))
	if err != nil {
		return fmt.Errorf("change in %s dropped: %w", doc.URI, err)
	}
	if !own {
		if review.IsPrompt(next.Path) {
			next.Root.Chat.CatchUp(next.Path)
		}
		next.Root.Comments.Written(doc, next)
	}
	if users { // of an edit of ours some tell when the user is elsewhere by now
		s.docs.Focus(next.URI, nil)
	}
	s.docs.ForgetRange(next.URI)
	if s.docs.ForgetSeen(next.URI) {
		s.diagnosed(next.URI)
	}
	if next.Path != "" {
		next.Root.Session.Mapper.Edited()
	}
	return nil
}

// keep stores the state of an open document and wakes those who wait for it.
func (s *server) keep(doc *folder.Document) {
	s.docs.Put(doc)
	if doc.Path != "" {
		s.proved(doc)
		doc.Root.Workspace.Put(doc.Document)
		s.documentChanged(doc.Root, doc.Path)
		if !doc.Uncertain() {
			doc.Root.Decisions.Told(doc.Path)
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
		doc.Root.Workspace.DidSave(doc.Path)
		s.documentChanged(doc.Root, doc.Path)
		doc.Root.Session.FileChanged(doc.Path)
		doc.Root.Decisions.Told(doc.Path)
		doc.Root.Comments.Saved(doc)
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
		doc.Root.Workspace.DidClose(doc.Path)
		s.documentChanged(doc.Root, doc.Path)
		doc.Root.Decisions.Told(doc.Path)
	}
	if review.IsPrompt(doc.Path) {
		s.tasks.Background(func(ctx context.Context) {
			doc.Root.Chat.Keep(ctx, shown(doc))
			doc.Root.Chat.CatchUp(doc.Path)
		})
	}
	s.folders.Leave(doc.Root)
	return nil
}

// balance makes room for garbage while a large document is open.
func (d *documents) balance() {
	d.headroom.want(slices.ContainsFunc(d.All(), func(d *folder.Document) bool { return len(d.Text) >= largeDocument }))
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
	s.folders.Change(paths(p.Event.Added), paths(p.Event.Removed))
	s.docs.syncing.Lock()
	defer s.docs.syncing.Unlock()
	for _, doc := range s.docs.All() {
		r, path, known := s.folders.Locate(doc.URI)
		unplaced := false
		switch {
		case known:
		case doc.Unplaced, s.folders.Get(doc.Root.Dir) == doc.Root:
			continue // its root is not one that has left
		default:
			r, path, unplaced = s.folders.Settle(doc.URI)
		}
		if r == doc.Root && path == doc.Path {
			continue
		}
		if doc.Path != "" {
			doc.Root.Workspace.DidClose(doc.Path)
		}
		moved := doc.MovedTo(r, path)
		moved.Unplaced = unplaced
		s.docs.Put(moved)
		if path != "" {
			r.Workspace.Put(moved.Document)
		}
		s.folders.Leave(doc.Root)
	}
	return nil
}

// paths returns the OS paths of folders; those that are no files have none.
func paths(folders []workspaceFolder) []string {
	var list []string
	for _, f := range folders {
		if abs, ok := document.PathOfURI(f.URI); ok {
			list = append(list, abs)
		}
	}
	return list
}

// Where a client tells later than it changes, what it was sent counts until then (package deliver). What
// it tells in the end is the proof.

// sent says whether a document reads what the client was sent for it before.
func sent(doc *folder.Document) bool {
	if doc.Path == "" {
		return false
	}
	text, err := doc.Root.Workspace.Snapshot().Read(doc.Path)
	return err == nil && text == doc.Text
}

// proved compares what the client tells of a document with what it was sent, where that was not seen
// so far. It is called before the document is stored.
func (s *server) proved(doc *folder.Document) {
	change, ok := doc.Root.Workspace.TakeSent(doc.Path)
	if !ok || doc.Lost {
		return
	}
	if state, _ := proposal.Check(change, &doc.Text, nil); state == proposal.LandLanded {
		return
	}
	s.tasks.Background(func(context.Context) {
		s.client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: %[1]s does not match the text that your editor reported: "+
			"the change is missing or in the wrong place. Check %[1]s before you save it.", doc.Path))
	})
}

// uriOf returns the URI of a file of a root: in the client's own spelling where the file is open.
func (d *documents) uriOf(r *folder.Folder, path string) string {
	uri := document.URIOfPath(filepath.Join(r.Dir, filepath.FromSlash(path)))
	if doc, open := d.Get(uri); open {
		return doc.URI
	}
	return uri
}

// uris returns uriOf for one root.
func (d *documents) uris(r *folder.Folder) func(path string) string {
	return func(path string) string { return d.uriOf(r, path) }
}

// document returns an open document of a root.
func (d *documents) document(r *folder.Folder, path string) (*folder.Document, bool) {
	if r.Dir == "" || path == "" {
		return nil, false
	}
	return d.Get(document.URIOfPath(filepath.Join(r.Dir, filepath.FromSlash(path))))
}
