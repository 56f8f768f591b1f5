package lsp

import (
	"path/filepath"

	"coauthor/lsp/document"
	"coauthor/lsp/folder"
)

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
