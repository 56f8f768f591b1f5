package lsp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"coauthor/agent/command/arg"
	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
)

func at(line, from, to uint32) protocol.Range {
	return protocol.Range{Start: protocol.Position{Line: line, Character: from}, End: protocol.Position{Line: line, Character: to}}
}

func wireAt(line, from, to uint32) *document.Range {
	r := document.FromProtocol(at(line, from, to))
	return &r
}

// A command that names no document is about the one that the user was in last, in the selection that was told of it
// last. What the server wrote itself is no such document, a prompt document is the one that is run.
func TestWhereTheUserIs(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\n", "b": "b\n", ".coauthor/prompt-1.md": "p\n", ".coauthor/turn-1.diff": "d\n"}, nil)
	ctx := context.Background()
	is := func(what, focused, front, prompt string, selection *protocol.Range) {
		t.Helper()
		name := func(doc *folder.Document) string {
			if doc == nil {
				return ""
			}
			return doc.Path
		}
		doc, sel := d.s.docs.LastFocused()
		if name(doc) != focused || (sel == nil) != (selection == nil) || sel != nil && *sel != *selection {
			t.Errorf("%s: in %q at %v, want %q at %v", what, name(doc), sel, focused, selection)
		}
		if got := name(d.s.docs.InFront()); got != front {
			t.Errorf("%s: in front is %q, want %q", what, got, front)
		}
		if got := d.s.docs.LastPrompt(); got != "" && d.path(got) != prompt || got == "" && prompt != "" {
			t.Errorf("%s: the prompt is %q, want %q", what, got, prompt)
		}
	}
	note := func(uri string, r *document.Range) {
		t.Helper()
		if err := d.s.docs.didFocus(ctx, &didFocusParams{URI: uri, Range: r}); err != nil {
			t.Fatal(err)
		}
	}
	sel := at(1, 0, 2)
	is("at the start", "", "", "", nil)
	d.open("a")
	is("opened a", "a", "a", "", nil)
	d.open("b")
	is("opened b", "b", "b", "", nil)
	note(d.uri("a"), wireAt(1, 0, 2))
	is("went to a", "a", "a", "", &sel)
	note(d.uri("elsewhere"), wireAt(0, 0, 1))
	is("went to what is not open", "a", "a", "", &sel)
	note(d.uri("b"), nil)
	note(d.uri("a"), nil)
	is("came back to a", "a", "a", "", &sel)
	d.open(".coauthor/turn-1.diff")
	is("looks at a diff", "a", ".coauthor/turn-1.diff", "", &sel)
	d.open(".coauthor/prompt-1.md")
	is("writes a prompt", "a", ".coauthor/prompt-1.md", ".coauthor/prompt-1.md", &sel)
	d.typed("b", "typed\n")
	is("types into b", "b", "b", ".coauthor/prompt-1.md", nil)
	if err := d.s.didSave(ctx, &documentParams{Document: documentID{URI: d.uri("a")}}); err != nil {
		t.Fatal(err)
	}
	is("saves a", "a", "a", ".coauthor/prompt-1.md", &sel)
	if c := d.s.captureCodeAction(&codeActionParams{Document: documentID{URI: d.uri("b")}, Range: *wireAt(0, 1, 3)}); c.doc == nil || c.doc.Path != "b" || !c.Selection() {
		t.Errorf("%+v", c)
	}
	other := at(0, 1, 3)
	is("asks for actions in b", "b", "b", ".coauthor/prompt-1.md", &other)
	d.typed("b", "typed again\n")
	is("types over the selection", "b", "b", ".coauthor/prompt-1.md", nil)
	note(d.uri("a"), nil)
	is("a still has its own", "a", "a", ".coauthor/prompt-1.md", &sel)
	d.close("a")
	is("closed a", "", "", ".coauthor/prompt-1.md", nil)
	d.open("a")
	is("opened a again", "a", "a", ".coauthor/prompt-1.md", nil)
	d.close(".coauthor/prompt-1.md")
	is("closed the prompt", "a", "a", "", nil)
	if err := d.s.didSave(ctx, &documentParams{Document: documentID{URI: d.uri("never")}}); err != nil {
		t.Errorf("a save of a file that is not open: %v", err)
	}
	if err := d.s.didClose(ctx, &documentParams{Document: documentID{URI: d.uri("never")}}); err == nil {
		t.Error("a document that is not open was closed")
	}
	if err := d.s.didOpen(ctx, &didOpenParams{}); err == nil {
		t.Error("a document without a URI was opened")
	}
	v := 1.0
	if err := d.s.didChange(ctx, &didChangeParams{Document: documentID{URI: d.uri("never"), Version: &v}, Changes: []byte(`[{"text":"x"}]`)}); err == nil {
		t.Error("a document that is not open was changed")
	}
}

