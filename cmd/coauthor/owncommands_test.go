package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A Markdown file beside the user's settings is a command behind a slash.
func TestOwnCommandsOnTheCommandLine(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nFine.\n")
	h.config = t.TempDir()
	for name, text := range map[string]string{"shout.md": "Say loudly: $ARGUMENTS!\n", "deep/er.md": "Deeper.\n", "not.txt": "No.\n"} {
		name = filepath.Join(h.config, "coauthor", "commands", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if code := h.run("ask", "-m", "/shout one two"); code != 0 || !strings.Contains(h.sent(), "Say loudly: one two!") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	if code := h.run("ask", "-m", "/deep:er"); code != 0 || !strings.Contains(h.sent(), "Deeper.") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	if code := h.run("commands"); code != 0 || !strings.Contains(h.out.String(), "\n/shout") || strings.Contains(h.out.String(), "/not") {
		t.Errorf("exit %d: %s", code, h.out.String())
	}
	if err := os.WriteFile(filepath.Join(h.config, "coauthor", "config.yaml"), []byte("actions:\n  - name: tidy\n    prompt: Tidy $1 up.\n  - name: wrong\n    promt: x\n  - {name: add, prompt: x}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code := h.run("ask", "-m", "/tidy this"); code != 0 || !strings.Contains(h.sent(), "Tidy this up.") || !strings.Contains(h.err.String(), `actions: entry 2 (wrong): unknown field "promt" (did you mean prompt?); this entry is ignored`) {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	if code := h.run("doctor"); code == 2 || !strings.Contains(unwrapped(h.out.String()), "entry 2 (wrong)") || !strings.Contains(unwrapped(h.out.String()), "/add is a built-in command; give yours another name") {
		t.Errorf("exit %d: %s", code, h.out.String())
	}
	broken := filepath.Join(h.config, "coauthor", "commands", "shout.md")
	if err := os.WriteFile(broken, []byte("---\ncoder: painter\n---\nSay it.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code := h.run("edit", "-m", "/shout it"); code != 1 || !strings.Contains(h.err.String(), broken+":2: ") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
}
