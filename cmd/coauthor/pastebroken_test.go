package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPasteOfWhatCannotBeRead: a reply that only begins an edit, or has none, writes nothing, and the exit says so.
func TestPasteOfWhatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ reply, says string }{
		"a search text alone":       {"a.py\n```\n<<<<<<< SEARCH\nx = 1\n", "has no end marker"},
		"a block without its end":   {"a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n```\n", "has no end marker"},
		"a patch without its end":   {"*** Begin Patch\n*** Update File: a.py\n", "has no end marker"},
		"marks without their words": {"a.py\n```\n<<<<<<<\nx = 1\n=======\nx = 2\n>>>>>>>\n```\n", "could not be applied"},
		"a diff without a hunk":     {"```diff\n--- a.py\n+++ a.py\n```\n", "the answer contains no edit"},
		"words":                     {"It is fine as it is.\n", "the answer contains no edit"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, always("No.\n"))
			h.put("a.py", "x = 1\n")
			h.run("add", filepath.Join(h.root, "a.py"))
			if code := h.run("paste", c.reply, "--yes"); code == 0 || h.read("a.py") != "x = 1\n" || !strings.Contains(h.err.String(), c.says) {
				t.Errorf("exit %d, a.py is %q, told %s", code, h.read("a.py"), h.err.String())
			}
		})
	}
}
