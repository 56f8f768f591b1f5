package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
)

// How hunks under review are seen in documents: code lenses above them, the old text in a hover, and marks as inlay hints
// or diagnostics.

// hunkLenses are those of a document: Keep and Undo above each hunk.
func (s *server) hunkLenses(doc *openDocument) (list []codeLens) {
	for _, h := range doc.Root.marks.HunksIn(doc.Path) {
		args := s.docs.hunkArguments(doc.Root, &h, doc.URI)
		line, about := int(h.Shown.Start.Line), ""
		if h.Number == 0 {
			about = " " + h.What()
		}
		keep := "Keep" + about
		if h.Touched {
			keep += " (changed since)"
		}
		list = append(list, lensAt(line, display.Message(keep), "keep", args))
		if !h.Touched {
			list = append(list, lensAt(line, display.Message("Undo"+about), "undoHunk", args))
		}
	}
	return list
}

// hover answers textDocument/hover: what stood in the place of a hunk under review before. Elsewhere it has nothing to say.
func (s *server) hover(_ context.Context, p *hoverParams, _ struct{}) (any, error) {
	doc, open := s.docs.Get(p.Document.URI)
	if !open {
		return nil, nil
	}
	at := document.Range{Start: p.Position, End: p.Position}.Protocol()
	hunks := doc.Root.marks.HunksAt(doc.Path, at)
	if len(hunks) == 0 {
		return nil, nil
	}
	h := hunks[0]
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

// marks is how hunks under review are marked in the documents of a root: hints, diagnostics, or none.
func (s *server) marks(r *rootState) string {
	if set := s.settings(r).PreviewMarks; set != "auto" {
		return set
	}
	if s.client.Caps.Review || s.client.Quirks.Marks == "" {
		return "none"
	}
	return s.client.Quirks.Marks
}

// inlayHints answers textDocument/inlayHint.
func (s *server) inlayHints(_ context.Context, p *inlayHintParams, _ struct{}) (any, error) {
	list := []inlayHint{}
	doc, open := s.docs.Get(p.Document.URI)
	if !open || s.marks(doc.Root) != "hints" {
		return list, nil
	}
	in := p.Range.Protocol()
	for _, h := range doc.Root.marks.HunksIn(doc.Path) {
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

// withoutMarks are diagnostics without those marks, which are no complaints.
func withoutMarks(list []document.Diagnostic) []document.Diagnostic {
	return slices.DeleteFunc(list, func(d document.Diagnostic) bool {
		return d.Source == "coauthor" && strings.HasPrefix(d.Text(), annotate.ToReview)
	})
}

// reviewChanged is told when what is under review in a root may have changed. It returns at once.
func (s *server) reviewChanged(r *rootState) {
	if !r.reviewing.begin() {
		return
	}
	if !s.tasks.background(func(ctx context.Context) {
		for more := true; more; more = r.reviewing.more() && ctx.Err() == nil {
			s.showReview(ctx, r)
		}
	}) {
		r.reviewing.more()
	}
}

// showReview shows what is under review in a root now.
func (s *server) showReview(ctx context.Context, r *rootState) {
	s.refreshLenses()
	reviewed := r.session.Proposals().Reviewed()
	if s.marks(r) == "hints" {
		s.registerHints(ctx)
		s.client.RefreshHints(ctx)
	}
	r.marks.ShowHunks(&reviewed)
	if s.client.Caps.Review {
		s.client.Notify(methodReview, s.viewReview(r, &reviewed))
	}
}

// registerHints declares inlay hints to a client that is to have them and was not told so at the beginning.
func (s *server) registerHints(ctx context.Context) {
	if !s.client.Caps.RegisterInlayHint {
		return
	}
	s.hunks.hinting.Do(func() {
		if err := s.client.Register(ctx, "coauthor-hints", protocol.MethodTextDocumentInlayHint, map[string]any{"documentSelector": nil}); err != nil {
			s.log.Info("hunks under review not marked by inlay hints", "err", err)
		}
	})
}