// What a command is about: the place that it names, as far as it can be known.
func TestTargetOfACommand(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"open": "one\ntwo\n", "closed": "uno\ndos\n", "block": "x"}, func(_ *client.Capabilities, q *client.Quirks) { q.BlockCursor = true })
	d.s.docs.encoding = document.UTF16
	d.open("open")
	outside := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(outside, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, args string
		path       string
		start, end int
		fails      bool
	}{
		{"nothing named", `{}`, "open", 0, 0, false},
		{"a range of the last document", `{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}}`, "open", 4, 7, false},
		{"the whole document", `{"uri":"$open"}`, "open", 0, 0, false},
		{"a range", `{"uri":"$open","range":{"start":{"line":0,"character":1},"end":{"line":1,"character":1}}}`, "open", 1, 5, false},
		{"a range from its end", `{"uri":"$open","range":{"start":{"line":1,"character":1},"end":{"line":0,"character":1}}}`, "open", 1, 5, false},
		{"where a block cursor stands", `{"uri":"$open","range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}}}`, "open", 1, 1, false},
		{"two characters", `{"uri":"$open","range":{"start":{"line":0,"character":1},"end":{"line":0,"character":3}}}`, "open", 1, 3, false},
		{"the version that is there", `{"uri":"$open","version":1}`, "open", 0, 0, false},
		{"an older version", `{"uri":"$open","version":0}`, "open", 0, 0, false},
		{"a version to come", `{"uri":"$open","version":2}`, "", 0, 0, true},
		{"a closed file", `{"uri":"$closed"}`, "closed", 0, 0, false},
		{"a range of a closed file", `{"uri":"$closed","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}}`, "closed", 4, 7, false},
		{"a range of no file", `{"uri":"$none","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}}`, "none", 0, 0, true},
		{"no file at all", `{"uri":"untitled:x","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}}`, "", 0, 0, false},
		{"as a document", `{"textDocument":{"uri":"$closed"}}`, "closed", 0, 0, false},
	} {
		text := c.args
		for _, name := range []string{"open", "closed", "none"} {
			text = strings.ReplaceAll(text, "$"+name, d.uri(name))
		}
		var place placeArgs
		if err := arg.Decode([]json.RawMessage{json.RawMessage(text)}, argsOf(t, "edit"), &place); err != nil {
			t.Fatal(err)
		}
		got, err := d.s.target(&place)
		if err == nil {
			err = got.find(t.Context(), d.s.folders, &d.s.docs)
		}
		if (err != nil) != c.fails || err == nil && (got.path != c.path || got.start != c.start || got.end != c.end || got.root != d.root || got.snapshot == nil) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if err != nil {
			continue
		}
		if r := got.request(); (r == nil) != (c.path == "") || r != nil && (r.Path != c.path || r.Start != c.start || r.End != c.end) {
			t.Errorf("%s: the request is about %+v", c.name, r)
		}
		if got.whole() != (c.start == c.end) {
			t.Errorf("%s: whole %v", c.name, got.whole())
		}
	}
	if list, err := d.s.folders.Paths(d.root, []string{"a/b", d.uri("x/y")}); err != nil || strings.Join(list, " ") != "a/b x/y" {
		t.Errorf("%q, %v", list, err)
	}
	for _, bad := range []string{document.URIOfPath(outside), d.uri(""), "untitled://x"} {
		if list, err := d.s.folders.Paths(d.root, []string{"a", bad}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %q, %v", bad, list, err)
		}
	}
}

