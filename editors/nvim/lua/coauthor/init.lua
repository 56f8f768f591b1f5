--- Coauthor in Neovim: an input box, a preview and a command on top of the language server.
---
---     require('coauthor').setup({ settings = { model = 'gpt-4o' } })
---
--- :help coauthor
local M = {}

--- Sets the module up and lets the server start with the next file. See :help coauthor-options.
---@param options? coauthor.Options
function M.setup(options)
  if vim.fn.has('nvim-0.10') == 0 then
    error('coauthor needs Neovim 0.10 or later', 0)
  end
  local config = require('coauthor.config')
  config.current = config.merge(options)
  local client = require('coauthor.client')
  require('coauthor.review').watch_keys()
  if vim.lsp.config then
    -- The base is given too, so that the module works where lsp/ is not on the runtime path.
    vim.lsp.config(client.name, vim.tbl_deep_extend('force', client.base(), client.additions()))
  end
  local group = vim.api.nvim_create_augroup('coauthor', {})
  vim.api.nvim_create_autocmd('LspDetach', {
    group = group,
    callback = function(ev)
      local c = vim.lsp.get_client_by_id(ev.data.client_id)
      if c and c.name == client.name and vim.tbl_count(c.attached_buffers) <= 1 then
        vim.schedule(function()
          if not vim.lsp.get_client_by_id(ev.data.client_id) then
            require('coauthor.state').forget(ev.data.client_id)
          end
        end)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufEnter', {
    group = group,
    callback = function(ev)
      for _, c in ipairs(vim.lsp.get_clients({ name = client.name, bufnr = ev.buf })) do
        client.tell(c, 'coauthor/didFocus', { uri = vim.uri_from_bufnr(ev.buf) })
      end
    end,
  })
  vim.api.nvim_create_autocmd('DiagnosticChanged', {
    group = group,
    callback = function(ev)
      require('coauthor.target').tell_diagnostics(ev.buf)
    end,
  })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(ev)
      local c = vim.lsp.get_client_by_id(ev.data.client_id)
      if c and c.name == client.name and #vim.diagnostic.get(ev.buf) > 0 then
        require('coauthor.target').tell_diagnostics(ev.buf)
      end
    end,
  })
  if not config.current.autostart then
    return
  end
  -- vim.lsp.enable looks at file types only; a file without one is a file too.
  vim.api.nvim_create_autocmd({ 'FileType', 'BufReadPost', 'BufNewFile', 'BufWritePost' }, {
    group = group,
    callback = function(ev)
      vim.schedule(function()
        if
          vim.api.nvim_buf_is_valid(ev.buf)
          and #vim.lsp.get_clients({ name = client.name, bufnr = ev.buf }) == 0
        then
          client.attach(ev.buf)
        end
      end)
    end,
  })
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    client.attach(buf)
  end
end

--- For the statusline: what runs, else what waits for a decision, else ''.
function M.statusline()
  return require('coauthor.state').line()
end

--- Asks for a change of lines first..last (from 1; nil is the file) of the current buffer.
function M.edit(instruction, first, last)
  local bufnr = vim.api.nvim_get_current_buf()
  require('coauthor.client').with(bufnr, function(c)
    require('coauthor.request').edit(c, bufnr, { instruction = instruction, first = first, last = last })
  end)
end

--- Asks a question about lines first..last (from 1; nil is the file) of the current buffer.
function M.ask(question, first, last)
  local bufnr = vim.api.nvim_get_current_buf()
  require('coauthor.client').with(bufnr, function(c)
    require('coauthor.request').ask(c, bufnr, { instruction = question, first = first, last = last })
  end)
end

function M.apply()
  require('coauthor.review').decide('apply', 0)
end

function M.discard()
  require('coauthor.review').decide('discard', 0)
end

function M.show()
  require('coauthor.review').show(vim.api.nvim_get_current_buf())
end

function M.undo()
  require('coauthor.review').turn_back('undoTurn', 0)
end

function M.cancel()
  require('coauthor.request').cancel()
end

return M
