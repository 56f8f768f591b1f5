package e2e

import (
	"strings"
	"testing"
)

// chat is the text of the module's chat buffer; "" where there is none.
func (n *nvim) chat() string {
	n.t.Helper()
	text, _ := n.lua(`
		for _, b in ipairs(vim.api.nvim_list_bufs()) do
			if vim.api.nvim_buf_get_name(b):match('coauthor://chat/') then
				return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\n')
			end
		end`).(string)
	return text
}

// Asking and answering stay in one buffer: the second question is written there, while the first answer comes, and a change
// that is asked for elsewhere is told there too.
func TestModuleChat(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowChat, rowBusy)
		w := newWorld(t, "-- 1.yaml --\nhold: true\n-- 1.md --\nIt greets.\n\nAnd it shouts.\n-- 2.md --\nBecause it is polite.\n-- 3.md --\n"+
			"I make it more so.\n\n"+edit("greet.py", "    return \"Hello, \" + name\n", "    return \"Good day, \" + name\n"))
		n := w.open(prefix, "init_module.lua")
		n.keys(":Coauthor ask what does it do?<CR>")
		n.until("the answer begins", func() bool { return strings.Contains(n.chat(), "It greets.") })
		n.keys(":Coauthor chat<CR>")
		n.input("GAwhy")
		n.until("the keys are taken", func() bool { return strings.HasSuffix(n.chat(), "## You\n\nwhy") })
		w.released()
		n.until("the answer is whole", func() bool { return strings.Contains(n.chat(), "It greets.\n\nAnd it shouts.") })
		n.input(" is that?<Esc>")
		n.until("what is written stays below", func() bool { return strings.HasSuffix(n.chat(), "## You\n\nwhy is that?") })
		w.shot("1-writing", n.text())
		n.keys("<CR>")
		n.until("the second answer", func() bool { return strings.Contains(n.chat(), "Because it is polite.") })
		if got, want := n.chat(), "## You\n\nwhat does it do?\n\n## Coauthor\n\nIt greets.\n\nAnd it shouts.\n"; !strings.Contains(got, want) {
			t.Errorf("the chat is\n%s", got)
		}
		if got := w.lastUser(); !strings.Contains(got, "why is that?") {
			t.Errorf("the model was asked\n%s", got)
		}
		if got := n.lua("return #vim.api.nvim_tabpage_list_wins(0)"); got != int64(2) {
			t.Errorf("%v windows, want the file and the chat:\n%s", got, n.text())
		}
		n.keys("q:2<CR>")
		n.input(":Coauthor edit more polite<CR>")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.until("the chat tells of it", func() bool {
			got := n.chat()
			return strings.Contains(got, "more polite\n\n## Coauthor\n\nI make it more so.") && strings.Contains(got, "\n*Applied.*\n") && !strings.Contains(got, "SEARCH")
		})
		w.shot("2-told", n.text())
	})
}

// What the model thinks is seen in the chat, and is folded to one line when the answer begins.
func TestModuleChatFoldsThinking(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.think.md --\nLet me look.\nIt prints.\n-- 1.md --\nIt greets.\n")
		n := w.open(prefix, "init_module.lua")
		n.keys(":Coauthor ask what does it do?<CR>")
		n.until("the answer", func() bool {
			return strings.Contains(n.chat(), "> It prints.") && strings.Contains(n.chat(), "\n\nIt greets.")
		})
		n.keys(":Coauthor chat<CR>")
		folded := n.lua("local at = vim.fn.search('^> Let me look', 'wc'); return vim.fn.foldtextresult(at)")
		if folded != "> Thought for 3 lines" {
			t.Errorf("the fold says %v in\n%s", folded, n.chat())
		}
		w.shot("1-folded", n.text())
	})
}
