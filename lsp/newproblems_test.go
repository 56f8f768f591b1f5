package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/lsp/document"
)

// diagnostics are what a linter says of lines from 0.
func (d *bufferHarness) diagnostics(path string, lines ...int) map[string]any {
	list := []any{}
	for _, n := range lines {
		at := map[string]int{"line": n, "character": 0}
		list = append(list, map[string]any{"range": map[string]any{"start": at, "end": at}, "severity": 1, "source": "lint", "message": fmt.Sprint("wrong ", n)})
	}
	return map[string]any{"uri": d.uri(path), "diagnostics": list}
}

// lightBulb gives the titles that are offered on a line, and unasked; told are the diagnostics that the client gives with the
// request.
func (d *bufferHarness) lightBulb(path string, line int, told ...int) (titles []string) {
	d.t.Helper()
	at := map[string]int{"line": line, "character": 0}
	answer, err := d.Ask("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": d.uri(path)}, "range": map[string]any{"start": at, "end": at},
		"context": map[string]any{"diagnostics": d.diagnostics(path, told...)["diagnostics"], "triggerKind": triggerAutomatic},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	var list []struct{ Title string }
	if err := json.Unmarshal(answer, &list); err != nil {
		d.t.Fatalf("%s: %v", answer, err)
	}
	for _, a := range list {
		titles = append(titles, a.Title)
	}
	return titles
}

// appliedTo has a change of lines 1 and 2 of "a" in the buffer.
func appliedTo(t *testing.T) *bufferHarness {
	t.Helper()
	d := newBufferHarness(t, map[string]string{"a": lineText(5)}, nil)
	d.open("a")
	d.notify(methodDiagnostics, d.diagnostics("a", 4))
	return d
}

func (d *bufferHarness) changeTwo() {
	d.t.Helper()
	before := lineText(5)
	p := d.propose(updated("a", before, strings.Replace(before, "line 2\nline 3\n", "LINE 2\nLINE 3\n", 1)))
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(d.t.Context(), proposal.Selector{Proposal: p.ID, Revision: 1}))
}

// What the editor's servers find on changed lines is told once and offered as one action, until it is gone.
func TestNewProblemsAreOffered(t *testing.T) {
	d := appliedTo(t)
	d.changeTwo()
	d.notify(methodDiagnostics, d.diagnostics("a", 0, 1, 2, 4))
	eventually(t, "the message", func() bool { return len(d.said()) > 1 })
	d.notify(methodDiagnostics, d.diagnostics("a", 0, 1, 2, 4))
	if got := d.said(); len(got) != 2 || !strings.Contains(got[1], `2 new problems on lines of the last change. Fix: code action "Coauthor: fix 2 new problems"`) {
		t.Errorf("told %q", got)
	}
	if got := d.lightBulb("a", 0); !slices.Contains(got, "Coauthor: fix 2 new problems") {
		t.Errorf("offered %q", got)
	}
	d.notify(methodDiagnostics, d.diagnostics("a", 2))
	if got := d.lightBulb("a", 0); !slices.Contains(got, "Coauthor: fix 1 new problem") {
		t.Errorf("offered %q", got)
	}
	d.close("a")
	d.open("a")
	if got := d.lightBulb("a", 0); slices.Contains(got, "Coauthor: fix 1 new problem") {
		t.Errorf("offered of a file that was closed: %q", got)
	}
	if result, err := d.run("fix", ""); err != nil || result["status"] != "none" {
		t.Errorf("%v, %v", result, err)
	}
}

// A client that tells of no diagnostics by itself gives those of all servers with the request for code actions.
func TestNewProblemsComeWithTheMenu(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": lineText(5)}, nil)
	d.open("a")
	if got := d.lightBulb("a", 1, 1); slices.ContainsFunc(got, isFix) { // there before
		t.Errorf("offered %q", got)
	}
	d.changeTwo()
	for _, c := range []struct {
		line int
		told []int
		want string
	}{
		{1, []int{1}, ""},
		{2, []int{2}, "Coauthor: fix 1 new problem"},
		{0, nil, "Coauthor: fix 1 new problem"},
		{2, nil, ""},
		{4, []int{4}, ""},
		{2, []int{2}, "Coauthor: fix 1 new problem"},
	} {
		got := slices.DeleteFunc(d.lightBulb("a", c.line, c.told...), func(title string) bool { return !isFix(title) })
		if strings.Join(got, "") != c.want {
			t.Errorf("on line %d with %v: %q, want %q", c.line, c.told, got, c.want)
		}
	}
	d.typed("a", "typed\n"+lineText(2))
	if got := d.lightBulb("a", 0); slices.ContainsFunc(got, isFix) {
		t.Errorf("offered when the text has moved: %q", got)
	}
	if n := len(d.said()); n != 1 { // that it was applied
		t.Errorf("told %q", d.said())
	}
}

func isFix(title string) bool { return strings.HasPrefix(title, "Coauthor: fix ") }

// What requests say of a range takes the place of what was seen there; a client that tells of all is taken at that.
func TestDiagnosticsOfRequests(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": lineText(9)}, nil)
	d.open("a")
	count := func() int { return len(d.s.docs.DiagnosticsIn(d.uri("a"), nil)) }
	d.lightBulb("a", 1, 1, 5)
	d.lightBulb("a", 5, 5)
	if n := count(); n != 2 {
		t.Errorf("%d are known", n)
	}
	d.lightBulb("a", 1)
	if n := count(); n != 1 {
		t.Errorf("%d are known", n)
	}
	d.notify(methodDiagnostics, d.diagnostics("a", 1, 2, 3))
	d.lightBulb("a", 5, 5)
	d.typed("a", lineText(8))
	if n := count(); n != 3 {
		t.Errorf("%d are known", n)
	}
	if d.s.docs.SeeDiagnostics(d.uri("b"), wireAt(0, 0, 0).Protocol(), []document.Diagnostic{{}}) {
		t.Error("a document that is not open was seen")
	}
}
