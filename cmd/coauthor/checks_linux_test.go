package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
)

// checked gives a shell a test command of its own settings, which holds once x is 2.
func checked(t *testing.T, h *shell) {
	t.Helper()
	userSettings(t, h, "verify: full\nverify.test:\n  - run: [sh, -c, \"echo x >> a.py; grep -q 'x = 2' a.py\"]\n    files: [\"*.py\"]\n")
}

// TestTheUserIsAskedAndSeesTheVerdict: the first time the question has the exact text, the verdict stands above
// the diff, and what the test wrote is not in the file. The next time nobody is asked, and programs get the
// verdict too.
func TestTheUserIsAskedAndSeesTheVerdict(t *testing.T) {
	const reply = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	h := newShell(t, always(reply))
	h.put("a.py", "x = 1\n")
	checked(t, h)
	s := h.editOnScreen()
	s.expect(`Always run sh -c "echo x >> a.py; grep -q 'x = 2' a.py" to check changes in this folder`)
	s.types("run\n")
	s.expect("Checked: ")
	if strings.Contains(s.text(), "in a copy of the folder") && os.Getenv("COAUTHOR_SHADOW") != "require" {
		t.Skip(s.text())
	}
	s.expect("sh ✓")
	s.expect("Apply this change?")
	s.types("n\n")
	s.exit(1)
	if got := h.read("a.py"); got != "x = 1\n" {
		t.Errorf("a.py is %q", got)
	}
	h.intoFile = true
	h.onScreen("edit", "-m", "x", "--format", "diff", "--yes", "--json", filepath.Join(h.root, "a.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL).exit(0)
	verdict := ""
	for line := range strings.Lines(h.out.String()) {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if e.Kind == event.KindProposal {
			verdict = e.Proposal.Verdict
		}
	}
	if !strings.Contains(verdict, "sh ✓") {
		t.Errorf("verdict %q: %s", verdict, h.out.String())
	}
	if got := h.read("a.py"); got != "x = 2\n" {
		t.Errorf("a.py is %q", got)
	}
}

// TestALongCommandIsSeenWhole: what a sentence would cut is seen above the question, to its last character.
func TestALongCommandIsSeenWhole(t *testing.T) {
	const reply = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	h := newShell(t, always(reply))
	h.put("a.py", "x = 1\n")
	word := strings.Repeat("w", 600) + "end"
	userSettings(t, h, "verify: lint\nverify.lint:\n  - run: [echo, "+word+"]\n    files: [\"*.py\"]\n")
	h.columns = 1000 // nothing of it is broken
	s := h.editOnScreen()
	s.expect("  | echo " + word)
	s.expect("Always run this command to check changes in this folder")
	s.types("skip\n")
	s.expect("Apply this change?")
	s.types("n\n")
	s.exit(1)
}
