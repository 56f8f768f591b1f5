package annotate

import (
	"context"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"coauthor/agent/codereview"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/lsp/document"
)

// Options are what the marks of a folder are made of, all of it required.
type Options struct {
	Workspace *workspace.Workspace
	Proposals *proposal.Store
	// URI names a file of the folder as the client does.
	URI func(path string) string
	// Ranges gives parts of a text in the client's positions.
	Ranges func(text string) func(start, end int) protocol.Range
	// MarkHunks says whether hunks under review are diagnostics here.
	MarkHunks func() bool
	// Publish tells the client all that we say of a document. It waits for nothing.
	Publish func(uri string, list []Diagnostic)
	// Background runs f beside the caller, until the connection ends.
	Background func(f func(context.Context)) bool
}

// Diagnostic is one thing that is said of a file.
type Diagnostic struct {
	Range    document.Range              `json:"range"`
	Severity protocol.DiagnosticSeverity `json:"severity"`
	Source   string                      `json:"source"`
	Code     string                      `json:"code,omitzero"` // of package edits, for a refused hunk
	Message  string                      `json:"message"`
}

// Marks are what is said of the files of a folder. They are safe for concurrent use.
type Marks struct {
	o          Options
	publishing sync.Mutex        // held while the client is told: who tells last tells what is known last
	told       map[string]string // guarded by publishing; the URI under which something was told last of a file

	mu       sync.Mutex
	closed   bool                    // guarded by mu
	found    map[string][]Diagnostic // guarded by mu; by the last review, by path
	rejected []Rejected              // guarded by mu

	hunked map[string]bool // the files with marked hunks; by whoever shows them
}

// New makes the marks of a folder.
func New(o Options) *Marks { return &Marks{o: o, told: map[string]string{}} }

// Close takes away all that is said of the files of the folder, and keeps nothing that is found after it.
func (m *Marks) Close() {
	m.mu.Lock()
	paths := map[string]bool{}
	for path := range m.found {
		paths[path] = true
	}
	for _, one := range m.rejected {
		paths[one.Path] = true
	}
	m.closed, m.found, m.rejected = true, nil, nil
	m.mu.Unlock()
	m.publishing.Lock()
	defer m.publishing.Unlock()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		m.tell(path, nil)
	}
}

// Review shows what a review found, in the place of what the one before it did.
func (m *Marks) Review(found codereview.Review) {
	now := map[string][]Diagnostic{}
	snap := m.o.Workspace.Snapshot()
	for _, f := range found.Findings {
		now[f.Path] = append(now[f.Path], Diagnostic{
			Range: m.line(snap, f.Path, f.Line-1), Severity: severity(f.Severity), Source: "coauthor", Message: f.Message,
		})
	}
	touched := m.swap(now)
	for path := range now {
		touched[path] = true
	}
	m.Publish(slices.Sorted(maps.Keys(touched))...)
}

// ClearReview takes away what the last review found, and returns in how many files that was.
func (m *Marks) ClearReview() (files int) {
	gone := m.swap(nil)
	m.Publish(slices.Sorted(maps.Keys(gone))...)
	return len(gone)
}

// swap notes what was found now, and returns the files of which something was known before.
func (m *Marks) swap(now map[string][]Diagnostic) (before map[string]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before = map[string]bool{}
	for path := range m.found {
		before[path] = true
	}
	if !m.closed {
		m.found = now
	}
	return before
}

// Reviewed says whether the last review found anything in a file.
func (m *Marks) Reviewed(path string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.found[path]) > 0
}

// Publish tells the client all that we say of some files now.
func (m *Marks) Publish(paths ...string) {
	for _, path := range paths {
		m.publish(path)
	}
}

// publishSoon is Publish beside the caller.
func (m *Marks) publishSoon(paths map[string]bool) {
	if len(paths) > 0 {
		m.o.Background(func(context.Context) { m.Publish(slices.Sorted(maps.Keys(paths))...) })
	}
}

func (m *Marks) publish(path string) {
	m.publishing.Lock()
	defer m.publishing.Unlock()
	m.mu.Lock()
	list, closed := slices.Clone(m.found[path]), m.closed
	m.mu.Unlock()
	if !closed {
		list = slices.Concat(list, m.rejectedDiagnostics(path), m.hunkDiagnostics(path))
	}
	m.tell(path, list)
}

// tell tells the client what is said of a file, and that it is not said any more of what the client called the file before.
// The caller holds publishing.
func (m *Marks) tell(path string, list []Diagnostic) {
	uri := m.o.URI(path)
	if old, was := m.told[path]; was && old != uri {
		m.o.Publish(old, []Diagnostic{})
	}
	delete(m.told, path)
	if len(list) > 0 {
		m.told[path] = uri
	} else {
		list = []Diagnostic{}
	}
	m.o.Publish(uri, list)
}

// line is a line of a file, counted from 0, without the white space around it.
func (m *Marks) line(snap *workspace.Snapshot, path string, line int) document.Range {
	text, err := snap.Read(path)
	if err != nil {
		return document.Range{}
	}
	start, end := document.LineAt(text, line)
	return document.FromProtocol(m.o.Ranges(text)(start, end))
}

func severity(name string) protocol.DiagnosticSeverity {
	switch name {
	case "error":
		return protocol.DiagnosticSeverityError
	case "warning":
		return protocol.DiagnosticSeverityWarning
	}
	return protocol.DiagnosticSeverityInformation
}
