package tool_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"coauthor/agent/tool"
	"coauthor/edits"
)

// editor is an editor with servers that say what its test wants, and what they were asked.
type editor struct {
	told map[string]tool.Told
	err  error

	mu    sync.Mutex
	asked []tool.Question // guarded by mu
}

func (e *editor) ask(_ context.Context, q tool.Question) (tool.Told, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, q)
	return e.told[q.What], e.err
}

// ofEditor is a project in which two things have one name.
func ofEditor(t *testing.T, e *editor) *place {
	p := newPlace(t, map[string]string{
		"a.go": "package a\n\n// Open opens a.\nfunc Open() {\n\tone()\n}\n", "b.go": "package b\n\nfunc Open() {}\n",
		"use.go": "package use\n\nfunc f() { éOpen := 1; a.Open() }\n\nfunc g() { b.Open() }\n", ".env": "Open\n",
	})
	p.o.Editor = e.ask
	return p
}

// A place has the editor's servers say which of two definitions is meant, with what they know of it. Without a place, and where
// they know nothing, the index shows both.
func TestSymbolByTheEditor(t *testing.T) {
	e := &editor{told: map[string]tool.Told{tool.Definition: {Spots: []tool.Spot{{Path: "a.go", Line: 4}, {Path: "a.go", Line: 4}}}, tool.Hover: {Hover: "func Open()"}}}
	p := ofEditor(t, e)
	r := p.check(p.box(), tool.Symbol, tool.Args{"name": "Open", "at": "use.go:3"},
		"func Open()\n\na.go:3-6\n3|// Open opens a.\n4|func Open() {", "1 definition of Open, as the editor's language server says.")
	if len(r.Shown) != 1 || r.Shown[0].Path != "a.go" || strings.Contains(r.Text, "b.go") {
		t.Errorf("%+v", r)
	}
	line := "func f() { éOpen := 1; a.Open() }"
	want := tool.Question{What: tool.Definition, Path: "use.go", Line: 3, Column: strings.Index(line, "a.Open") + 2, Text: line}
	if !slices.Contains(e.asked, want) {
		t.Errorf("asked %+v", e.asked)
	}
	e.asked = nil
	p.check(p.box(), tool.Symbol, tool.Args{"name": "Open"}, "2 definitions of Open.")
	if len(e.asked) > 0 {
		t.Errorf("without a place it was asked %+v", e.asked)
	}
	for what, set := range map[string]func(){
		"they know nothing": func() { e.told = nil },
		"they fail":         func() { e.err = errors.New("no") },
		"there are none":    func() { p.o.Editor = nil },
	} {
		set()
		if r := p.run(p.box(), tool.Symbol, tool.Args{"name": "Open", "at": "use.go:3"}); !strings.Contains(r.Text, "2 definitions of Open.") || r.Bad {
			t.Errorf("%s: %s", what, r.Text)
		}
	}
}

// What is outside of the folder is named by the end of its name, and what may not be sent is only counted.
func TestSpotsThatAreNotShown(t *testing.T) {
	e := &editor{told: map[string]tool.Told{tool.Definition: {Spots: []tool.Spot{{Outside: "…/fmt/print.go", Line: 7}, {Path: ".env", Line: 1}, {Path: "a.go", Line: 99}}}}}
	p := ofEditor(t, e)
	r := p.check(p.box(), tool.Symbol, tool.Args{"name": "Open", "at": "use.go:3:25"}, "0 definitions of Open", "outside of the folder: …/fmt/print.go:7", "not sent to the model: 1")
	if strings.Contains(r.Text, ".env") || len(r.Shown) > 0 {
		t.Errorf("%+v", r)
	}
}

// References are shown as uses are, code first, and no more of them at once.
func TestUsesByTheEditor(t *testing.T) {
	e := &editor{told: map[string]tool.Told{tool.References: {Spots: []tool.Spot{{Path: "use.go", Line: 3}, {Path: "a.go", Line: 4}, {Outside: "…/x.go", Line: 1}}}}}
	p := ofEditor(t, e)
	r := p.check(p.box(), tool.Uses, tool.Args{"name": "Open", "at": "a.go:4"}, "a.go\n", "use.go\n  f › L3-3\n3|func f()", "2 lines with Open in 2 files, as the editor's language server says.", "…/x.go:1")
	if strings.Contains(r.Text, "b.Open") {
		t.Error(r.Text)
	}
	r = p.check(p.box(), tool.Uses, tool.Args{"name": "Open", "at": "a.go:4", "path": "use.go"}, "1 line with Open in 1 file")
	if strings.Contains(r.Text, "a.go\n") {
		t.Error(r.Text)
	}
	many := tool.Told{}
	text := "package many\n"
	for i := range 200 {
		text += "var _ = Open\n"
		many.Spots = append(many.Spots, tool.Spot{Path: "many.go", Line: i + 2})
	}
	p.put("many.go", text)
	e.told[tool.References] = many
	r = p.run(p.box(), tool.Uses, tool.Args{"name": "Open", "at": "a.go:4"})
	if n := strings.Count(r.Text, "= Open"); n != 10 || !strings.Contains(r.Text, "190 lines more") && !strings.Contains(r.Text, "190 lines") {
		t.Errorf("%d lines\n%s", n, r.Text)
	}
}

