package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
)

// What was applied at once stands under review (package proposal has it), at the places that package annotate finds: here
// it is followed, counted and offered.

// countHunks says how much is under review.
func countHunks(r *proposal.Review) string {
	files := map[string]bool{}
	n := 0
	for _, f := range r.Files {
		files[f.Path] = true
		n += len(f.Hunks)
	}
	changes := "1 change"
	if n != 1 {
		changes = fmt.Sprintf("%d changes", n)
	}
	return changes + " in " + review.CountFiles(len(files))
}

// hunkArguments name a hunk to a command.
func (d *documents) hunkArguments(r *folder.Folder, h *annotate.Hunk, uri string) map[string]any {
	return map[string]any{"uri": uri, "proposalId": h.Proposal, "files": []string{d.uriOf(r, h.Path)}, "hunks": []int{h.Number}}
}

// follows tells the review what a document reads. It waits for nothing: for one that is not open any more the disk is
// read beside the caller.
func (s *server) follows(r *folder.Folder, path string) {
	store := r.Session.Proposals
	if !store.Reviewing() {
		return
	}
	now := r.Workspace.Snapshot()
	if _, open := s.docs.document(r, path); open {
		store.Follow(path, now)
		return
	}
	s.tasks.Background(func(ctx context.Context) { store.Follow(path, now.Within(ctx)) })
}

// How hunks under review are seen in documents: code lenses above them, the old text in a hover, and marks as inlay hints
// or diagnostics.

// hunkLenses are those of a document: Keep and Undo above each hunk.
func (s *server) hunkLenses(doc *folder.Document) (list []codeLens) {
	for _, h := range doc.Root.Marks.HunksIn(doc.Path) {
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
	hunks := doc.Root.Marks.HunksAt(doc.Path, at)
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
func (s *server) marks(r *folder.Folder) string {
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

// withoutMarks are diagnostics without those marks, which are no complaints.
func withoutMarks(list []document.Diagnostic) []document.Diagnostic {
	return slices.DeleteFunc(list, func(d document.Diagnostic) bool {
		return d.Source == "coauthor" && strings.HasPrefix(d.Text(), annotate.ToReview)
	})
}

// reviewChanged is told when what is under review in a root may have changed. It returns at once.
func (s *server) reviewChanged(r *folder.Folder) {
	s.tasks.Coalesce(&r.Reviewing, func(ctx context.Context) { s.showReview(ctx, r) })
}

// showReview shows what is under review in a root now.
func (s *server) showReview(ctx context.Context, r *folder.Folder) {
	s.refreshLenses()
	reviewed := r.Session.Proposals.Reviewed()
	if s.marks(r) == "hints" {
		s.registerHints(ctx)
		s.client.RefreshHints(ctx)
	}
	r.Marks.ShowHunks(&reviewed)
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

// viewReview describes what is under review in the client's positions.
func (s *server) viewReview(r *folder.Folder, reviewed *proposal.Review) reviewView {
	v := reviewView{URI: r.URI(), Files: make([]reviewFile, 0, len(reviewed.Files))}
	for i := range reviewed.Files {
		f := &reviewed.Files[i]
		one := reviewFile{URI: s.docs.uriOf(r, f.Path), Op: string(f.Op), TurnID: f.Turn, ProposalID: f.Proposal, Label: display.Message(f.Label),
			Hunks: make([]reviewHunk, 0, len(f.Hunks))}
		if f.From != "" {
			one.OldURI = document.URIOfPath(filepath.Join(r.Dir, filepath.FromSlash(f.From)))
		}
		if doc, open := s.docs.document(r, f.Path); open && doc.Text == f.Text {
			one.Version = &doc.Version
		}
		for _, h := range r.Marks.Hunks(f) {
			hunk := reviewHunk{Number: h.Number, OldText: h.Old, Touched: h.Touched}
			if f.Op != edits.OpDelete {
				at := document.FromProtocol(h.Range)
				hunk.Range = &at
			}
			one.Hunks = append(one.Hunks, hunk)
		}
		v.Files = append(v.Files, one)
	}
	return v
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
	reviewed := r.Session.Proposals.Review(r.Workspace.Snapshot().Within(ctx))
	return s.viewReview(r, &reviewed), nil
}
