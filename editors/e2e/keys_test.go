package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keyless is a user whose model is on another machine and wants a key, which is not set.
func (w *world) keyless() {
	w.t.Helper()
	text := fmt.Sprintf("model: gpt-4o\napiBase: https://api.example.invalid/v1\napiKeyEnv: COAUTHOR_TEST_KEY\nlog:\n  level: debug\n  file: %s\n", w.log())
	if err := os.WriteFile(filepath.Join(w.own, "config/coauthor/config.yaml"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// Without a key the user is told what to set, and the menu has the check of the setup, which says the same.
func TestPlainWithoutAKey(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowNoKey)
		w := newWorld(t, "-- 1.md --\nNobody asked.\n")
		w.keyless()
		n := w.open(prefix, "init_plain.lua")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document is served", func() bool {
			return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		n.keys("Gobe polite<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		n.see("COAUTHOR_TEST_KEY")
		w.shot("1-told", n.text())
		if asks := func() bool { return strings.Contains(n.text(), "Press ENTER") }; wait1(asks) { // once it is all there
			n.input("<CR>")
		}
		n.keys(":edit " + w.path("greet.py") + "<CR>")
		choose(n, "gra", "Coauthor: check the setup (")
		n.see("Set COAUTHOR_TEST_KEY in the environment")
		w.shot("2-set-up", n.text())
		w.wantUntouchedDisk()
		if got := len(w.model.Requests()); got != 0 {
			t.Errorf("another model was asked %d times", got)
		}
	})
}

// The same in Helix.
func TestHelixWithoutAKey(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowNoKey)
		w := newWorld(t, "-- 1.md --\nNobody asked.\n")
		w.keyless()
		term := startHelix(w, prefix, "greet.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		term.see("COAUTHOR_TEST_KEY")
		term.shot(w, "1-told")
		term.typed("open greet.py")
		term.see("def greet(name):")
		pick(term, "Coauthor: check the setup (")
		term.see("Set COAUTHOR_TEST_KEY in the environment")
		term.shot(w, "2-set-up")
		w.wantUntouchedDisk()
		term.typed("quit-all!")
	})
}
