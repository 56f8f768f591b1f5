package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"coauthor/agent/workspace"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/hunks"
)

// What was applied at once stands under review (package hunks has it for a folder). In documents it is seen by code lenses
// above the hunks, by the old text in a hover, and by marks as inlay hints or diagnostics.

// newHunks makes what we say of lines of the files of a root, and what is under review there.
func (s *server) newHunks(r *folder.Folder) (*annotate.Marks, *hunks.Hunks) {
	marks := annotate.New(annotate.Options{
		Workspace: r.Workspace, Proposals: r.Session.Proposals, URI: s.docs.uris(r), Background: s.tasks.Background,
		Ranges: func(text string) func(start, end int) protocol.Range {
			lines := s.docs.lines(text)
			return func(start, end int) protocol.Range { return lines.RangeOf(start, end, s.docs.encoding) }
		},
		MarkHunks: func() bool { return s.hunks.Marking() == "diagnostics" },
		Publish: func(uri string, list []annotate.Diagnostic) {
			s.client.Notify(protocol.MethodTextDocumentPublishDiagnostics, &diagnosticsOf{URI: uri, Diagnostics: list})
		},
	})
	return marks, hunks.New(hunks.Options{
		Views: s.hunks, Dir: r.Dir, Workspace: r.Workspace, Proposals: r.Session.Proposals, Marks: marks, URI: s.docs.uris(r),
		Focus: s.docs.Focus,
		Open: func(path string) *workspace.Document {
			doc, open := s.docs.document(r, path)
			if !open {
				return nil
			}
			return doc.Document
		},
		Paths: func(names []string) ([]string, error) { return s.folders.Paths(r, names) },
	})
}

// diagnosticsOf is what a server says of a document.
type diagnosticsOf struct {
	URI         string                `json:"uri"`
	Diagnostics []annotate.Diagnostic `json:"diagnostics"`
}

// hover answers textDocument/hover: what stood in the place of a hunk under review before. Elsewhere it has nothing to say.
func (s *server) hover(_ context.Context, p *hoverParams, _ struct{}) (any, error) {
	doc, open := s.docs.Get(p.Document.URI)
	if !open {
		return nil, nil
	}
	at := document.Range{Start: p.Position, End: p.Position}.Protocol()
	list := doc.Root.Marks.HunksAt(doc.Path, at)
	if len(list) == 0 {
		return nil, nil
	}
	h := list[0]
	text := markupContent{"plaintext", h.Before(false)}
	if s.client.Caps.HoverMarkdown {
		text = markupContent{"markdown", h.Before(true)}
	}
	return hoverResult{Contents: text, Range: document.FromProtocol(h.Range)}, nil
}

type hoverResult struct {
	Contents markupContent  `json:"contents"`
	Range    document.Range `json:"range"`
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// inlayHints answers textDocument/inlayHint.
func (s *server) inlayHints(_ context.Context, p *inlayHintParams, _ struct{}) (any, error) {
	list := []inlayHint{}
	doc, open := s.docs.Get(p.Document.URI)
	if !open || s.hunks.Marking() != "hints" {
		return list, nil
	}
	in := p.Range.Protocol()
	for _, h := range doc.Root.Marks.HunksIn(doc.Path) {
		if h.Touches(in) {
			list = append(list, inlayHint{Position: document.FromProtocol(h.Shown).End, Label: "✎ to review: " + h.Size(), PaddingLeft: true})
		}
	}
	return list, nil
}

type inlayHint struct {
	Position    document.Position `json:"position"`
	Label       string            `json:"label"`
	PaddingLeft bool              `json:"paddingLeft"`
}

// getReview is our own request: what is under review in a folder, for an editor that shows it itself.
func (s *server) getReview(ctx context.Context, p *getReviewParams, _ struct{}) (any, error) {
	r := s.folders.Default()
	if p.URI != "" {
		var err error
		if r, _, err = s.folders.Find(ctx, p.URI); err != nil {
			return nil, err
		}
	}
	return r.Hunks.View(ctx), nil
}
