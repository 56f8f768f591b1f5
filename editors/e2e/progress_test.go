package e2e

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// slow is a model that says nothing for four seconds and then writes.
func slow() string {
	return "-- 1.yaml --\nfirst-delay: 4s\nchunk: 24\ndelay: 40ms\n-- 1.md --\n" + twoFilesAndOneNew()
}

// statusline is the last piece of code of README.md that sets a statusline and holds a word.
func statusline(t *testing.T, word string) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```lua\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		if strings.Contains(block[1], "vim.o.statusline") && strings.Contains(block[1], word) {
			return block[1]
		}
	}
	t.Fatalf("README.md shows no statusline with %s", word)
	return ""
}

// moves watches a screen until it shows a text, and wants that the line of the progress was another
// one each second meanwhile.
func moves(t *testing.T, screen func() string, line *regexp.Regexp, until string) {
	t.Helper()
	var seen []string
	last, longest := time.Now(), time.Duration(0)
	for end := time.Now().Add(hung); ; time.Sleep(50 * time.Millisecond) {
		text := screen()
		if strings.Contains(text, until) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("never on the screen: %s\n%s", until, text)
		}
		now := line.FindString(text)
		if now == "" || slices.Contains(seen, now) {
			if len(seen) > 0 {
				longest = max(longest, time.Since(last))
			}
			continue
		}
		seen, last = append(seen, now), time.Now()
	}
	waiting := slices.DeleteFunc(slices.Clone(seen), func(s string) bool { return !strings.Contains(s, "Waiting for scripted · ") })
	// Seconds of the four may be missed on a slow machine, and the screen is drawn a moment later.
	if len(waiting) < 3 || longest > 2500*time.Millisecond {
		t.Errorf("the progress stood still for %s: %q", longest, seen)
	}
	t.Logf("%q", seen)
}

// With the module and the statusline that README.md shows.
func TestModuleProgressMoves(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, slow())
		n := w.open(prefix, "init_module.lua")
		n.lua(statusline(t, "require'coauthor'"))
		askForChange(n, "Vj", "be polite")
		moves(t, n.text, regexp.MustCompile(`coauthor: (Waiting|Writing|Thinking|Checking).*\d+ s`), "before greet.py")
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
		moves(t, n.text, regexp.MustCompile(`Coauthor: (Waiting|Writing|Thinking|Checking).*\d+ s`), "Good day, ")
		choose(n, "", "Apply")
		n.see("Applied to 3 files, not saved yet. Undo: gra")
	})
}

// Helix, with the line of its configuration that README.md shows.
func TestHelixProgressMoves(t *testing.T) {
	t.Parallel()
	cache(t, "helix")
	w := newWorld(t, slow())
	term := startHelix(w, "greet.py", "main.py")
	term.see("def greet(name):")
	term.press("x", "x")
	pick(term, "Coauthor: write an instruction")
	term.see("prompt-1.md")
	term.press("g", "e", "o")
	for i, key := range "polite" {
		term.write(string(key))
		term.see("  10  " + "polite"[:i+1])
	}
	term.press("Escape")
	term.see("NOR")
	pick(term, "Coauthor: run this instruction")
	term.see("[Coauthor 1] Waiting for scripted") // Helix shows the token
	moves(t, term.screen, regexp.MustCompile(`(Waiting|Writing|Thinking|Checking).*\d+ s`), "Good day, ")
	pick(term, "Coauthor: apply pending edit")
	term.see("Applied to 3 files, not saved yet. Undo: space a")
	term.write(":quit-all!")
	term.press("Enter")
}
