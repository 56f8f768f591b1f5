package lsp

import (
	"context"

	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
)

// Code lenses stand above what can be decided on, in the clients that have them.

// codeLens is one of them.
type codeLens struct {
	Range   document.Range `json:"range"`
	Command lensCommand    `json:"command"`
}

type lensCommand struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

// lensAt makes a lens above a line.
func lensAt(line int, title, id string, argument map[string]any) codeLens {
	at := document.Position{Line: document.Unit(line)}
	return codeLens{Range: document.Range{Start: at, End: at}, Command: lensCommand{Title: title, Command: command.CommandPrefix + id, Arguments: []any{argument}}}
}

// codeLenses answers textDocument/codeLens.
func (s *server) codeLenses(_ context.Context, p *codeLensParams, _ struct{}) (any, error) {
	list := []codeLens{} // an empty list is no null, which some clients take for a fault
	doc, open := s.docs.Get(p.Document.URI)
	var path, text string
	if open {
		path, text = doc.Path, doc.Text
	} else if text, open = s.own.Content(p.Document.URI); !open {
		return list, nil
	}
	if doc != nil {
		list = append(list, hunkLenses(doc, s.docs.uris(doc.Root))...)
	}
	if of, ok := shownIn(&s.own, p.Document.URI, path); ok && of.Pending() && of.Shown == of.Revision {
		list = append(list, diffLenses(&of, p.Document.URI, text)...)
	}
	return list, nil
}

// hunkLenses are those of a document with hunks under review: Keep and Undo above each.
func hunkLenses(doc *folder.Document, uris func(path string) string) (list []codeLens) {
	for _, h := range doc.Root.Marks.HunksIn(doc.Path) {
		args := map[string]any{"uri": doc.URI, "proposalId": h.Proposal, "files": []string{uris(h.Path)}, "hunks": []int{h.Number}}
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

// diffLenses are those of the document with the diff of a proposal: above all of it, each file and each hunk.
func diffLenses(p *proposal.Proposal, uri, text string) []codeLens {
	named := func(files []string, hunks []int) map[string]any {
		args := map[string]any{"uri": uri, "proposalId": p.ID, "revision": p.Revision, "turnId": p.Turn}
		if files != nil {
			args["files"] = files
		}
		if hunks != nil {
			args["hunks"] = hunks
		}
		return args
	}
	all := named(nil, nil)
	list := []codeLens{lensAt(0, "Apply all ("+review.OpenSize(p)+")", "apply", all), lensAt(0, "Discard all", "discard", all)}
	for _, h := range review.Heads(p, text) {
		what := "file"
		if h.Hunks != nil {
			what = "hunk"
		}
		args := named(h.Files, h.Hunks)
		list = append(list, lensAt(h.Line, "Apply "+what, "apply", args), lensAt(h.Line, "Discard "+what, "discard", args))
	}
	return list
}
