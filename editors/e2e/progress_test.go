package e2e

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// slow is a model that says nothing until it is released, and then writes piece by piece.
func slow() string {
	return "-- 1.yaml --\nhold-first: true\nchunk: 24\ndelay: 40ms\n-- 1.md --\n" + twoFilesAndOneNew()
}

// statusline is the last piece of code of the page for Neovim that sets a statusline and holds a word.
func statusline(t *testing.T, word string) string {
	t.Helper()
	readme, err := os.ReadFile("../nvim/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```lua\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		if strings.Contains(block[1], "vim.o.statusline") && strings.Contains(block[1], word) {
			return block[1]
		}
	}
	t.Fatalf("nvim/README.md shows no statusline with %s", word)
	return ""
}

// moves wants that the line of the progress changes while the model says nothing, and that the answer comes to the
// screen when it does.
func moves(w *world, screen func() string, line *regexp.Regexp, until string) {
	w.t.Helper()
	var seen []string
	if !wait(func() bool {
		if now := line.FindString(screen()); strings.Contains(now, "Waiting for scripted · ") && !slices.Contains(seen, now) {
			seen = append(seen, now)
		}
		return len(seen) >= 4
	}) {
		w.t.Fatalf("the progress stands still: %q\n%s", seen, screen())
	}
	w.t.Logf("%q", seen)
	w.model.Release()
	if !wait(func() bool { return strings.Contains(screen(), until) }) {
		w.t.Fatalf("never on the screen: %s\n%s", until, screen())
	}
}

// With the module and the statusline that its page shows.
func TestModuleProgressMoves(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, slow())
		n := w.open(prefix, "init_module.lua")
		n.lua(statusline(t, "require'coauthor'"))
		askForChange(n, "Vj", "be polite")
		moves(w, n.text, regexp.MustCompile(`coauthor: (Waiting|Writing|Thinking|Checking).*\d+ s`), "before greet.py")
	})
}

// Without it, by Neovim's own means.
func TestPlainProgressMoves(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, slow())
		n := w.open(prefix, "init_plain.lua")
		n.lua(statusline(t, "vim.lsp.status()"))
		n.keys("ggVj")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document is served", func() bool {
			return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		n.keys("Gobe polite<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		moves(w, n.text, regexp.MustCompile(`Coauthor: (Waiting|Writing|Thinking|Checking).*\d+ s`), "Good day, ")
		choose(n, "gra", "Coauthor: apply pending change")
		n.see("Applied to 3 files, not saved yet. Undo: gra")
		n.until("the statusline says no more what was done", func() bool { return n.lua("return vim.g.lsp_progress or ''") == "" })
	})
}

// Helix, with the line of its configuration that its page shows.
func TestHelixProgressMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, slow())
	term := startHelix(w, cache(t, "helix"), "greet.py", "main.py")
	term.see("def greet(name):")
	term.press("x", "x")
	pick(term, "Coauthor: write an instruction")
	term.see("prompt-1.md")
	term.press("g", "e", "o")
	for i, key := range "polite" {
		term.write(string(key))
		term.see("  12  " + "polite"[:i+1])
	}
	term.leaveInsert()
	pick(term, "Coauthor: run this instruction")
	term.see("[Coauthor 1] Waiting for scripted") // Helix shows the token
	moves(w, term.screen, regexp.MustCompile(`(Waiting|Writing|Thinking|Checking).*\d+ s`), "Good day, ")
	pick(term, "Coauthor: apply pending change")
	term.see("Applied to 3 files, not saved yet. Undo: space a")
	term.write(":quit-all!")
	term.press("Enter")
}
