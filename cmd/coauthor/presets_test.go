package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A request that needs no words is a command with the files behind it: what explains prints, the others show a change and
// apply it when told so.
func TestPresetsOnTheCommandLine(t *testing.T) {
	h := newShell(t, "-- 1.md --\nIt is one.\n-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 1  # one\n>>>>>>> REPLACE\n```\n-- 3.md --\nNothing to do.\n")
	h.put("a.py", "x = 1\n")
	h.put("b.py", "y = 'plum'\n")
	file := filepath.Join(h.root, "a.py")
	if code := h.run("explain", file, "--read", filepath.Join(h.root, "b.py"), "-m", "Say why."); code != 0 || h.out.String() != "It is one.\n" {
		t.Errorf("exit %d: %q, %s", code, h.out.String(), h.err.String())
	}
	for _, want := range []string{"Explain this code", "Say why.", "x = 1", "plum"} {
		if !strings.Contains(h.sent(), want) {
			t.Errorf("the model is not told %q:\n%s", want, h.sent())
		}
	}
	if code := h.run("add-docs", "--yes", file); code != 0 || h.read("a.py") != "x = 1  # one\n" || !strings.Contains(h.sent(), "Document this code") {
		t.Errorf("exit %d: %q\n%s", code, h.read("a.py"), h.err.String())
	}
	if code := h.run("simplify", "--yes", file); code != 1 || !strings.Contains(h.sent(), "Make this code simpler") || !strings.Contains(h.err.String(), "contains no edit") {
		t.Errorf("exit %d\n%s", code, h.err.String())
	}
	if code := h.run("add-tests"); code != 1 || !strings.Contains(h.err.String(), "name the files") {
		t.Errorf("without a file: exit %d\n%s", code, h.err.String())
	}
	if code := h.run("explain", "--yes", file); code != 2 {
		t.Errorf("what changes nothing takes --yes: exit %d", code)
	}
	if n := len(h.server.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// What was used is told of the last conversation, also by another process.
func TestUsageOnTheCommandLine(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nIt is one.\n")
	h.home = t.TempDir()
	if code := h.run("ask", "-m", "Why?"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if code := h.run("usage"); code != 0 || !strings.Contains(unwrapped(h.out.String()), "1. Why? local ") {
		t.Errorf("exit %d: %s\n%s", code, h.out.String(), h.err.String())
	}
	if code := h.run("usage", "--json"); code != 0 || !strings.Contains(h.out.String(), `"turns":[{"turnId":`) || strings.Contains(h.out.String(), `"conversation":{"in":0`) {
		t.Errorf("exit %d: %s", code, h.out.String())
	}
}
