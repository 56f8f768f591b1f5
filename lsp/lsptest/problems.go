package lsptest

import (
	"encoding/json"
	"strings"
)

// problem is what another server complains about, at the first place of a text in a file.
type problem struct {
	uri, text, message string
}

// Complain has another server of this client complain about the first place of a text in an open buffer.
func (e *Editor) Complain(name, text, message string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	if !strings.Contains(b.text, text) {
		e.t.Fatalf("[%s] %s does not hold %q", e.profile.Name, name, text)
	}
	e.alien = append(e.alien, problem{b.uri, text, message})
}

// problemsHere are the diagnostics at the selection that this client passes on: those of the server itself, and, in most
// clients, those of all others.
func (e *Editor) problemsHere(uri string) []any {
	list := []any{}
	for _, d := range e.log.Found[uri] {
		var own struct{ Range Range }
		raw, err := json.Marshal(d)
		if err == nil && json.Unmarshal(raw, &own) == nil && touches(own.Range, e.sel) {
			list = append(list, d)
		}
	}
	b := e.buffer(e.focus)
	if b == nil || e.profile.Quirks.OwnProblemsOnly {
		return list
	}
	for _, p := range e.alien {
		i := strings.Index(b.text, p.text)
		if p.uri != uri || i < 0 {
			continue
		}
		in := Range{positionAt(b.text, i, e.check.counting()), positionAt(b.text, i+len(p.text), e.check.counting())}
		if touches(in, e.sel) {
			list = append(list, map[string]any{"range": in, "severity": 1, "source": "another", "message": p.message})
		}
	}
	return list
}

// touches reports whether two ranges have a place in common, at their ends too.
func touches(a, b Range) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
