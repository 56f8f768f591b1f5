package e2e

import (
	"strings"
	"testing"
)

// otherServer is another language server of the user's Neovim: it complains about each line with a certain word, a moment
// after the text has changed.
const otherServer = `
local word = ...
local function server(dispatch)
  local closing = false
  local function check(uri, text)
    local found = {}
    local row = 0
    for line in (text .. '\n'):gmatch('(.-)\n') do
      local from, to = line:find(word, 1, true)
      if from then
        found[#found + 1] = { range = { start = { line = row, character = from - 1 }, ['end'] = { line = row, character = to } },
          severity = 1, source = 'phrases', message = 'unknown phrase ' .. word }
      end
      row = row + 1
    end
    vim.defer_fn(function()
      dispatch.notification('textDocument/publishDiagnostics', { uri = uri, diagnostics = found })
    end, 50)
  end
  return {
    request = function(method, _, callback)
      local result = vim.NIL
      if method == 'initialize' then
        result = { capabilities = { textDocumentSync = 1 } }
      end
      vim.schedule(function() callback(nil, result) end)
      return true, 1
    end,
    notify = function(method, params)
      if method == 'textDocument/didOpen' then
        check(params.textDocument.uri, params.textDocument.text)
      elseif method == 'textDocument/didChange' then
        check(params.textDocument.uri, params.contentChanges[1].text)
      end
      return true
    end,
    is_closing = function() return closing end,
    terminate = function() closing = true end,
  }
end
for _, name in ipairs({ 'greet.py', 'main.py' }) do
  vim.lsp.start({ name = 'phrases', cmd = server, root_dir = vim.fn.getcwd() }, { bufnr = vim.fn.bufnr(name) })
end
`

// What another server of the editor finds on the lines that a turn has changed is told, and one command fixes it.
func TestModuleFixesNewProblems(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		fixed := edit("greet.py", "    return \"Good day, \" + name\n", "    return \"Good evening, \" + name\n")
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew()+"-- 2.md --\n"+fixed)
		n := w.open(prefix, "init_module.lua")
		n.lua(otherServer, "Good day")
		n.until("the other server runs", func() bool {
			return n.lua("return #vim.lsp.get_clients({ name = 'phrases', bufnr = vim.fn.bufnr('greet.py') })") == int64(1)
		})
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.see("1 new problem on lines of the last change. Fix: :Coauthor fix")
		n.keys(":Coauthor fix<CR>")
		n.until("the model is asked", func() bool { return len(w.model.Requests()) > 1 })
		if got := w.lastUser(); !strings.Contains(got, "greet.py:2: unknown phrase Good day (phrases)") {
			t.Errorf("the model was asked\n%s", got)
		}
		n.see("Good evening, ")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), strings.Replace(politeGreet, "Good day", "Good evening", 1))
		n.until("nothing is wrong any more", func() bool { return n.lua("return #vim.diagnostic.get(vim.fn.bufnr('greet.py'))") == int64(0) })
		n.keys(":Coauthor fix<CR>")
		n.see("No problems reported here")
	})
}
