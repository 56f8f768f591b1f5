--- Coauthor in Neovim: an input box, a preview and a command on top of the language server.
---
---     require('coauthor').setup({ settings = { model = 'gpt-4o' } })
---
--- :help coauthor
local M = {}

--- Sets the module up and lets the server start with the next file. See :help coauthor-options.
---@param options? coauthor.Options
function M.setup(options)
  local compat = require('coauthor.compat')
  if not compat.has(compat.oldest) then
    error(('coauthor needs Neovim %s or later'):format(compat.oldest), 0)
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
  local inline = require('coauthor.inline')
  inline.colours()
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = inline.colours })
  compat.autocmd({ 'LspDetach' }, {
    group = group,
    callback = function(ev)
      local c = vim.lsp.get_client_by_id(ev.data.client_id)
      if c and c.name == client.name and vim.tbl_count(c.attached_buffers or {}) <= 1 then
        vim.schedule(function()
          if not vim.lsp.get_client_by_id(ev.data.client_id) then
            client.gone(ev.data.client_id)
          end
        end)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'BufWinEnter', 'WinEnter', 'WinClosed' }, {
    group = group,
    callback = function()
      require('coauthor.target').tell_focus()
    end,
  })
  vim.api.nvim_create_autocmd('BufReadPost', {
    group = group,
    callback = function(ev)
      inline.opened(ev.buf)
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    callback = function(ev)
      inline.closed(ev.buf)
    end,
  })
  vim.api.nvim_create_autocmd('DiagnosticChanged', {
    group = group,
    callback = function(ev)
      require('coauthor.target').tell_diagnostics(ev.buf)
    end,
  })
  compat.autocmd({ 'LspAttach' }, {
    group = group,
    callback = function(ev)
      local c = vim.lsp.get_client_by_id(ev.data.client_id)
      if c and c.name == client.name then
        client.attached(ev.buf)
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
          and #client.all(ev.buf) == 0
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

--- Goes to the conversation: what was asked and answered, and the place for the next question.
function M.chat()
  require('coauthor.client').with(0, function(c)
    require('coauthor.chat').open(c.id, true)
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
