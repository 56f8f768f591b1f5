package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/lsp/lsptest"
)

// The log file has the prompts and answers of the turns that begin while the user wants them there, whatever the
// workspace says.
func TestPromptsInTheLogFile(t *testing.T) {
	s := newScene(t, map[string]string{"a.py": "x = 1\n", ".coauthor/config.yaml": "log.level: prompts\n"})
	log := filepath.Join(s.home, "server.log")
	config := "model: scripted\napiBase: MODEL\ntrust: always\nlog.file: " + log + "\n"
	s.user(config)
	s.start("neovim-0.12", lsptest.Options{})
	has := func() bool {
		t.Helper()
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		asked, answered := strings.Contains(string(text), "x = 1"), strings.Contains(string(text), "Nothing to do.")
		if asked != answered {
			t.Errorf("asked %v, answered %v:\n%s", asked, answered, text)
		}
		return asked
	}
	if s.ask("a.py", "What is x?"); has() {
		t.Error("logged by default, or by the workspace's word")
	}
	s.user(config + "log.level: prompts\n")
	if s.ask("a.py", "What is x?"); !has() {
		t.Error("the next turn is not logged")
	}
}
