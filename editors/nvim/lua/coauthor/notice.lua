--- A line in the corner that stays until it is out of date. A message would be gone with the next
--- one, and a user who types does not look at messages.
local M = {}

---@type {key: string, win: integer, buf: integer}?
local now

local function width_of(lines)
  local width = 1
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return math.min(width, math.max(10, vim.o.columns - 4))
end

local function place(lines)
  return {
    relative = 'editor',
    anchor = 'SE',
    row = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0),
    col = vim.o.columns,
    width = width_of(lines),
    height = math.max(1, math.min(#lines, vim.o.lines - 4)),
  }
end

--- Shows lines under a key; what was there before goes.
function M.show(key, lines)
  M.close()
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local win = vim.api.nvim_open_win(
    buf,
    false,
    vim.tbl_extend('force', place(lines), {
      style = 'minimal',
      focusable = false,
      noautocmd = true,
      zindex = 60,
    })
  )
  require('coauthor.compat').setlocal(win, 'winhighlight', 'Normal:Todo,NormalFloat:Todo')
  now = { key = key, win = win, buf = buf }
end

--- The lines that are shown under a key, or nil.
function M.shown(key)
  if now and now.key == key and vim.api.nvim_win_is_valid(now.win) then
    return vim.api.nvim_buf_get_lines(now.buf, 0, -1, false)
  end
end

--- Takes the notice away; only that of a key, where one is given.
function M.close(key)
  if not now or (key and now.key ~= key) then
    return
  end
  local old = now
  now = nil
  if vim.api.nvim_win_is_valid(old.win) then
    pcall(vim.api.nvim_win_close, old.win, true)
  end
end

return M
