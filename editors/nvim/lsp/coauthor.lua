-- The configuration of the coauthor language server: all that Neovim needs.
--
-- Neovim 0.11 and later: put this file on the runtime path as lsp/coauthor.lua and call
--
--     vim.lsp.enable('coauthor')
--
-- Neovim 0.10 has no vim.lsp.enable; start it for every file:
--
--     vim.api.nvim_create_autocmd('FileType', { callback = function(ev)
--       if vim.bo[ev.buf].buftype ~= '' then return end
--       vim.lsp.start(dofile('/path/to/lsp/coauthor.lua'), { bufnr = ev.buf })
--     end })
--
-- Settings: vim.lsp.config('coauthor', { settings = { coauthor = { model = 'gpt-4o' } } }).
-- The file stands alone and needs nothing else of ours; the Lua module reads it too.

local markers = { '.git', '.coauthor' }

--- The project a file belongs to: the nearest folder with a marker, else the file's own folder.
--- A folder of its own keeps the prompt document, which lies in <root>/.coauthor, with the server
--- that made it. The home folder and / are no project: such a file has a server without a root.
local function root_of(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' or name:match('^%a[%w+.-]+://') then
    return nil, true
  end
  local dir = vim.fs.root(bufnr, markers) or vim.fs.dirname(vim.fs.normalize(name))
  if dir == '/' or dir == vim.fs.normalize(vim.uv.os_homedir() or '/') then
    return nil
  end
  return dir
end

--- A document or a question of the server never comes between the user and what they are typing: it
--- waits until insert mode or the command line is left. And a question is asked on a screen that
--- shows what it is about; without the redraw the menu may hide the diff that was opened before it.
local function calm(method)
  return function(err, params, ctx, conf)
    local co, main = coroutine.running()
    while co and not main and vim.api.nvim_get_mode().mode:match('^[iRct]') do
      vim.api.nvim_create_autocmd('ModeChanged', {
        once = true,
        callback = vim.schedule_wrap(function()
          coroutine.resume(co)
        end),
      })
      coroutine.yield()
    end
    vim.cmd.redraw()
    return vim.lsp.handlers[method](err, params, ctx, conf)
  end
end

--- The conversation with the server lies in a document of the project, .coauthor/prompt-1.md, and answers
--- are written into it. It is never in the way of :q and :qa: what is not saved of it is saved then.
vim.api.nvim_create_autocmd('QuitPre', {
  group = vim.api.nvim_create_augroup('coauthor_prompt', {}),
  callback = function()
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      local name = vim.api.nvim_buf_get_name(buf)
      if vim.api.nvim_buf_is_loaded(buf) and name:match('[/\\]%.coauthor[/\\]prompt%-%d+%.md$') then
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
    ['window/showDocument'] = calm('window/showDocument'),
    ['window/showMessageRequest'] = calm('window/showMessageRequest'),
  },
}

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
