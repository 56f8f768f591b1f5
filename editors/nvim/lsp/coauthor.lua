-- Configuration of the coauthor language server for Neovim.
--
-- Neovim 0.11 and later: put this file on the runtime path as lsp/coauthor.lua and call
--
--     vim.lsp.enable('coauthor')
--
-- Neovim 0.8 to 0.10 have no vim.lsp.enable; start it for every file:
--
--     vim.api.nvim_create_autocmd('FileType', { callback = function(ev)
--       if vim.bo[ev.buf].buftype ~= '' then return end
--       vim.lsp.start(dofile('/path/to/lsp/coauthor.lua'), { bufnr = ev.buf })
--     end })
--
-- Neovim 0.7 has no vim.lsp.start either:
--
--     local running = {}
--     vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, { callback = function()
--       if vim.bo.buftype ~= '' then return end
--       local config = dofile('/path/to/lsp/coauthor.lua')
--       local root = config.root_dir or ''
--       config.on_exit = function() running[root] = nil end
--       running[root] = running[root] or vim.lsp.start_client(config)
--       vim.lsp.buf_attach_client(0, running[root])
--     end })
--
-- Settings: vim.lsp.config('coauthor', { settings = { coauthor = { model = 'gpt-4o' } } }).
-- This file needs no other file of Coauthor. The Lua module uses it too.

local markers = { '.git', '.coauthor' }
local uv = vim.uv or vim.loop

local function normal(path)
  return vim.fs and vim.fs.normalize and vim.fs.normalize(path) or path
end

--- The nearest folder with a marker, from a folder upwards.
local function marked(dir)
  while true do
    for _, marker in ipairs(markers) do
      if uv.fs_stat(dir .. '/' .. marker) then
        return dir
      end
    end
    local up = vim.fn.fnamemodify(dir, ':h')
    if up == dir then
      return nil
    end
    dir = up
  end
end

--- The project a file belongs to: the nearest folder with a marker, else the file's own folder.
--- A folder of its own keeps the prompt document, which lies in <root>/.coauthor, with the server
--- that made it. The home folder and / are no project: such a file has a server without a root.
local function root_of(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' or name:match('^%a[%w+.-]+://') then
    return nil, true
  end
  local own = normal(vim.fn.fnamemodify(name, ':p:h'))
  local dir = marked(own) or own
  if dir == '/' or dir == normal(uv.os_homedir() or '/') then
    return nil
  end
  return dir
end

local function typing()
  return vim.api.nvim_get_mode().mode:match('^[iRct]') ~= nil
end

--- Calls back when insert mode or the command line is left.
local function afterwards(callback)
  vim.api.nvim_create_autocmd('ModeChanged', { once = true, callback = vim.schedule_wrap(callback) })
end

--- Opens a document for the server, where Neovim has no handler of its own for that (0.7).
local function show_document(_, params)
  local name = vim.fn.fnameescape(vim.uri_to_fname(params.uri))
  if params.external then
    return { success = false }
  elseif params.takeFocus == false then
    if vim.fn.bufwinid(vim.fn.bufadd(vim.uri_to_fname(params.uri))) == -1 then
      local from = vim.api.nvim_get_current_win()
      vim.cmd('split ' .. name)
      vim.api.nvim_set_current_win(from)
    end
  elseif not pcall(vim.cmd, 'edit ' .. name) then
    vim.cmd('split ' .. name) -- what is in the window has changes, and 'hidden' is off
  end
  if params.selection and params.takeFocus ~= false then
    local line = math.min(params.selection.start.line + 1, vim.api.nvim_buf_line_count(0))
    vim.api.nvim_win_set_cursor(0, { line, 0 })
  end
  return { success = true }
end

local lacks_documents = vim.lsp.handlers['window/showDocument'] == nil

--- A document or a question of the server never comes between the user and what they are typing: it
--- waits until insert mode or the command line is left. And a question is asked on a screen that
--- shows what it is about; without the redraw the menu may hide the diff that was opened before it.
local function calm(method)
  return function(err, params, ctx, conf)
    local handler = vim.lsp.handlers[method] or show_document
    local co, main = coroutine.running()
    if typing() and (not co or main) then
      -- Up to 0.8 a handler cannot wait. A document then comes later; a question is answered by code actions.
      if method == 'window/showDocument' then
        local function later()
          if typing() then
            return afterwards(later)
          end
          handler(err, params, ctx, conf)
        end
        afterwards(later)
        return { success = true }
      end
      return vim.NIL
    end
    while co and not main and typing() do
      afterwards(function()
        coroutine.resume(co)
      end)
      coroutine.yield()
    end
    vim.cmd('redraw')
    return handler(err, params, ctx, conf)
  end
end

--- Whether a document of an edit has changed since the version that the edit names.
local function outdated(edit)
  for _, change in ipairs(edit.documentChanges or {}) do
    local document = change.textDocument
    if document and type(document.version) == 'number' and document.version > 0 then
      local now = vim.lsp.util.buf_versions[vim.uri_to_bufnr(document.uri)]
      if now and now > document.version then
        return true
      end
    end
  end
  return false
end

--- Neovim prints the label of an edit, and the whole URI of a document that is newer than one. What is longer than the
--- command line asks for Enter, in the middle of the user's typing. So a label is cut to what fits; and of a newer
--- document, to which Neovim would say that it was changed, the server is told, which makes the edit again.
local function apply_edit(err, params, ctx, conf)
  if params and outdated(params.edit) then
    return { applied = false, failureReason = 'the document has changed since' }
  end
  if params and params.label then
    local room = vim.v.echospace - #'Workspace edit '
    if vim.fn.strdisplaywidth(params.label) > room then
      params.label = room > 1 and vim.fn.printf('%.' .. (room - 1) .. 'S…', params.label) or nil
    end
  end
  return vim.lsp.handlers['workspace/applyEdit'](err, params, ctx, conf)
end

--- The conversation with the server lies in a document of the project, .coauthor/prompt-1.md, and answers
--- are written into it; what is decided of a change goes out of the document with its diff. Neither is ever in the way
--- of :q and :qa: what is not saved of them is saved then.
vim.api.nvim_create_autocmd('QuitPre', {
  group = vim.api.nvim_create_augroup('coauthor_prompt', {}),
  callback = function()
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      local name = vim.api.nvim_buf_get_name(buf)
      local ours = name:match('[/\\]%.coauthor[/\\]([^/\\]+)$') or ''
      if vim.api.nvim_buf_is_loaded(buf) and (ours:match('^prompt%-%d+%.md$') or ours:match('%.diff$')) then
        vim.api.nvim_buf_call(buf, function()
          vim.cmd('silent! update')
        end)
      end
    end
  end,
})

---@type vim.lsp.Config
local config = {
  name = 'coauthor',
  cmd = { 'coauthor', 'serve' },
  -- No filetypes: every language is welcome, and so is none.
  root_markers = markers,
  handlers = {
    ['workspace/applyEdit'] = apply_edit,
    ['window/showDocument'] = calm('window/showDocument'),
    ['window/showMessageRequest'] = calm('window/showMessageRequest'),
  },
}

if lacks_documents then
  config.capabilities = vim.lsp.protocol.make_client_capabilities()
  config.capabilities.window =
    vim.tbl_extend('force', config.capabilities.window or {}, { showDocument = { support = true } })
end

if vim.fn.has('nvim-0.11') == 1 then
  -- A buffer without a file starts no server.
  config.root_dir = function(bufnr, on_dir)
    local dir, nameless = root_of(bufnr)
    if not nameless then
      on_dir(dir)
    end
  end
else
  config.root_dir = root_of(0)
end

return config
