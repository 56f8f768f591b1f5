--- What Neovim 0.7 to 0.9 lack or call otherwise. Everything else of the module is written for them all
--- and calls what stands here.
local M = {}

--- The oldest Neovim that the module works in.
M.oldest = '0.7'

M.uv = vim.uv or vim.loop

function M.has(version)
  return vim.fn.has('nvim-' .. version) == 1
end

M.islist = vim.islist or vim.tbl_islist

--- Whether a client serves a buffer.
function M.attached(client, bufnr)
  return vim.lsp.buf_is_attached(bufnr, client.id)
end

--- The clients of a name, or all; only those of a buffer (0 is the current one), where one is given.
function M.clients(name, bufnr)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ name = name, bufnr = bufnr })
  end
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  return vim.tbl_filter(function(client)
    return (not name or client.name == name) and (not bufnr or M.attached(client, bufnr))
  end, vim.lsp.get_active_clients())
end

--- Whether a client can answer a method.
function M.supports(client, method)
  if M.has('0.11') then
    return client:supports_method(method)
  end
  return client.supports_method(method)
end

--- A line (from 0) of a file, as its buffer has it, else as it is on disk.
function M.line(name, bufnr, row)
  if bufnr then
    return vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  end
  local ok, lines = pcall(vim.fn.readfile, name, '', row + 1)
  return ok and lines[row + 1] or ''
end

--- Clients of before 0.10 by project. Nothing in that Neovim finds one that has not answered yet.
local started = {}

--- Attaches a buffer to the client of a configuration and its root_dir, starting one where none runs.
---@return integer? id of the client
function M.start(config, bufnr)
  if M.has('0.10') then
    return vim.lsp.start(config, { bufnr = bufnr, reuse_client = config.reuse_client })
  end
  local key = config.name .. '\0' .. (config.root_dir or '')
  if not started[key] then
    local on_exit = config.on_exit
    config.on_exit = function(...)
      started[key] = nil
      if on_exit then
        on_exit(...)
      end
    end
    started[key] = vim.lsp.start_client(config)
  end
  if started[key] then
    vim.lsp.buf_attach_client(bufnr, started[key])
  end
  return started[key]
end

--- Sets an option of a window, for the buffer that it shows now.
function M.setlocal(win, name, value)
  vim.api.nvim_win_call(win, function()
    vim.opt_local[name] = value
  end)
end

--- Writes the line over a window; before 0.8 the one below it.
function M.bar(win, text)
  M.setlocal(win, M.has('0.8') and 'winbar' or 'statusline', text)
end

--- The file type of a name, '' where nobody knows.
function M.filetype(name)
  if M.has('0.8') then
    return vim.filetype.match({ filename = name }) or ''
  end
  local bufnr = vim.fn.bufnr('^' .. vim.fn.fnameescape(name) .. '$')
  return bufnr > 0 and vim.bo[bufnr].filetype or ''
end

--- Runs the User autocommands of a name; before 0.8 they are given no data.
function M.trigger(pattern, data)
  local opts = { pattern = pattern, modeline = false, data = data }
  if not M.has('0.8') then
    opts.data = nil
  end
  vim.api.nvim_exec_autocmds('User', opts)
end

--- Creates an autocommand for those of the events that this Neovim has.
function M.autocmd(events, opts)
  local known = vim.tbl_filter(function(event)
    return vim.fn.exists('##' .. event) == 1
  end, events)
  if #known > 0 then
    vim.api.nvim_create_autocmd(known, opts)
  end
end

--- Reports of :checkhealth: start, ok, info, warn and error.
function M.health()
  local health = vim.health
  if health and health.start then
    return health
  end
  health = health or require('health')
  return {
    start = health.report_start,
    ok = health.report_ok,
    info = health.report_info,
    warn = health.report_warn,
    error = health.report_error,
  }
end

--- Whether the handler of a request can wait: Neovim runs it in a coroutine, but up to 0.8 not in one that may yield.
function M.can_wait()
  local co, main = coroutine.running()
  return co ~= nil and not main
end

--- Waits, in such a handler, for what start calls back with.
function M.await(start)
  local co = coroutine.running()
  local settled, answer = false, nil
  start(function(got)
    -- It may call back before we yield.
    vim.schedule(function()
      settled, answer = true, got
      if coroutine.status(co) == 'suspended' then
        coroutine.resume(co)
      end
    end)
  end)
  if not settled then
    coroutine.yield()
  end
  return answer
end

return M
