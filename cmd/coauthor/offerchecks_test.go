//go:build unix

package main

import (
	"strings"
	"testing"
)

// offered is a folder that shows to use go vet.
func offered(t *testing.T) *shell {
	t.Helper()
	h := newShell(t, always("a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"))
	h.put("a.py", "x = 1\n")
	h.put("go.mod", "module x\n")
	h.put("a.go", "package x\n")
	h.home = t.TempDir()
	h.env = map[string]string{"XDG_CONFIG_HOME": h.home, "XDG_STATE_HOME": h.home}
	return h
}

// TestChecksAreOfferedOnTheTerminal: once a change is applied, in the exact text; the answer is kept.
func TestChecksAreOfferedOnTheTerminal(t *testing.T) {
	h := offered(t)
	s := h.editOnScreen()
	s.expect("Apply this change?")
	s.types("y\n")
	s.expect("Detected in this folder: go vet \"{dirs}\"")
	s.types("no\n")
	s.exit(0)
	h.put("a.py", "x = 1\n")
	s = h.editOnScreen()
	s.expect("Apply this change?")
	s.types("y\n")
	s.exit(0)
	if strings.Contains(s.text(), "Detected in this folder") {
		t.Errorf("asked again:\n%s", s.text())
	}
}

// TestChecksAreToldWithoutATerminal: nobody is asked and nothing runs; how to set it is said once.
func TestChecksAreToldWithoutATerminal(t *testing.T) {
	h := offered(t)
	for i, want := range []bool{true, false} {
		h.put("a.py", "x = 1\n")
		if code := h.edit("--yes"); code != 0 {
			t.Fatalf("exit status %d: %s", code, h.err.String())
		}
		if told := strings.Contains(h.err.String(), "verify.lint"); told != want {
			t.Errorf("run %d: %s", i, h.err.String())
		}
		if got := h.read("a.py"); got != "x = 2\n" {
			t.Errorf("a.py is %q", got)
		}
	}
}
