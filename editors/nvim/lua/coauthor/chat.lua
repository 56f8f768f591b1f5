--- The conversation with one server, in one buffer: what was asked, the answers while they stream, and below them
--- the place for the next question. It begins with what was said before, also in an earlier session.
local client = require('coauthor.client')
local compat = require('coauthor.compat')
local config = require('coauthor.config')
local state = require('coauthor.state')

local M = {}

local ns = vim.api.nvim_create_namespace('coauthor.chat')

---@class coauthor.Entry
---@field finish integer extmark where the answer goes on
---@field became? integer extmark of the line that says what became of the change
---@field thinking boolean the last piece was a thought
---@field thought? integer extmark where the last thought begins

---@class coauthor.Chat
---@field buf integer
---@field input integer extmark of the heading above the next question
---@field entries table<string, coauthor.Entry> by turn id
---@field folds integer[][] extmarks of the first and the last line of each thought that is over

---@type table<integer, coauthor.Chat> by client id
local chats = {}

local you, model = '## You', '## Coauthor'

--- How many requests of before are shown.
local earlier = 20

local function chat_of(client_id)
  local chat = chats[client_id]
  if chat and vim.api.nvim_buf_is_valid(chat.buf) then
    return chat
  end
end

local function mark(chat, row, col, id)
  return vim.api.nvim_buf_set_extmark(chat.buf, ns, row, col, { id = id })
end

--- A mark that stays where it is when text is put there.
local function pin(chat, row)
  return vim.api.nvim_buf_set_extmark(chat.buf, ns, row, 0, { right_gravity = false })
end

--- Where a mark stands, from 0. A mark in text that the user has deleted stands where that was.
local function place(chat, id)
  local at = vim.api.nvim_buf_get_extmark_by_id(chat.buf, ns, id, {})
  return at[1], at[2]
end

--- Runs a change of the text; windows that show the place for the next question go on showing it.
local function following(chat, change)
  local before = place(chat, chat.input)
  local at = {}
  for _, win in ipairs(vim.fn.win_findbuf(chat.buf)) do
    at[win] = vim.api.nvim_win_get_cursor(win)
  end
  change()
  local moved = place(chat, chat.input) - before
  local last = vim.api.nvim_buf_line_count(chat.buf)
  for win, cursor in pairs(at) do
    if cursor[1] > before then
      pcall(vim.api.nvim_win_set_cursor, win, { math.max(1, math.min(cursor[1] + moved, last)), cursor[2] })
    end
  end
end

--- Puts lines above the place for the next question; returns the row of the first.
local function put(chat, lines)
  local row = place(chat, chat.input)
  following(chat, function()
    vim.api.nvim_buf_set_lines(chat.buf, row, row, false, lines)
  end)
  return row
end

