package lsp

import (
	"cmp"
	"slices"

	"coauthor/agent"
)

// problems are what the client told of the open files of a root. A model that looks around is shown them.
func (s *server) problems(r *rootState) []agent.Diagnostic {
	docs := slices.DeleteFunc(s.docs.All(), func(d *openDocument) bool { return d.Root != r || d.Path == "" })
	slices.SortFunc(docs, func(a, b *openDocument) int { return cmp.Compare(a.Path, b.Path) })
	var list []agent.Diagnostic
	for _, doc := range docs {
		list = append(list, s.problemsIn(doc)...)
	}
	return list
}

// problemsIn are those of one document.
func (s *server) problemsIn(doc *openDocument) []agent.Diagnostic {
	var list []agent.Diagnostic
	for _, d := range s.docs.DiagnosticsIn(doc.URI, nil) {
		list = append(list, agent.Diagnostic{
			Path: doc.Path, Line: int(d.Range.Start.Line) + 1, Message: d.Text(), Source: d.Source, Severity: d.SeverityName(),
		})
	}
	return list
}