// The editor is asked about texts that it has. Of a file that the turn has changed it has another, so nobody asks, and of such a
// file no line is shown in which the name does not stand.
func TestTheEditorHasTheTextBeforeTheTurn(t *testing.T) {
	e := &editor{told: map[string]tool.Told{tool.References: {Spots: []tool.Spot{{Path: "use.go", Line: 3}, {Path: "a.go", Line: 4}}}}}
	p := ofEditor(t, e)
	before := "package use\n\nfunc f() { éOpen := 1; a.Open() }\n\nfunc g() { b.Open() }\n"
	change := edits.Change{Path: "use.go", Op: edits.OpUpdate, Before: before, After: strings.Replace(before, "func f()", "// new\nfunc f()", 1)}
	r := p.run(p.box(change), tool.Uses, tool.Args{"name": "Open", "at": "use.go:4"})
	if len(e.asked) > 0 || strings.Contains(r.Text, "language server") {
		t.Errorf("asked %+v\n%s", e.asked, r.Text)
	}
	r = p.check(p.box(change), tool.Uses, tool.Args{"name": "Open", "at": "a.go:4"}, "1 line with Open in 1 file")
	if strings.Contains(r.Text, "// new") {
		t.Error(r.Text)
	}
}

// A place that is none is refused with what to do.
func TestPlacesThatAreNone(t *testing.T) {
	p := ofEditor(t, &editor{})
	for at, want := range map[string]string{
		"somewhere": "is no place", "use.go:1": "does not stand in line 1 of use.go", "use.go:99999999999999999999": "does not stand", "gone.go:1": "no file gone.go",
		".env:1": "not sent to the model", "../x.go:1": "not sent to the model",
	} {
		if r := p.run(p.box(), tool.Symbol, tool.Args{"name": "Open", "at": at}); !r.Bad || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %+v", at, r)
		}
	}
}

// The problems are those that the editor has now, in files that may be sent; what it told before stands in where it says nothing.
func TestProblemsOfTheEditor(t *testing.T) {
	e := &editor{told: map[string]tool.Told{tool.Problems: {Problems: []tool.Diagnostic{{Path: "b.go", Line: 1, Severity: "error", Message: "bad"}, {Path: ".env", Line: 1, Message: "hidden"}}}}}
	p := ofEditor(t, e)
	p.o.Diagnostics = []tool.Diagnostic{{Path: "a.go", Line: 2, Message: "old"}}
	r := p.check(p.box(), tool.Diagnostics, tool.Args{}, "b.go:1: error: bad\n", "1 of 1 problem")
	if strings.Contains(r.Text, "old") || strings.Contains(r.Text, "hidden") {
		t.Error(r.Text)
	}
	p.check(p.box(), tool.Diagnostics, tool.Args{"path": "a.go"}, "no problems")
	e.err = errors.New("no")
	p.check(p.box(), tool.Diagnostics, tool.Args{}, "a.go:2: old")
}

// A cancel ends a call whose editor does not answer, and an editor that does not answer in time is done without.
func TestAnEditorThatHangs(t *testing.T) {
	p := ofEditor(t, &editor{})
	began := make(chan struct{}, 10)
	p.o.Editor = func(ctx context.Context, _ tool.Question) (tool.Told, error) {
		began <- struct{}{}
		<-ctx.Done()
		return tool.Told{}, ctx.Err()
	}
	b := p.box()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := b.Run(ctx, tool.Call{Tool: tool.Uses, Args: tool.Args{"name": "Open", "at": "a.go:4"}})
		ended <- err
	}()
	<-began
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if r := p.run(b, tool.Uses, tool.Args{"name": "Open", "at": "a.go:4"}); !strings.Contains(r.Text, "with Open in") || strings.Contains(r.Text, "language server") {
		t.Error(r.Text)
	}
}
