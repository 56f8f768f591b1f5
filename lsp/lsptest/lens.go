package lsptest

import (
	"strings"
	"time"
)

// Lens is a code lens.
type Lens struct {
	Line    int // from 0
	Title   string
	command any
}

// Lenses asks for the code lenses of the document in front; asked is false for a client that has none.
func (e *Editor) Lenses() (list []Lens, asked bool) {
	e.t.Helper()
	e.mu.Lock()
	uri := uriOf(e.focus)
	if b := e.buffer(e.focus); b != nil {
		uri = b.uri
	}
	asked = at(e.check.caps, "textDocument", "codeLens") != nil
	e.mu.Unlock()
	if !asked {
		return nil, false
	}
	result, err := e.Request("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": uri}})
	if err != nil {
		e.t.Fatalf("[%s] code lenses: %v", e.profile.Name, err)
	}
	raw, _ := result.([]any)
	for _, one := range raw {
		l := Lens{Line: int(positionOf(at(one, "range", "start")).Line), command: at(one, "command")}
		l.Title, _ = at(l.command, "title").(string)
		list = append(list, l)
	}
	return list, true
}

// RunLens runs the nth code lens, from 1, of the document in front whose title holds the text. It asks again until there are
// so many; the test fails when there never are. asked is false for a client that has no lenses.
func (e *Editor) RunLens(title string, nth int) (result any, failed *ResponseError, asked bool) {
	e.t.Helper()
	var titles []string
	for end := time.Now().Add(e.options.HungAfter); time.Now().Before(end); e.Pause() {
		list, asked := e.Lenses()
		if !asked {
			return nil, nil, false
		}
		titles = nil
		left := nth
		for _, l := range list {
			titles = append(titles, l.Title)
			if !strings.Contains(l.Title, title) {
				continue
			}
			if left--; left == 0 {
				name, _ := at(l.command, "command").(string)
				arguments, _ := at(l.command, "arguments").([]any)
				result, failed = e.Command(name, arguments...)
				return result, failed, true
			}
		}
	}
	e.t.Fatalf("[%s] hung: waited for the code lens %q; there are:\n%s", e.profile.Name, title, strings.Join(titles, "\n"))
	return nil, nil, true
}
