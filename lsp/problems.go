package lsp

import (
	"cmp"
	"slices"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/lsp/document"
)

// problems are what the client told of the open files of a root. A model that looks around is shown them.
func (d *documents) problems(r *rootState) []agent.Diagnostic {
	docs := slices.DeleteFunc(d.All(), func(d *openDocument) bool { return d.Root != r || d.Path == "" })
	slices.SortFunc(docs, func(a, b *openDocument) int { return cmp.Compare(a.Path, b.Path) })
	var list []agent.Diagnostic
	for _, doc := range docs {
		list = append(list, d.problemsIn(doc)...)
	}
	return list
}

// problemsIn are those of one document.
func (d *documents) problemsIn(doc *openDocument) []agent.Diagnostic {
	var list []agent.Diagnostic
	for _, d := range d.DiagnosticsIn(doc.URI, nil) {
		list = append(list, agent.Diagnostic{
			Path: doc.Path, Line: int(d.Range.Start.Line) + 1, Message: d.Text(), Source: d.Source, Severity: d.SeverityName(),
		})
	}
	return list
}

// complainedAt are what other servers complain about in a place of the user's, the worst first.
func (d *documents) complainedAt(place actionPlace, ours bool) []document.Diagnostic {
	if ours || place.doc.Path == "" {
		return nil
	}
	return d.complainedIn(place.doc.URI, &place.rng)
}

// complainedIn are what other servers complain about in a document, or in a range of it, and what a review of ours found
// there, the worst first. Hints are no complaints.
func (d *documents) complainedIn(uri string, in *protocol.Range) []document.Diagnostic {
	list := slices.DeleteFunc(d.DiagnosticsIn(uri, in), func(d document.Diagnostic) bool {
		marks := d.Source == section && len(d.Code) > 0 // ours, which have actions of their own
		return marks || d.Text() == "" || d.SeverityName() == "hint"
	})
	worst := []string{"error", "warning", "", "information"}
	slices.SortStableFunc(list, func(a, b document.Diagnostic) int {
		return cmp.Or(cmp.Compare(slices.Index(worst, a.SeverityName()), slices.Index(worst, b.SeverityName())), cmp.Compare(a.Range.Start.Line, b.Range.Start.Line))
	})
	return list
}

// told are diagnostics of a file in the words of package agent.
func told(path string, list []document.Diagnostic) []agent.Diagnostic {
	var out []agent.Diagnostic
	for _, d := range list {
		out = append(out, agent.Diagnostic{Path: path, Line: int(d.Range.Start.Line) + 1, Message: d.Text(), Source: d.Source})
	}
	return out
}
