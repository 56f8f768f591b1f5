package lsp

import (
	"context"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"coauthor/lsp/document"
)

// What we say of files stands beside what other servers say, as diagnostics: what a review found, and where edits were
// refused. A client is told all of a file at once.

// marked is what the last reviews found, by root and URI. The zero value is ready.
type marked struct {
	mu   sync.Mutex
	docs map[*rootState]map[string][]diagnostic // guarded by mu
}

// swap notes what was found now, and returns the documents of which something was known before.
func (m *marked) swap(r *rootState, now map[string][]diagnostic) (before []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before = slices.Sorted(maps.Keys(m.docs[r]))
	if m.docs == nil {
		m.docs = map[*rootState]map[string][]diagnostic{}
	}
	m.docs[r] = now
	return before
}

// has says whether anything was found in a document.
func (m *marked) has(r *rootState, uri string) bool { return len(m.in(r, uri)) > 0 }

// in is what was found in a document.
func (m *marked) in(r *rootState, uri string) []diagnostic {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.docs[r][uri])
}

// forget takes away all that is known of a root, and returns its documents.
func (m *marked) forget(r *rootState) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	uris := slices.Sorted(maps.Keys(m.docs[r]))
	delete(m.docs, r)
	return uris
}

// endMarks takes away all that we say of the files of a root that is no longer open.
func (s *server) endMarks(r *rootState) {
	uris := map[string]bool{}
	for _, uri := range s.marked.forget(r) {
		uris[uri] = true
	}
	for _, one := range s.refused.forget(r) {
		uris[s.uriOf(r, one.path)] = true
	}
	for _, uri := range slices.Sorted(maps.Keys(uris)) {
		s.diagnose(r, uri, "")
	}
}

// keepMarks takes the marks of a root away again when it was closed while they were made.
func (s *server) keepMarks(r *rootState) {
	if s.roots.get(r.dir) != r {
		s.endMarks(r)
	}
}

// diagnosePaths tells the client beside the caller what we say of files now.
func (s *server) diagnosePaths(r *rootState, paths map[string]bool) {
	if len(paths) == 0 {
		return
	}
	s.background(func(context.Context) {
		for _, path := range slices.Sorted(maps.Keys(paths)) {
			s.diagnose(r, s.uriOf(r, path), path)
		}
	})
}

// diagnoseAgain is diagnose for who knows the URI alone.
func (s *server) diagnoseAgain(r *rootState, uri string) {
	_, path, _ := s.locate(uri)
	s.diagnose(r, uri, path)
}

// diagnose tells the client all that we say of a document now.
func (s *server) diagnose(r *rootState, uri, path string) {
	s.telling.Lock() // who tells last tells what is known last
	defer s.telling.Unlock()
	list := append(s.marked.in(r, uri), slices.Concat(s.refusedDiagnostics(r, path), s.hunkDiagnostics(r, path))...)
	if list == nil {
		list = []diagnostic{}
	}
	s.client.Notify(protocol.MethodTextDocumentPublishDiagnostics, &diagnosticsOf{URI: uri, Diagnostics: list})
}

// diagnosticsOf is what a server says of a document.
type diagnosticsOf struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// diagnostic is one of them.
type diagnostic struct {
	Range    document.Range              `json:"range"`
	Severity protocol.DiagnosticSeverity `json:"severity"`
	Source   string                      `json:"source"`
	Code     string                      `json:"code,omitzero"` // of package edits, for a refused edit
	Message  string                      `json:"message"`
}
