package deliver

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// applierTo makes an applier to a folder with the files, of which some are open in version 1.
func applierTo(t *testing.T, files map[string]string, q client.Quirks, o Options, open ...string) *Applier {
	t.Helper()
	root := Root{Dir: t.TempDir()}
	for path, text := range files {
		if err := os.WriteFile(filepath.Join(root.Dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root.Dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	root.Workspace = ws
	docs := map[string]Document{}
	for _, path := range open {
		uri := root.uri(path)
		docs[document.KeyOfURI(uri)] = Document{Document: workspace.NewDocument(path, files[path], 1, time.Unix(1_800_000_000, 0)), URI: uri}
		ws.Put(docs[document.KeyOfURI(uri)].Document)
	}
	return New(Editor{
		Quirks: q, Encoding: document.UTF16, Landings: &Landings{}, Echoes: &Echoes{}, Log: slog.New(slog.DiscardHandler),
		Open: func(uri string) (Document, bool) {
			doc, is := docs[document.KeyOfURI(uri)]
			return doc, is
		},
	}, root, o)
}

func changed(path, before, after string) edits.Change {
	return edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: after}
}
