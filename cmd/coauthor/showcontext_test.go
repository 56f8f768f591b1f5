package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/command"
)

// The prompt is printed, as a document and as data; no model is asked.
func TestShowContext(t *testing.T) {
	h := newShell(t, "-- 1.md --\nnever sent\n")
	h.put("AGENTS.md", "Use tabs.\n")
	args := []string{"show-context", "-m", "Feed the crow.", filepath.Join(h.root, "a.py")}
	if code := h.run(args...); code != 0 {
		t.Fatalf("exit %d: %s%s", code, h.out.String(), h.err.String())
	}
	for _, want := range []string{"Feed the crow.", "x = 1", "| files | ", "- AGENTS.md: this workspace is not trusted", "Nothing was sent", "### system"} {
		if !strings.Contains(h.out.String(), want) {
			t.Errorf("%q is not printed:\n%s", want, h.out.String())
		}
	}
	code := h.run(append(args, "--json", "--coder", "ask")...)
	var report command.ContextReport
	if err := json.Unmarshal(h.out.Bytes(), &report); err != nil || code != 0 || report.Tokens == 0 || len(report.Parts) == 0 || !strings.Contains(report.Text, "coder ask") {
		t.Errorf("exit %d, %v: %s%s", code, err, h.out.String(), h.err.String())
	}
	if code = h.run(append(args, "--coder", "poet")...); code == 0 || !strings.Contains(h.err.String(), "choose one of") {
		t.Errorf("an unknown coder: exit %d, %s", code, h.err.String())
	}
	if n := len(h.server.Requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
}
