package codeaction

import (
	"testing"

	"go.lsp.dev/protocol"

	"coauthor/agent/custom"
	"coauthor/edits"
	"coauthor/lsp/document"
)

// Commands of the user's own that a menu has no room for are behind its last offer.
func TestOwnCommandsFitTheRoom(t *testing.T) {
	own := []custom.Command{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}}
	for _, x := range []struct {
		of, room int
		want     string
	}{{2, 9, "a b "}, {2, 1, "… "}, {2, 0, "… "}, {3, 2, "a … "}, {5, 9, "a b c … "}, {4, 9, "a b c d "}} {
		var now Context
		(&Place{}).Own(&now, own[:x.of], x.room)
		got := ""
		for _, c := range now.Custom {
			if c.Name == "" {
				c.Name = "…"
			}
			got += c.Name + " "
		}
		if got != x.want {
			t.Errorf("%d commands in a room of %d: %q, want %q", x.of, x.room, got, x.want)
		}
	}
}

// A selection of prose is what it says; in a file of the folder it is no command.
func TestProse(t *testing.T) {
	text := "A word.\n/ask why\n"
	lines := document.LinesOf(text, false)
	prose := func(path string, start, end int, prompt bool) string {
		now := Context{Prompt: prompt}
		(&Place{Path: path, Lines: lines, Start: start, End: end}).Prose(t.Context(), &now)
		return now.Prose
	}
	for _, x := range []struct {
		path       string
		start, end int
		prompt     bool
		want       string
	}{
		{"a.md", 0, 7, false, "A word."}, {"a.md", 7, 7, false, ""}, {"", 0, 7, false, ""},
		{"a.md", 8, 16, false, ""}, {"a.md", 8, 16, true, "/ask why"},
	} {
		if got := prose(x.path, x.start, x.end, x.prompt); got != x.want {
			t.Errorf("%+v: %q", x, got)
		}
	}
}

// Near a change is what is at most so many lines from where its lines are now.
func TestNear(t *testing.T) {
	before := ""
	for range 40 {
		before += "line\n"
	}
	after := "new\n" + before
	lines := document.LinesOf(after, false)
	change := edits.Change{Op: edits.OpUpdate, Before: before, After: after}
	for line, want := range map[uint32]bool{0: true, nearLines: true, nearLines + 2: false, 39: false} {
		at := protocol.Position{Line: line}
		p := Place{Lines: lines, Encoding: document.UTF16, Range: protocol.Range{Start: at, End: at}}
		if got := p.near(change); got != want {
			t.Errorf("line %d: near %v, want %v", line, got, want)
		}
	}
}
