package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/help"
)

// Every page for users is part of the program, also one that a new editor brings.
func TestTheManualIsWhole(t *testing.T) {
	var names []string
	for _, m := range manual() {
		names = append(names, m.Name)
	}
	root := filepath.Join("..", "..")
	want := 0
	for _, pattern := range []string{"README.md", "cmd/*.md", "lsp/*.md", "editors/*.md", "editors/*/README.md"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			want++
			rel, _ := filepath.Rel(root, f)
			if !slices.Contains(names, filepath.ToSlash(rel)) {
				t.Errorf("%s is not embedded: name it where its folder embeds its pages", rel)
			}
		}
	}
	if want < 5 || want != len(names) {
		t.Errorf("%d pages, %q embedded", want, names)
	}
}

// Questions as people ask them find the page that answers them.
func TestTheManualAnswers(t *testing.T) {
	x := help.New(manual())
	for question, want := range map[string]string{
		"How do I undo the last edit in all files?":          "coauthor.undoTurn",
		"which setting says how large the repository map is": "repoMap.tokens",
		"How can I stop a running turn?":                     "coauthor.cancel",
		"can it apply changes without asking, preview none":  "preview.mode",
		"How do I use another API base URL or endpoint?":     "apiBase",
		"trust a workspace":                                  "trust.roots",
		"what does coauthor.showPending do":                  "coauthor.showPending",
		"how do I set it up in Helix":                        "helix",
		"coauthor --continue on the command line":            "coauthor rewind",
		"How do I choose another editor model for architect": "model.editor",
	} {
		var text strings.Builder
		size := 0
		for _, p := range x.Best(question, 4096, func(s string) int { return (len(s) + 3) / 4 }) {
			text.WriteString(p.Name + p.Heading + p.Text)
			size += len(p.Name+p.Heading+p.Text) / 4
		}
		if !strings.Contains(strings.ToLower(text.String()), strings.ToLower(want)) || size > 4096 {
			t.Errorf("%s: not %s in %d tokens", question, want, size)
		}
	}
}

func TestHelpOnTheCommandLine(t *testing.T) {
	h := newShell(t, "-- 1.md --\nRun coauthor.undoTurn, as lsp/COMMANDS.md says.\n")
	if code := h.run("help", "-m", "How do I undo an edit?"); code != 0 || !strings.Contains(h.out.String(), "undoTurn") {
		t.Errorf("exit %d, %s%s", code, h.out.String(), h.err.String())
	}
	var sent strings.Builder
	for _, m := range h.server.Requests()[0].Messages {
		sent.WriteString(m.Content)
	}
	if !strings.Contains(sent.String(), "lsp/COMMANDS.md, under") || strings.Contains(sent.String(), "x = 1") {
		t.Errorf("sent\n%s", sent.String())
	}
}

func TestContextOnTheCommandLine(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\na.py: `x` has to change.\n")
	if code := h.run("context", "-m", "Make x two."); code != 0 || !strings.Contains(h.out.String(), "a.py: `x`") || !strings.Contains(h.err.String(), "Added to the chat for your next requests: a.py.") {
		t.Errorf("exit %d, %s%s", code, h.out.String(), h.err.String())
	}
}
