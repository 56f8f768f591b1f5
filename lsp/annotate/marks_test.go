package annotate

import (
	"fmt"
	"slices"
	"testing"

	"go.lsp.dev/protocol"

	"coauthor/agent/codereview"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
)

// What is said of a file is taken away under the name that the client had for it when it was said, a new review takes the
// place of the last one, and nothing is said after the end.
func TestWhatIsSaidOfAFile(t *testing.T) {
	ws, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	scheme := "file:"
	var told []string
	m := New(Options{
		Workspace: ws,
		URI:       func(path string) string { return scheme + path },
		Proposals: proposal.NewStore("/root", proposal.StoreOptions{}),
		Ranges: func(string) func(int, int) protocol.Range {
			return func(int, int) protocol.Range { return protocol.Range{} }
		},
		MarkHunks: func() bool { return false },
		Publish:   func(uri string, list []Diagnostic) { told = append(told, fmt.Sprint(uri, " ", len(list))) },
	})
	review := func(paths ...string) {
		var found codereview.Review
		for _, path := range paths {
			found.Findings = append(found.Findings, codereview.Finding{Path: path, Line: 1, Message: "odd"})
		}
		m.Review(found)
	}
	is := func(want ...string) {
		t.Helper()
		if !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
		told = nil
	}
	review("a", "b", "a")
	is("file:a 2", "file:b 1")
	scheme = "FILE:"
	review("b")
	is("file:a 0", "FILE:a 0", "file:b 0", "FILE:b 1")
	if m.Reviewed("a") || !m.Reviewed("b") {
		t.Errorf("the last review is not the one that counts")
	}
	if n := m.ClearReview(); n != 1 {
		t.Errorf("cleared %d files", n)
	}
	is("FILE:b 0")
	review("b")
	is("FILE:b 1")
	m.Close()
	is("FILE:b 0")
	review("b")
	if m.Reviewed("b") {
		t.Error("the end was not the end")
	}
}
