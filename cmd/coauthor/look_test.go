package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A model that looks around is seen to do so, and its answer alone goes to standard output. One of this machine that nobody knows
// looks when the user's entry says that it can.
func TestLookingOnTheCommandLine(t *testing.T) {
	script := "-- 1.md --\n\n-- 1.yaml --\ncalls:\n  - {name: read, arguments: '{\"path\": \"a.py\"}'}\n-- 2.md --\nIt is one.\n"
	looks := func(script, settings string) *shell {
		h := newShell(t, script)
		h.put("home/coauthor/config.yaml", settings)
		h.config = filepath.Join(h.root, "home")
		return h
	}
	told := "models: {local: {tools: native}}\n"
	h := looks(script, told)
	if code := h.run("ask", "-m", "What is x?"); code != 0 || strings.TrimSpace(h.out.String()) != "It is one." || !strings.Contains(h.err.String(), "Looking: read a.py") {
		t.Errorf("exit %d, %q, %s", code, h.out.String(), h.err.String())
	}
	if requests := h.server.Requests(); len(requests) != 2 || !strings.Contains(string(requests[1].Body), "1|x = 1") {
		t.Errorf("%d requests", len(requests))
	}
	h = looks(script, told)
	if h.run("ask", "-m", "What is x?", "--json"); !strings.Contains(h.out.String(), `"kind":"tool","text":"read a.py","path":"a.py","op":"read"`) {
		t.Errorf("shown %s", h.out.String())
	}
	for _, config := range []string{"", "models: {local: {tools: never}}\n"} {
		h = looks("-- 1.md --\nIt is one.\n", config)
		if code := h.run("ask", "-m", "What is x?"); code != 0 || strings.Contains(string(h.server.Requests()[0].Body), `"tools":[`) {
			t.Errorf("%q: exit %d: sent %s", config, code, h.server.Requests()[0].Body)
		}
	}
}
