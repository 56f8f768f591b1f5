--- The window in which answers appear while they stream.
local config = require('coauthor.config')
local state = require('coauthor.state')

local M = {}

---@type table<string, integer> buffer of a turn's answer
local buffers = {}

local function open_window(buf)
  local how = config.current.answer.window
  local back = vim.api.nvim_get_current_win()
  if how == 'tab' then
    vim.cmd('tab split')
  elseif how == 'float' then
    local width = math.min(100, vim.o.columns - 6)
    local height = math.max(3, math.floor(vim.o.lines * 0.6))
    vim.api.nvim_open_win(buf, true, {
      relative = 'editor',
      width = width,
      height = height,
      row = math.floor((vim.o.lines - height) / 2) - 1,
      col = math.floor((vim.o.columns - width) / 2),
      border = 'rounded',
    })
  else
    vim.cmd((how == 'split' and 'botright split' or 'botright vsplit'))
  end
  local win = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, buf)
  vim.wo[win][0].wrap = true
  vim.wo[win][0].linebreak = true
  vim.wo[win][0].number = false
  vim.wo[win][0].conceallevel = 0
  vim.api.nvim_set_current_win(back)
  return win
end

local function new_buffer(turn)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'hide'
  vim.bo[buf].swapfile = false
  pcall(vim.api.nvim_buf_set_name, buf, 'coauthor://answer/' .. turn.id)
  -- Some installations lack the Markdown parser that the file type insists on.
  if not pcall(function() vim.bo[buf].filetype = 'markdown' end) then
    vim.bo[buf].syntax = 'markdown'
  end
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, nowait = true })
  vim.keymap.set('n', config.current.keys.follow_up or 'gf', function()
    require('coauthor.request').follow_up(turn.id)
  end, { buffer = buf })
  vim.bo[buf].modifiable = false
  return buf
end

local function write(buf, text)
  vim.bo[buf].modifiable = true
  local last = vim.api.nvim_buf_line_count(buf)
  local line = vim.api.nvim_buf_get_lines(buf, last - 1, last, false)[1] or ''
  vim.api.nvim_buf_set_text(buf, last - 1, #line, last - 1, #line, vim.split(text, '\n'))
  vim.bo[buf].modifiable = false
  local now = vim.api.nvim_buf_line_count(buf)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    -- Follow the text, unless the reader has gone up to read.
    if vim.api.nvim_win_get_cursor(win)[1] >= last then
      vim.api.nvim_win_set_cursor(win, { now, 0 })
    end
  end
end

--- Whether a turn's text is shown in a window of its own.
function M.shown(turn)
  local buf = buffers[turn.id]
  return buf and vim.api.nvim_buf_is_valid(buf)
end

--- Shows the answer of a turn, with all that has come so far.
function M.open(turn, question)
  local buf = buffers[turn.id]
  if not buf or not vim.api.nvim_buf_is_valid(buf) then
    buf = new_buffer(turn)
    buffers[turn.id] = buf
    local asked = question or turn.label
    if asked and asked ~= '' then
      write(buf, '> ' .. asked:gsub('\n', '\n> ') .. '\n\n')
    end
    write(buf, turn.text)
  end
  if #vim.fn.win_findbuf(buf) == 0 then
    open_window(buf)
  end
  return buf
end

--- Adds a piece of text where the turn's answer is shown.
function M.append(turn, text, reasoning)
  local buf = buffers[turn.id]
  if not M.shown(turn) or (reasoning and not config.current.answer.reasoning) then
    return
  end
  write(buf, text)
end

--- The turn has ended. A reply without edits is an answer, and is shown although nobody asked.
function M.finish(turn)
  if turn.state == 'answered' and not M.shown(turn) and turn.text ~= '' then
    if vim.api.nvim_get_mode().mode == 'n' then
      M.open(turn)
    else
      require('coauthor.client').notify('an answer has come. :Coauthor show opens it')
    end
  elseif M.shown(turn) and turn.state ~= 'answered' and turn.state ~= 'proposed' then
    local what = turn.state == 'cancelled' and 'Stopped' or 'Failed'
    write(buffers[turn.id], ('\n\n*%s: %s*\n'):format(what, turn.message or ''))
  end
end

--- The newest turn with text, for :Coauthor show.
function M.newest()
  for i = #state.order, 1, -1 do
    local turn = state.turns[state.order[i]]
    if turn and turn.text ~= '' then
      return turn
    end
  end
end

return M
