package deliver

import (
	"context"
	"slices"
	"testing"

	"coauthor/lsp/client"
)

// A document that a delete leaves open goes to a name of our own folder that nobody has; where there is no such folder
// it stays.
func TestNamesAside(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(e *fakeEditor)
		sent   string
		want   string
	}{
		{"none is taken", func(*fakeEditor) {}, "a>.coauthor/undone-1-a", "a landed*"},
		{"some are files", func(e *fakeEditor) { e.write(".coauthor/undone-1-a", ""); e.write(".coauthor/undone-2-a", "") }, "a>.coauthor/undone-3-a", "a landed*"},
		{"one is open", func(e *fakeEditor) { e.Put(".coauthor/undone-1-a", "", 1) }, "a>.coauthor/undone-2-a", "a landed*"},
		{"the folder is a file", func(e *fakeEditor) { e.write(".coauthor", "") }, "-a", "a unknown"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: client.Quirks{DeleteKeepsDocument: true}, files: "a:"})
			test.before(e)
			if got := e.deliver("-a"); got != test.want || !slices.Equal(e.requests(), []string{test.sent}) || e.disk("a") != "-" {
				t.Errorf("%q, sent %q", got, e.requests())
			}
		})
	}
}

// An emptied document is closed only where nothing is lost with it.
func TestClosingWhatIsEmptied(t *testing.T) {
	for _, test := range []struct {
		name  string
		first func(e *fakeEditor) // behind the emptying
		last  func(e *fakeEditor) // before the closing
		sent  int
		want  string
		reads string
	}{
		{"empty", nil, nil, 2, "a landed", "-"},
		{"a line break", func(e *fakeEditor) { e.Type("a", "\r\n") }, nil, 2, "a landed", "-"},
		{"being changed", func(e *fakeEditor) {
			doc, _ := e.open(e.uri("a"))
			doc.Uncertain = true
			e.store(doc)
		}, nil, 1, "a landed*", ""},
		{"saved", func(e *fakeEditor) { e.write("a", "saved\n") }, nil, 1, "a landed*", ""},
		{"closed by the user", func(e *fakeEditor) { e.Close("a") }, nil, 1, "a landed", "-"},
		{"typed then", nil, func(e *fakeEditor) { e.Type("a", "typed\n") }, 2, "a landed*", "typed\n"},
		{"not closed", nil, func(*fakeEditor) {}, 2, "a landed*", ""},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{files: "a!"})
			e.answer = func(_ context.Context, n int, do func() client.Answer) (client.Answer, error) {
				if n == 1 && test.last != nil {
					test.last(e)
					return client.Answer{}, nil
				}
				answer := do()
				if n == 0 && test.first != nil {
					test.first(e)
				}
				return answer, nil
			}
			if got := e.deliver("-a"); got != test.want || len(e.requests()) != test.sent || e.reads("a") != test.reads {
				t.Errorf("%q, want %q; sent %q; a reads %q", got, test.want, e.requests(), e.reads("a"))
			}
		})
	}
}
