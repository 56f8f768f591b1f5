package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The prompt document, with nothing of ours but lsp/coauthor.lua.
func TestPlainPromptDocument(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_plain.lua")
		n.keys("ggVj")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document opens", func() bool {
			name, _ := n.lua("return vim.api.nvim_buf_get_name(0)").(string)
			return strings.HasPrefix(name, w.path(".coauthor/prompt-"))
		})
		n.until("one server serves it too", func() bool {
			return n.lua("return #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		if got := n.lua("return #vim.lsp.get_clients()"); got != int64(1) {
			t.Errorf("%v servers run, want one", got)
		}
		n.keys("Gobe polite<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		n.see("Good day, ")
		choose(n, "gra", "Coauthor: apply pending change")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.wantBuffer(w.path("main.py"), politeMain)
		n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
		if got := w.lastUser(); !strings.Contains(got, "be polite") {
			t.Errorf("the model was asked\n%s", got)
		}
		w.wantUntouchedDisk()
		if _, err := os.Stat(filepath.Join(w.dir, ".coauthor/.gitignore")); err != nil {
			t.Errorf("the folder of prompt documents is not ignored by git: %v", err)
		}

		n.keys(":edit " + w.path("greet.py") + "<CR>")
		choose(n, "gra", "Coauthor: undo last")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.wantBuffer(w.path("main.py"), project["main.py"])
	})
}

// Without the module, too, the diff and the question wait until the user has stopped typing.
func TestPlainTypingDuringTheTurn(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowTyping)
		w := newWorld(t, "-- 1.yaml --\nhold: true\n-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_plain.lua")
		n.keys("ggVj")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document is served", func() bool {
			return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		n.keys("Gobe polite<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		n.keys(":edit " + w.path("greet.py") + "<CR>")
		n.input("Goprint(\"typed")
		n.until("the keys are taken", func() bool {
			text, _ := n.buffer(w.path("greet.py"))
			return strings.Contains(text, `print("typed`)
		})
		w.model.Release()
		n.until("the diff is written", func() bool {
			found, err := filepath.Glob(w.path(".coauthor/*.diff"))
			return err == nil && len(found) == 1
		})
		n.input(" meanwhile\")")
		typed := project["greet.py"] + "print(\"typed meanwhile\")\n"
		n.wantBuffer(w.path("greet.py"), typed)
		n.input("<Esc>")
		n.see("Good day, ")
		choose(n, "gra", "Coauthor: apply pending change")
		n.wantBuffer(w.path("greet.py"), strings.Replace(typed, `"Hello, "`, `"Good day, "`, 1))
		n.wantBuffer(w.path("main.py"), politeMain)
	})
}

// Discarding and stopping by code actions.
func TestPlainDiscardAndStop(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowDiscard, rowCancel)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew()+"-- 2.yaml --\nhold: true\n-- 2.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_plain.lua")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document is served", func() bool {
			return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		n.keys("Gobe polite<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		n.see("Good day, ")
		choose(n, "gra", "Coauthor: discard pending change")
		n.keys(":edit " + w.path("greet.py") + "<CR>")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])

		n.keys(":buffer prompt-1<CR>Gobe polite again<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		n.keys(":edit " + w.path("greet.py") + "<CR>")
		choose(n, "gra", "Coauthor: stop")
		if err := w.model.WaitClosed(w.ctx(), 1); err != nil {
			t.Fatalf("the model's connection stays open: %v", err)
		}
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		w.wantUntouchedDisk()
	})
}

func TestPlainUndoesANewFile(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_plain.lua")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document is served", func() bool {
			return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		n.keys("Gobe polite<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		n.see("Good day, ")
		choose(n, "gra", "Coauthor: apply pending change")
		n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
		n.keys(":edit " + w.path("greet.py") + "<CR>")
		for range 2 {
			choose(n, "gra", "Coauthor: undo last")
			n.wantBuffer(w.path("greet.py"), project["greet.py"])
			w.wantGone(n, "tests/test_greet.py")
			n.lua("vim.lsp.buf_request(0, 'workspace/executeCommand', { command = 'coauthor.redoTurn' }, function() end)")
			n.wantBuffer(w.path("greet.py"), politeGreet)
			n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
		}
		n.keys(":silent wall<CR>")
		choose(n, "gra", "Coauthor: undo last")
		w.wantGone(n, "tests/test_greet.py")
	})
}