// The complaints about a document are those that the client told last, as far as they touch the range.
func TestComplaintsOfARange(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": lineText(9), "b": "b\n"}, nil)
	tell := func(path string, lines ...[2]uint32) {
		t.Helper()
		p := &diagnosticsParams{URI: d.uri(path)}
		for _, l := range lines {
			var c document.Diagnostic
			c.Range.Start.Line, c.Range.End.Line = document.Unit(l[0]), document.Unit(l[1])
			p.Diagnostics = append(p.Diagnostics, c)
		}
		if err := d.s.didDiagnose(context.Background(), p); err != nil {
			t.Fatal(err)
		}
	}
	tell("a", [2]uint32{0, 0})
	d.open("a")
	if got := d.s.docs.DiagnosticsIn(d.uri("a"), nil); len(got) != 0 {
		t.Errorf("of a document that was not open: %+v", got)
	}
	tell("a", [2]uint32{1, 1}, [2]uint32{3, 5}, [2]uint32{7, 7})
	for _, c := range []struct{ from, to, want uint32 }{{0, 0, 0}, {0, 1, 1}, {1, 1, 1}, {2, 2, 0}, {2, 3, 1}, {4, 4, 1}, {5, 6, 1}, {6, 6, 0}, {5, 7, 2}, {0, 9, 3}, {8, 9, 0}} {
		r := protocol.Range{Start: protocol.Position{Line: c.from}, End: protocol.Position{Line: c.to}}
		if got := d.s.docs.DiagnosticsIn(d.uri("a"), &r); len(got) != int(c.want) {
			t.Errorf("lines %d to %d: %d, want %d", c.from, c.to, len(got), c.want)
		}
	}
	if got := d.s.docs.DiagnosticsIn(d.uri("a"), nil); len(got) != 3 {
		t.Errorf("of the whole document: %d", len(got))
	}
	tell("a", [2]uint32{2, 2})
	if got := d.s.docs.DiagnosticsIn(d.uri("a"), nil); len(got) != 1 {
		t.Errorf("told again: %d", len(got))
	}
	d.close("a")
	d.open("a")
	if got := d.s.docs.DiagnosticsIn(d.uri("a"), nil); len(got) != 0 {
		t.Errorf("of an earlier life: %d", len(got))
	}
	for raw, want := range map[string]string{`"words"`: "words", `{"kind":"markdown","value":"marked"}`: "marked", `7`: "", `{}`: ""} {
		if got := (document.Diagnostic{Message: json.RawMessage(raw)}).Text(); got != want {
			t.Errorf("%s reads %q, want %q", raw, got, want)
		}
	}
}

// Of the open files those that the user sees go to the model first, where not all can.
func TestSeenFilesGoFirst(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("So.", "So.", "So."), nil)
	r.initialize(plainCaps, `{}`)
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		r.open(name, "the text of "+name+"\n"+strings.Repeat("abc\n", 5_500)) // two of them are half of what the model takes
	}
	for i, c := range []struct{ visible, want string }{
		{`,"visible":["` + r.uri("a.txt") + `","` + r.uri("gone.txt") + `"]`, "a.txt"},
		{"", "a.txt"}, // which says nothing of that
		{`,"visible":["` + r.uri("b.txt") + `"]`, "b.txt"},
	} {
		r.note(methodDidFocus, `{"uri":""`+c.visible+`}`)
		r.command("ask", `"why?"`) // about c.txt, in which the user is
		r.idle()
		sent := string(r.model.Requests()[i].Body)
		for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
			if strings.Contains(sent, "the text of "+name) != (name == c.want || name == "c.txt") {
				t.Errorf("request %d, %s: %s", i+1, name, sent)
			}
		}
	}
}
