package userfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/prompt"
)

// The user's rules are beside the user's settings; a file that is too long is an error.
func TestRules(t *testing.T) {
	home := t.TempDir()
	other := t.TempDir()
	for _, dir := range []string{filepath.Join(home, ".config", "coauthor"), filepath.Join(other, "coauthor")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules := func(env map[string]string) prompt.File {
		t.Helper()
		f, err := of(env).Rules()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := rules(map[string]string{"HOME": home}); f.Text != "" {
		t.Errorf("without a file: %+v", f)
	}
	put(filepath.Join(home, ".config", "coauthor", "AGENTS.md"), "Tabs.\n")
	put(filepath.Join(other, "coauthor", "AGENTS.md"), "Blanks\xff.\n")
	if f := rules(map[string]string{"HOME": home}); f != (prompt.File{Path: "~/.config/coauthor/AGENTS.md", Text: "Tabs.\n"}) {
		t.Errorf("%+v", f)
	}
	if f := rules(map[string]string{"HOME": home, "XDG_CONFIG_HOME": other}); f != (prompt.File{Path: "AGENTS.md", Text: "Blanks\ufffd.\n"}) {
		t.Errorf("%+v", f)
	}
	put(filepath.Join(home, ".config", "coauthor", "AGENTS.md"), strings.Repeat("x", maxRulesBytes+1))
	if _, err := of(map[string]string{"HOME": home}).Rules(); err == nil {
		t.Error("a huge file went unnoticed")
	}
}
