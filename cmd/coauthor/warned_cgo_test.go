//go:build cgo

package main

// These findings come from grammars, which a build without a C compiler does not have.

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
)

const brokenReply = "a.py\n```\n<<<<<<< SEARCH\ndef f():\n=======\ndef f(:\n>>>>>>> REPLACE\n```\n"

// What the checks still complain about after the last round is shown, and needs a word of its own.
func TestYesDoesNotWriteWhatHasWarnings(t *testing.T) {
	const before = "def f():\n    return 1\n"
	for _, how := range []struct {
		flags   string
		code    int
		written bool
	}{
		{"--yes", 1, false},
		{"", 1, false},
		{"--force", 1, false}, // force says how, not whether
		{"--preview", 0, false},
		{"--yes --force", 0, true},
	} {
		h := newShell(t, always(brokenReply))
		h.put("a.py", before)
		code := h.edit(strings.Fields(how.flags)...)
		told := h.err.String()
		if code != how.code || !strings.Contains(told, `Warning: a.py, line 1: missing ")" in f`) {
			t.Errorf("%q: exit %d, told %s", how.flags, code, told)
		}
		if !strings.Contains(h.out.String(), "+def f(:") {
			t.Errorf("%q: the diff is not shown: %s", how.flags, h.out.String())
		}
		if got := h.read("a.py"); got != before != how.written {
			t.Errorf("%q: a.py is %q", how.flags, got)
		}
		if how.flags == "--yes" && !strings.Contains(told, "--force") {
			t.Errorf("not told how to go on: %s", told)
		}
	}
}

func TestWarningsStandInTheEvents(t *testing.T) {
	h := newShell(t, always(brokenReply))
	h.put("a.py", "def f():\n    return 1\n")
	if code := h.run("edit", "-m", "x", "--format", "diff", "--yes", "--json", filepath.Join(h.root, "a.py")); code != 1 {
		t.Errorf("exit %d", code)
	}
	var warnings []string
	for line := range strings.Lines(h.out.String()) {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if e.Kind == event.KindProposal {
			warnings = e.Proposal.Warnings
		}
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "a.py, line 1") {
		t.Errorf("warnings %q", warnings)
	}
}
