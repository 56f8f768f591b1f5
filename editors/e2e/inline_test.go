package e2e

import (
	"strings"
	"testing"
)

// A change that is applied at once is looked at in the files, with nothing of ours but lsp/coauthor.lua: it is marked, the
// old text is in a hover, one hunk is undone, and one is kept.
func TestPlainReviewAfterApply(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		w.configure("preview: inline\n")
		n := w.open(prefix, "init_plain.lua")
		n.keys("ggVj")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document is served", func() bool {
			return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		n.keys("Gobe polite<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.wantBuffer(w.path("main.py"), politeMain)
		w.wantUntouchedDisk()

		n.keys(":edit " + w.path("greet.py") + "<CR>")
		n.until("the change is marked", func() bool {
			return n.lua("local d = vim.diagnostic.get(0) return #d == 1 and d[1].lnum == 1 and d[1].message:match('^To review') ~= nil") == true
		})
		n.keys("ggO# mine<Esc>jj")
		n.until("the mark has moved", func() bool {
			return n.lua("local d = vim.diagnostic.get(0) return #d == 1 and d[1].lnum == 2") == true
		})
		n.keys(":lua vim.lsp.buf.hover()<CR>")
		n.see(`-    return "Hello, " + name`)
		w.shot("inline-"+prefix[strings.LastIndexByte(prefix, '/')+1:]+"-hover", n.text())
		n.keys(":edit<Esc>3G")
		choose(n, "gra", "Coauthor: undo this change")
		n.wantBuffer(w.path("greet.py"), "# mine\n"+project["greet.py"])
		n.keys(":edit " + w.path("main.py") + "<CR>3G")
		choose(n, "gra", "Coauthor: keep this change")
		n.until("nothing is marked there any more", func() bool { return n.lua("return #vim.diagnostic.get(0)") == int64(0) })
		n.wantBuffer(w.path("main.py"), politeMain)
	})
}

// The same in Helix.
func TestHelixReviewAfterApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
	w.configure("preview: inline\n")
	term := startHelix(w, cache(t, "helix"), "greet.py", "main.py")
	term.see("def greet(name):")
	instruct(term, "be polite")
	term.typed("open greet.py")
	term.see("Good day, ")
	w.wantUntouchedDisk()
	term.press("g", "g", "j")
	term.see("● ") // the mark of a diagnostic
	term.shot(w, "inline-helix-marked")
	term.press("Space", "k")
	term.see(`-    return "Hello, " + name`)
	term.shot(w, "inline-helix-hover")
	term.press("Escape")
	// A key right behind Escape makes one with it, and what the hover shows is in the file after the undo, too.
	term.lacks("Hello, ")
	pick(term, "Coauthor: undo this change")
	term.see("Hello, ")
	term.typed("open main.py")
	term.see("dear world")
	term.press("g", "e")
	pick(term, "Coauthor: keep this change")
	if !wait(func() bool {
		term.typed("write-all")
		return wait1(func() bool {
			return w.disk("greet.py") == project["greet.py"] && w.disk("main.py") == politeMain
		})
	}) {
		t.Fatalf("on disk:\n%s\n%s\nscreen:\n%s", w.disk("greet.py"), w.disk("main.py"), term.screen())
	}
	term.shot(w, "inline-helix-kept")
	term.typed("quit-all!")
}
