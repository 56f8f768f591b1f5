package lsp

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

// deliverEditor is the client as a delivery sees it: what it can do, what it has open, and how it is asked.
// Everything in it is required.
type deliverEditor struct {
	Capabilities client.Capabilities
	Quirks       client.Quirks
	Encoding     document.Encoding // in which it counts
	Client       sender
	// Open finds an open document by its URI, however it is spelled.
	Open func(uri string) (deliverDocument, bool)
	// Quiet waits until the user does not type; what takes the keyboard goes out behind it.
	Quiet func(ctx context.Context) error
	// Expect names the texts that an edit which is sent now makes of documents, by URI, until the result
	// is called: they are not what the user types.
	Expect   func(texts map[string]string) (over func())
	Landings *landings
	Echoes   *echoes
	Log      *slog.Logger
}

// sender sends edits to the client: *client.Client is one.
type sender interface {
	ApplyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (client.Answer, error)
}

// deliverDocument is an open document of the client, as it showed it last.
type deliverDocument struct {
	*workspace.Document
	URI       string // as the client spells it
	Uncertain bool   // the text is not what the client has, as far as is known
}

// deliverRoot is the folder that a plan is delivered to. Everything in it is required.
type deliverRoot struct {
	Dir       string // OS path; "" for the rootless one, in which nothing can be changed
	Workspace *workspace.Workspace
	Asker     event.Asker
	// Changed is told of each file of a plan when it is over, whatever became of it.
	Changed func(path string)
}

// uri returns the URI of a file by its path.
func (r *deliverRoot) uri(path string) string {
	return document.URIOfPath(filepath.Join(r.Dir, filepath.FromSlash(path)))
}

// document returns an open document of the root.
func (c *applier) document(path string) (deliverDocument, bool) {
	if c.root.Dir == "" || path == "" {
		return deliverDocument{}, false
	}
	return c.editor.Open(c.root.uri(path))
}

// uriOf returns the URI of a file of the root: in the client's own spelling where the file is open.
func (c *applier) uriOf(path string) string {
	uri := c.root.uri(path)
	if doc, open := c.editor.Open(uri); open {
		return doc.URI
	}
	return uri
}

// builder returns what makes edits for the client.
func (c *applier) builder(label string) *requestBuilder {
	return &requestBuilder{caps: &c.editor.Capabilities, quirks: &c.editor.Quirks, encoding: c.editor.Encoding, label: label, native: c.native}
}
