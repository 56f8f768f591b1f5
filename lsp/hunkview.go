package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
)

// How hunks under review are seen in documents: code lenses above them, the old text in a hover, and marks as inlay hints
// or diagnostics.

// hunkLenses are those of a document: Keep and Undo above each hunk.
func (s *server) hunkLenses(doc *openDocument) (list []codeLens) {
	for _, h := range s.placedIn(doc) {
		args := s.hunkArguments(doc.Root, &h, doc.URI)
		line, about := int(h.shown.Start.Line), ""
		if h.Number == 0 {
			about = " " + h.what()
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

// hoverLines is how many lines of an old text a hover bears.
const hoverLines = 40

// hover answers textDocument/hover: what stood in the place of a hunk under review before. Elsewhere it has nothing to say.
func (s *server) hover(_ context.Context, p *hoverParams, _ struct{}) (any, error) {
	doc, open := s.docs.Get(p.Document.URI)
	if !open {
		return nil, nil
	}
	at := document.Range{Start: p.Position, End: p.Position}.Protocol()
	for _, h := range s.hunksAt(doc, at) {
		return hoverResult{Contents: s.oldText(&h), Range: document.FromProtocol(h.rng)}, nil
	}
	return nil, nil
}

type hoverResult struct {
	Contents markupContent  `json:"contents"`
	Range    document.Range `json:"range"`
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// oldText tells what a hunk has changed.
func (s *server) oldText(h *placedHunk) markupContent {
	head := fmt.Sprintf("Coauthor, to review (%s): %s", h.size(), display.Message(h.file.Label))
	switch {
	case h.Number == 0 && h.file.Op == edits.OpCreate:
		head += "\nThis file is new."
	case h.Number == 0 && h.file.Op == edits.OpRename:
		head += "\nThis file was renamed from " + display.Message(h.file.From) + "."
	case h.Old == "":
		head += "\nThese lines are new."
	default:
		head += "\nBefore:"
	}
	if h.Touched {
		head += "\nYou have since changed these lines."
	}
	var old []string
	if h.Old != "" && h.Number > 0 {
		old = document.SplitLines(h.Old)
	}
	if left := len(old) - hoverLines; left > 0 {
		old = append(old[:hoverLines:hoverLines], fmt.Sprintf("… %d more lines", left))
	}
	for i := range old {
		old[i] = "-" + display.Text(old[i])
	}
	if !s.client.Caps.HoverMarkdown {
		return markupContent{"plaintext", strings.Join(append([]string{head}, old...), "\n")}
	}
	// Each line of the head is a paragraph, and nothing in it is markup.
	var b strings.Builder
	for line := range strings.Lines(head) {
		b.WriteString(literal(strings.TrimSuffix(line, "\n")) + "\n\n")
	}
	if len(old) > 0 {
		body := strings.Join(old, "\n")
		fence := strings.Repeat("`", max(3, longestRun(body, '`')+1))
		b.WriteString(fence + "diff\n" + body + "\n" + fence)
	}
	return markupContent{"markdown", strings.TrimSpace(b.String())}
}

// literal writes a line so that Markdown shows it as it is.
func literal(line string) string {
	var b strings.Builder
	for _, r := range line {
		if strings.ContainsRune("\\`*_{}[]<>#!|~&$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// longestRun is the longest row of a character in a text.
func longestRun(text string, of rune) (most int) {
	n := 0
	for _, r := range text {
		if n++; r != of {
			n = 0
		}
		most = max(most, n)
	}
	return most
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
	for _, h := range s.placedIn(doc) {
		if h.touches(in) {
			list = append(list, inlayHint{Position: document.FromProtocol(h.shown).End, Label: "✎ to review: " + h.size(), PaddingLeft: true})
		}
	}
	return list, nil
}

type inlayHint struct {
	Position    document.Position `json:"position"`
	Label       string            `json:"label"`
	PaddingLeft bool              `json:"paddingLeft"`
}

// hunkDiagnostics are the marks of a file as diagnostics.
func (s *server) hunkDiagnostics(r *rootState, path string) (list []annotate.Diagnostic) {
	if !r.session.Proposals().Reviewing() || s.marks(r) != "diagnostics" {
		return nil
	}
	reviewed := r.session.Proposals().Reviewed()
	for _, f := range reviewed.Of(path) {
		if f.Op == edits.OpDelete {
			continue
		}
		for _, h := range s.placed(&f) {
			list = append(list, annotate.Diagnostic{Range: document.FromProtocol(h.shown), Severity: protocol.DiagnosticSeverityInformation, Source: "coauthor", Code: codeReview,
				Message: fmt.Sprintf(toReview+"%s): keep or undo %s.", h.size(), display.Message(h.what()))})
		}
	}
	return list
}

// codeReview is the code of these diagnostics, and toReview is how they begin.
const codeReview, toReview = "review", "To review ("

// withoutMarks are diagnostics without those marks, which are no complaints.
func withoutMarks(list []document.Diagnostic) []document.Diagnostic {
	return slices.DeleteFunc(list, func(d document.Diagnostic) bool {
		return d.Source == "coauthor" && strings.HasPrefix(d.Text(), toReview)
	})
}

// reviewChanged is told when what is under review in a root may have changed. It returns at once.
func (s *server) reviewChanged(r *rootState) {
	if !r.reviewing.begin() {
		return
	}
	if !s.background(func(ctx context.Context) {
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
	now := map[string]bool{}
	if s.marks(r) == "diagnostics" {
		for _, f := range reviewed.Files {
			now[f.Path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.marked)) {
		if !now[path] {
			r.marks.Publish(path)
		}
	}
	r.marks.Publish(slices.Sorted(maps.Keys(now))...)
	r.marked = now
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
