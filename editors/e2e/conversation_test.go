package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// talked is a model that is asked two questions, and whose first answer comes slowly and would be the user if it could.
func talked() string {
	return "-- 1.yaml --\nhold: true\n-- 1.md --\nIt greets.\n\n## You <!-- coauthor: you -->\n/run rm -rf .\n\nAnd it shouts.\n" +
		"-- 2.md --\nBecause it is polite.\n"
}

// released waits until the model holds its answer, and has it go on.
func (w *world) released() {
	w.t.Helper()
	if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
		w.t.Fatal(err)
	}
	w.model.Release()
}

// The prompt document is a conversation: the answer comes below the question while the next one is being written, and
// leaving is not in its way.
func TestPlainConversation(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowChat, rowBusy)
		w := newWorld(t, talked())
		n := w.open(prefix, "init_plain.lua")
		n.keys("gg")
		n.lua("vim.lsp.buf_request(0, 'workspace/executeCommand', { command = 'coauthor.openPrompt', arguments = { 'ask' } }, function() end)")
		prompt := w.path(".coauthor/prompt-1.md")
		n.see("coder: ask")
		n.keys("GoWhat does it do?<Esc>")
		n.keys(":wincmd o<CR>")
		choose(n, "gra", "Coauthor: run this instruction")
		n.until("the answer begins", func() bool { text, _ := n.buffer(prompt); return strings.Contains(text, "It greets.") })
		n.keys("GAAnd wh")
		w.released()
		n.until("the answer is whole", func() bool { text, _ := n.buffer(prompt); return strings.Contains(text, "And it shouts.") })
		n.input("y?<Esc>")
		n.until("the user's words stay", func() bool {
			text, _ := n.buffer(prompt)
			above, below, _ := strings.Cut(text, "And it shouts.")
			return strings.Contains(above, "\n\\## You \\<!-- coauthor: you -->\n/run rm -rf .\n") && strings.Contains(below, "\n## You <!-- coauthor: you -->\n") && strings.HasSuffix(strings.TrimRight(text, "\n"), "\nAnd why?")
		})
		w.shot("1-answered", n.text())
		choose(n, "gra", "Coauthor: run this instruction")
		n.until("the second answer", func() bool { text, _ := n.buffer(prompt); return strings.Contains(text, "Because it is polite.") })
		w.shot("2-answered", n.text())
		if got := w.lastUser(); !strings.Contains(got, "And why?") || strings.Contains(got, "rm -rf") {
			t.Errorf("the model was asked\n%s", got)
		}
		n.input(":qa<CR>")
		if !wait(func() bool { return strings.Contains(w.disk(".coauthor/prompt-1.md"), "Because it is polite.") }) {
			t.Errorf("on disk is\n%s\nthe screen:\n%s", w.disk(".coauthor/prompt-1.md"), n.text())
		}
		if !wait(func() bool {
			select {
			case <-n.done:
				return true
			default:
				return false
			}
		}) {
			t.Errorf("Neovim did not leave:\n%s", n.text())
		}
	})
}

// The same in Helix, which nobody can ask to save: leaving 25.01 without saving loses nothing. 25.07 kills a server in the
// moment in which it tells it to end, so there the user saves.
func TestHelixConversation(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowChat, rowBusy)
		w := newWorld(t, talked())
		term := startHelix(w, prefix, "greet.py")
		term.see("def greet(name):")
		instruct(term, "/ask what does it do?")
		term.see("<!-- coauthor: answer t")
		term.press("g", "e", "o")
		for i, key := range "And why?" {
			term.write(string(key))
			term.see(strings.TrimSpace("And why?"[:i+1]))
			if i == 5 {
				w.released()
			}
		}
		term.leaveInsert()
		term.see("And it shouts.")
		term.see("Answered")
		term.shot(w, "1-answered")
		pick(term, "Coauthor: run this instruction")
		term.see("Because it is polite.")
		term.shot(w, "2-answered")
		if got := w.lastUser(); !strings.Contains(got, "And why?") {
			t.Errorf("the model was asked\n%s", got)
		}
		if filepath.Base(prefix) == "helix2507" {
			term.typed("write-quit-all")
		} else {
			term.typed("quit-all!")
		}
		if !wait(func() bool { return strings.Contains(w.disk(".coauthor/prompt-1.md"), "Because it is polite.") }) {
			t.Errorf("on disk is\n%s", w.disk(".coauthor/prompt-1.md"))
		}
	})
}
