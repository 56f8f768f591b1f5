package deliver

import (
	"context"
	"log/slog"
	"path/filepath"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/workspace"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// Editor is the client as a delivery sees it: what it can do, what it has open, and how it is asked.
// Everything in it is required.
type Editor struct {
	Capabilities client.Capabilities
	Quirks       client.Quirks
	Encoding     document.Encoding // in which it counts
	Client       Sender
	// Open finds an open document by its URI, however it is spelled.
	Open func(uri string) (Document, bool)
	// Quiet waits until the user does not type; what takes the keyboard goes out behind it.
	Quiet func(ctx context.Context) error
	// Expect names the texts that an edit which is sent now makes of documents, by URI, until the result
	// is called: they are not what the user types.
	Expect   func(texts map[string]string) (over func())
	Landings *Landings
	Echoes   *Echoes
	Log      *slog.Logger
}

// Sender sends edits to the client: *client.Client is one.
type Sender interface {
	ApplyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (client.Answer, error)
}

// Document is an open document of the client, as it showed it last.
type Document struct {
	*workspace.Document
	URI       string // as the client spells it
	Uncertain bool   // the text is not what the client has, as far as is known
}

// Root is the folder that a plan is delivered to. Everything in it is required.
type Root struct {
	Dir       string // OS path; "" for the rootless one, in which nothing can be changed
	Workspace *workspace.Workspace
	Asker     event.Asker
	// Changed is told of each file of a plan when it is over, whatever became of it.
	Changed func(path string)
}

// uri returns the URI of a file by its path.
func (r *Root) uri(path string) string {
	return document.URIOfPath(filepath.Join(r.Dir, filepath.FromSlash(path)))
}

// documents are the files of a root as the client has them at this moment: what is open, what it told of it, and what is on
// disk.
type documents struct {
	editor Editor
	root   Root
}

// document returns an open document of the root.
func (d *documents) document(path string) (Document, bool) {
	if d.root.Dir == "" || path == "" {
		return Document{}, false
	}
	return d.editor.Open(d.root.uri(path))
}

// uriOf returns the URI of a file of the root: in the client's own spelling where the file is open.
func (d *documents) uriOf(path string) string {
	uri := d.root.uri(path)
	if doc, open := d.editor.Open(uri); open {
		return doc.URI
	}
	return uri
}

// builder returns what makes edits for the client.
func (d *documents) builder(label string, native bool) *requestBuilder {
	return &requestBuilder{caps: &d.editor.Capabilities, quirks: &d.editor.Quirks, encoding: d.editor.Encoding, label: label, native: native}
}
