--- Asking the user for words: one line through vim.ui.input, which plug-ins may replace, or a
--- small window for several lines.
local M = {}

--- The last instructions, newest last.
M.history = {}

local function remember(text)
  for i, old in ipairs(M.history) do
    if old == text then
      table.remove(M.history, i)
      break
    end
  end
  M.history[#M.history + 1] = text
  if #M.history > 50 then
    table.remove(M.history, 1)
  end
end

--- Calls back with what the user wrote, or nil when they wrote nothing or thought better of it.
---@param opts {prompt: string, value?: string, multiline?: boolean, history?: string[]} history is oldest first
function M.ask(opts, callback)
  local function done(text)
    text = text and vim.trim(text) or ''
    if text == '' then
      return callback(nil)
    end
    remember(text)
    callback(text)
  end
  if opts.multiline then
    return M.window(opts, done)
  end
  local prompt = opts.prompt:gsub('[\r\n]+', ' ')
  vim.ui.input({ prompt = prompt:gsub(':?%s*$', '') .. ': ', default = opts.value }, done)
end

--- Goes through what was written before, newest first; what stands there now comes last.
local function recalling(buf, older)
  local list, at = older, #older + 1
  local own
  return function(by)
    local want = at + by
    if want < 1 or want > #list + 1 then
      return
    end
    if at == #list + 1 then
      own = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
    end
    at = want
    local lines = vim.split(list[at] or own, '\n')
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
    vim.api.nvim_win_set_cursor(0, { #lines, #lines[#lines] })
  end
end

--- A window for several lines. <CR> in normal mode sends, q or closing it does not; <C-p> and <C-n> bring earlier
--- instructions back.
function M.window(opts, done)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].syntax = 'markdown'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(opts.value or '', '\n'))
  local width = math.min(80, math.max(20, vim.o.columns - 8))
  local height = math.min(8, math.max(3, vim.o.lines - 6))
  local title = ' ' .. opts.prompt:gsub('[\r\n]+', ' ') .. ' (Esc Enter: send, Esc q: cancel) '
  local titled = require('coauthor.compat').has('0.9')
  local win = vim.api.nvim_open_win(buf, true, {
    relative = 'editor',
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
    style = 'minimal',
    border = 'rounded',
    title = titled and title or nil,
  })
  if not titled then
    vim.api.nvim_echo({ { vim.trim(title) } }, false, {})
  end
  local answered = false
  local function finish(text)
    if answered then
      return
    end
    answered = true
    if vim.api.nvim_win_is_valid(win) then
      vim.api.nvim_win_close(win, true)
    end
    done(text)
  end
  local function map(modes, key, run)
    vim.keymap.set(modes, key, run, { buffer = buf, nowait = true })
  end
  map('n', '<CR>', function()
    finish(table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n'))
  end)
  map('n', 'q', function()
    finish(nil)
  end)
  local recall = recalling(buf, vim.list_extend(vim.deepcopy(opts.history or {}), M.history))
  map({ 'n', 'i' }, '<C-p>', function()
    recall(-1)
  end)
  map({ 'n', 'i' }, '<C-n>', function()
    recall(1)
  end)
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buf,
    once = true,
    callback = vim.schedule_wrap(function()
      finish(nil)
    end),
  })
  vim.cmd('startinsert')
end

return M
