package e2e

import (
	"strings"
	"testing"
)

// A file with line ends of Windows and characters that UTF-8 and UTF-16 count differently, as it is, as the user has
// typed into it, and as the model makes it then.
const (
	market      = "# 😀 Grüße\r\nname = \"Café\"  # 日本\r\nplace = \"Köln\"\r\n"
	marketTyped = "# 😀 Grüße ö\r\nname = \"Café\"  # 日本\r\nplace = \"Köln\"\r\n"
	marketNew   = "# 😀 Grüße ö\r\nname = \"Crêpe 😀\"  # 日本\r\nsize = \"größer\"\r\nplace = \"Köln\"\r\n"
)

// asBuffer is a text as an editor has it that keeps the line ends apart.
func asBuffer(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// toMarket is a model that changes that file.
func toMarket() string {
	return "-- 1.md --\n" + edit("market.py", "# 😀 Grüße ö\nname = \"Café\"  # 日本\n", "# 😀 Grüße ö\nname = \"Crêpe 😀\"  # 日本\nsize = \"größer\"\n")
}

// Text beyond ASCII and line ends of Windows come through a change and its undo byte by byte.
func TestPlainKeepsLineEnds(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowText)
		w := newWorld(t, toMarket())
		w.write("market.py", market)
		n := w.open(prefix, "init_plain.lua")
		n.keys(":edit " + w.path("market.py") + "<CR>")
		n.until("the server is attached", func() bool {
			return n.lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'coauthor' })") == int64(1)
		})
		n.keys("ggA ö<Esc>")
		instructed(n, "sell something else")
		n.see("Crêpe")
		choose(n, "gra", "Coauthor: apply pending change")
		n.wantBuffer(w.path("market.py"), asBuffer(marketNew))
		save := func() { n.keys(":silent! wall<CR>") }
		w.wantFiles(map[string]string{"market.py": marketNew}, save, n.text)
		n.keys(":edit " + w.path("market.py") + "<CR>")
		choose(n, "gra", "Coauthor: undo last")
		n.wantBuffer(w.path("market.py"), asBuffer(marketTyped))
		w.wantFiles(map[string]string{"market.py": marketTyped}, save, n.text)
	})
}

// The same in Helix.
func TestHelixKeepsLineEnds(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowText)
		w := newWorld(t, toMarket())
		w.write("market.py", market)
		term := startHelix(w, prefix, "market.py")
		term.see("Grüße")
		term.press("A")
		term.slowly(" ö")
		term.leaveInsert()
		instruct(term, "sell more")
		term.see("Crêpe")
		pick(term, "Coauthor: apply pending change")
		term.see("Applied to 1 file")
		save := func() { term.typed("write-all") }
		w.wantFiles(map[string]string{"market.py": marketNew}, save, term.screen)
		term.typed("open market.py")
		term.see("größer")
		pick(term, "Coauthor: undo last")
		w.wantFiles(map[string]string{"market.py": marketTyped}, save, term.screen)
		term.typed("quit-all!")
	})
}