--- A request and the place for its answer.
local function begin(chat, turn_id, question)
  local lines = {}
  if question and vim.trim(question) ~= '' then
    vim.list_extend(lines, { you, '' })
    vim.list_extend(lines, vim.split(vim.trim(question), '\n'))
    lines[#lines + 1] = ''
  end
  vim.list_extend(lines, { model, '', '', '' })
  local row = put(chat, lines)
  local entry = { finish = mark(chat, row + #lines - 2, 0), thinking = false }
  chat.entries[turn_id] = entry
  return entry
end

local function write(chat, entry, text)
  following(chat, function()
    local row, col = place(chat, entry.finish)
    vim.api.nvim_buf_set_text(chat.buf, row, col, row, col, vim.split(text, '\n'))
  end)
end

--- Folds what the model thought to one line in a window of the chat.
local function fold(chat, win)
  for name, value in pairs({ foldmethod = 'manual', foldenable = true, foldminlines = 0, foldtext = "v:lua.require'coauthor.chat'.folded()" }) do
    compat.setlocal(win, name, value)
  end
  vim.api.nvim_win_call(win, function()
    for _, ends in ipairs(chat.folds) do
      local first, last = place(chat, ends[1]) + 1, place(chat, ends[2]) + 1
      if vim.fn.foldlevel(first) == 0 and first <= last then
        vim.cmd(('%d,%dfold'):format(first, last))
      end
    end
  end)
end

--- The line that stands for a thought.
function M.folded()
  local lines = vim.v.foldend - vim.v.foldstart + 1
  return ('> Thought for %d %s'):format(lines, lines == 1 and 'line' or 'lines')
end

local function has_thoughts(entry, reasoning)
  local before = entry.thinking
  entry.thinking = reasoning
  return before
end

--- Adds a piece of text; thoughts stand behind a bar, and are folded when the answer begins.
local function stream(chat, entry, text, reasoning)
  local before = has_thoughts(entry, reasoning)
  local row = place(chat, entry.finish)
  if reasoning and not before then
    entry.thought = pin(chat, row)
  elseif before and not reasoning then
    chat.folds[#chat.folds + 1] = { entry.thought, pin(chat, row) }
  end
  if reasoning then
    text = (before and '' or '> ') .. text:gsub('\n', '\n> ')
  elseif before then
    text = '\n\n' .. text
  end
  write(chat, entry, text)
  if before and not reasoning then
    for _, win in ipairs(vim.fn.win_findbuf(chat.buf)) do
      fold(chat, win)
    end
  end
end

--- What the user has written below the last heading.
local function draft(chat)
  local row = place(chat, chat.input)
  local lines = vim.api.nvim_buf_get_lines(chat.buf, row + 1, -1, false)
  return vim.trim(table.concat(lines, '\n'))
end

--- Takes words of the user away that were sent; what they have written since stays.
local function sent(chat, words)
  local now = draft(chat)
  if now:sub(1, #words) ~= words then
    return
  end
  local row = place(chat, chat.input)
  local rest = vim.split(vim.trim(now:sub(#words + 1)), '\n')
  vim.api.nvim_buf_set_lines(chat.buf, row + 1, -1, false, vim.list_extend({ '' }, rest))
end

--- Sends what the user has written below the last heading.
local function send(c, chat)
  local words = draft(chat)
  if words == '' then
    return client.warn('type a message below the last "' .. you .. '" first')
  end
  require('coauthor.request').ask(c, chat.buf, {
    instruction = words,
    started = function()
      sent(chat, words)
    end,
  })
end

local function new(c)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'hide'
  vim.bo[buf].swapfile = false
  local root = c.config and c.config.root_dir or c.root_dir
  local name = 'coauthor://chat/' .. (type(root) == 'string' and vim.fn.fnamemodify(root, ':t') or c.id)
  if not pcall(vim.api.nvim_buf_set_name, buf, name) then
    vim.api.nvim_buf_set_name(buf, name .. '-' .. c.id)
  end
  -- Some installations lack the Markdown parser that the file type insists on.
  if not pcall(function() vim.bo[buf].filetype = 'markdown' end) then
    vim.bo[buf].syntax = 'markdown'
  end
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, { you, '', '' })
  local chat = { buf = buf, entries = {}, folds = {} }
  chat.input = mark(chat, 0, 0)
  chats[c.id] = chat
  vim.keymap.set('n', '<CR>', function()
    send(c, chat)
  end, { buffer = buf, nowait = true, desc = 'Coauthor: send your message' })
  local close = config.current.keys.close
  if close then
    vim.keymap.set('n', close, '<Cmd>close<CR>', { buffer = buf, nowait = true, desc = 'Coauthor: close' })
  end
  return chat
end

--- Writes what was said before above all else.
local function recall(c, chat)
  client.request(c, 'coauthor/getTranscript', { limit = earlier }, function(err, page)
    if err or type(page) ~= 'table' or not vim.api.nvim_buf_is_valid(chat.buf) then
      return
    end
    local lines = {}
    for _, entry in ipairs(page.entries or {}) do
      if not chat.entries[entry.turnId] then
        vim.list_extend(lines, { you, '' })
        vim.list_extend(lines, vim.split(vim.trim(entry.request or ''), '\n'))
        vim.list_extend(lines, { '', model, '' })
        vim.list_extend(lines, vim.split(vim.trim(entry.answer or ''), '\n'))
        local became = entry.became and entry.became ~= vim.NIL and M.words(entry.became)
        if became then
          vim.list_extend(lines, { '', became })
        end
        lines[#lines + 1] = ''
      end
    end
    if #lines == 0 then
      return
    end
    if page.more then
      lines = vim.list_extend({ '*Earlier messages: :Coauthor history*', '' }, lines)
    end
    following(chat, function()
      vim.api.nvim_buf_set_lines(chat.buf, 0, 0, false, lines)
    end)
  end)
end

local function chat_for(client_id)
  local chat = chat_of(client_id)
  if chat then
    return chat
  end
  local c = vim.lsp.get_client_by_id(client_id)
  if not c then
    return nil
  end
  chat = new(c)
  recall(c, chat)
  return chat
end

local function open_window(chat)
  local buf = chat.buf
  local how = config.current.chat.window
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
    vim.cmd(how == 'split' and 'botright split' or 'botright vsplit')
  end
  local win = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, buf)
  for name, value in pairs({ wrap = true, linebreak = true, number = false, conceallevel = 0 }) do
    compat.setlocal(win, name, value)
  end
  fold(chat, win)
  vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(buf), 0 })
  return win
end

--- Whether the chat of a client stands in a window of this tab.
local function window_of(chat)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(win) == chat.buf then
      return win
    end
  end
end

--- Shows the chat of a client. The cursor goes there only when the user wants to write.
function M.open(client_id, enter)
  local chat = chat_for(client_id)
  if not chat then
    return
  end
  local back = vim.api.nvim_get_current_win()
  local win = window_of(chat) or open_window(chat)
  if not enter then
    return vim.api.nvim_win_is_valid(back) and vim.api.nvim_set_current_win(back)
  end
  vim.api.nvim_set_current_win(win)
  vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(chat.buf), 0 })
end

--- The entry of a turn, made with all that has come of it so far.
local function entry_of(chat, turn, question)
  local entry = chat.entries[turn.id]
  if not entry then
    entry = begin(chat, turn.id, question or turn.label)
    if turn.text ~= '' then
      stream(chat, entry, turn.text, false)
    end
  end
  return entry
end

--- A question was asked: shows it, and its answer as it comes.
function M.asked(turn, question)
  local chat = chat_for(turn.client)
  if chat then
    entry_of(chat, turn, question)
    M.open(turn.client)
  end
end

--- Adds a piece of text where a chat is open; all that was missed comes with the first piece.
function M.append(turn, text, reasoning)
  local chat = turn.client and chat_of(turn.client)
  if not chat or (reasoning and not config.current.chat.reasoning) then
    return
  end
  local entry = chat.entries[turn.id]
  if entry then
    return stream(chat, entry, text, reasoning)
  end
  entry = entry_of(chat, turn)
  if reasoning then
    stream(chat, entry, text, true)
  end
end

--- The turn has ended. A reply without edits is an answer, and is shown although nobody asked.
function M.finish(turn)
  if not turn.client then
    return
  end
  local chat = chat_of(turn.client)
  local entry = chat and chat.entries[turn.id]
  if turn.state == 'answered' and turn.text ~= '' then
    if entry and window_of(chat) then
      return
    elseif vim.api.nvim_get_mode().mode ~= 'n' then
      return client.notify('the answer is in the chat. :Coauthor chat opens it')
    end
    chat = chat_for(turn.client)
    if chat then
      entry_of(chat, turn)
      M.open(turn.client)
    end
  elseif entry and turn.state ~= 'answered' and turn.state ~= 'proposed' then
    local what = turn.state == 'cancelled' and 'Stopped' or 'Failed'
    write(chat, entry, ('\n\n*%s: %s*'):format(what, turn.message or ''))
  end
end

local outcomes = {
  applied = '*Applied.*',
  unverified = '*Could not confirm that all of the change was applied.*',
  partial = '*Partly applied.*',
  conflict = '*Not applied: you edited the same lines.*',
  discarded = '*Discarded.*',
  undone = '*Undone.*',
  superseded = '*Replaced by a later change.*',
}

--- What became of a change, in words; nil while it is on its way.
function M.words(became, proposal)
  if became == 'pending' and proposal then
    return ('*%s pending: :Coauthor show*'):format(state.size(proposal))
  end
  return outcomes[became] or (became == 'pending' and '*Pending.*') or nil
end

--- A proposal has a new state: the last line of its request says so.
function M.became(proposal)
  local chat = chat_of(proposal.client)
  local entry = chat and chat.entries[proposal.turnId]
  local words = entry and M.words(proposal.state, proposal)
  if not words then
    return
  end
  if entry.became then
    local row = place(chat, entry.became)
    local line = vim.api.nvim_buf_get_lines(chat.buf, row, row + 1, false)[1] or ''
    return vim.api.nvim_buf_set_text(chat.buf, row, 0, row, #line, { words })
  end
  write(chat, entry, '\n\n' .. words)
  entry.became = mark(chat, (place(chat, entry.finish)), 0)
end

--- The newest turn of a client with words, for :Coauthor show.
function M.newest(client_id)
  for i = #state.order, 1, -1 do
    local turn = state.turns[state.order[i]]
    if turn and turn.text ~= '' and turn.client == client_id then
      return turn
    end
  end
end

--- The server of a chat has stopped. The next one takes up what was said.
function M.forget(client_id)
  local chat = chat_of(client_id)
  chats[client_id] = nil
  if not chat then
    return
  elseif #vim.fn.win_findbuf(chat.buf) == 0 then
    return vim.api.nvim_buf_delete(chat.buf, { force = true })
  end
  vim.api.nvim_buf_set_lines(chat.buf, -1, -1, false, { '', '*The server has stopped. :Coauthor chat starts it again.*' })
end

--- Shows a turn's words.
function M.show(turn)
  local chat = chat_for(turn.client)
  if chat then
    entry_of(chat, turn)
    M.open(turn.client)
  end
end

return M
