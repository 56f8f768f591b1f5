--- The window in which a proposal is looked at and decided: side by side, or one unified diff.
local compat = require('coauthor.compat')
local config = require('coauthor.config')
local state = require('coauthor.state')
local view = require('coauthor.view')

local M = {}

---@type {id: string, seen: table<string, boolean>, index: integer, layout: string, uri?: string, tab?: integer, wins: integer[], bufs: integer[], back: integer, place?: table, placed?: table}?
local now

--- The proposal in view, or the draft of one.
function M.current()
  return now and state.find(now.id) or nil
end

function M.shows(id)
  return now ~= nil and now.id == id
end

local function scratch(lines, like)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].swapfile = false
  vim.bo[buf].undolevels = -1
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  -- Colours only: the file type itself would start formatters, linters and language servers.
  vim.bo[buf].syntax = like or ''
  return buf
end

--- What is left to decide on. While everything is decided, and the window not closed yet, all of it.
local function files_of(proposal)
  local list = state.open_files(proposal)
  return #list > 0 and list or proposal.files
end

--- The names of the files that were not looked at.
local function unseen(proposal)
  local names = {}
  for _, file in ipairs(files_of(proposal)) do
    if not now.seen[file.uri] then
      names[#names + 1] = view.name(file)
    end
  end
  return names
end

local function bar(proposal, text)
  local keys = config.current.keys
  local n = #files_of(proposal)
  if proposal.draft then
    return (' %d/%d %%<%s%%=still being written '):format(math.min(now.index, n), n, (text:gsub('%%', '%%%%')))
  end
  local apply = n > 1 and ('apply all %d'):format(n) or 'apply'
  local hint = {}
  for _, pair in ipairs({ { 'apply', apply }, { 'discard', 'discard' }, { 'help', n > 1 and '' or 'keys' } }) do
    if keys[pair[1]] then
      hint[#hint + 1] = vim.trim(keys[pair[1]] .. ' ' .. pair[2])
    end
  end
  local at = now.layout == 'split' and ('%d/%d '):format(now.index, n) or ''
  return (' %s%%<%s%%=%s '):format(at, text:gsub('%%', '%%%%'), table.concat(hint, '  '))
end

--- What the cursor is on: the file and, where there is one, the hunk.
local function under_cursor()
  local proposal = M.current()
  local row = vim.api.nvim_win_get_cursor(0)[1]
  if now.layout == 'unified' then
    local place = now.place[row] or now.place[#now.place]
    return files_of(proposal)[place.file], place.hunk
  end
  local file = files_of(proposal)[now.index]
  local side = vim.api.nvim_get_current_buf() == now.bufs[1] and 'before' or 'after'
  return file, view.hunk_at(file, row - 1, side)
end

--- Goes to the next changed place, or back, in one diff of all files; side by side Neovim does that itself.
local function jump(by)
  local row = vim.api.nvim_win_get_cursor(0)[1] + by
  while now.place[row] do
    local before = now.place[row - 1]
    local hunk = now.place[row].hunk
    if hunk and not (before and before.hunk == hunk and before.file == now.place[row].file) then
      return vim.api.nvim_win_set_cursor(0, { row, 0 })
    end
    row = row + by
  end
end

local function step(by)
  local proposal = M.current()
  if now.layout == 'unified' then
    local row = vim.api.nvim_win_get_cursor(0)[1]
    local want = now.place[row].file + by
    for line, place in ipairs(now.place) do
      if place.file == want then
        return vim.api.nvim_win_set_cursor(0, { line, 0 })
      end
    end
    return
  end
  now.index = (now.index - 1 + by) % #files_of(proposal) + 1
  M.refresh()
end

--- Applying all says what all is, and what of it was not looked at; discarding all asks.
local function decide_whole(id)
  local review = require('coauthor.review')
  local proposal = M.current()
  local n = #files_of(proposal)
  if id == 'discard' then
    local what = n > 1 and ('Discard the change in all %d files?'):format(n) or 'Discard the change?'
    return vim.ui.select({ 'Discard', 'Keep' }, { prompt = what }, function(choice)
      review.forget_keys()
      if choice == 'Discard' then
        review.decide(id, 0, nil, proposal)
      end
    end)
  end
  local names = unseen(proposal)
  local note = #names > 0 and 'Not viewed: ' .. table.concat(names, ', ') or nil
  if n > 1 then
    local said = ('applying all %d files'):format(n)
    require('coauthor.client').notify(note and ('%s. %s'):format(said, note) or said)
  end
  review.decide(id, 0, nil, proposal, note)
end

local function decide(id, whole, with_hunk)
  local review = require('coauthor.review')
  if M.current().draft then
    return require('coauthor.client').warn('the model is still writing this change; wait until it is complete')
  elseif whole then
    return decide_whole(id)
  end
  local file, hunk = under_cursor()
  if with_hunk and not hunk then
    return require('coauthor.client').warn('no hunk under the cursor')
  end
  review.decide(id, 0, { file = file, hunk = with_hunk and hunk or nil }, M.current())
end

--- Vim's own keys of a diff, side by side: what "do" and "dp" would do to the old text is applied, what they would do
--- to the new one is discarded.
local function diff_key(key)
  local on_new = vim.api.nvim_get_current_buf() == now.bufs[2]
  decide((key == 'dp') == on_new and 'apply' or 'discard', false, true)
end

local function actions()
  return {
    { 'apply', 'apply all', function() decide('apply', true) end },
    { 'apply_file', 'apply this file', function() decide('apply', false) end },
    { 'apply_hunk', 'apply this hunk', function() decide('apply', false, true) end },
    { 'discard', 'discard all', function() decide('discard', true) end },
    { 'discard_file', 'discard this file', function() decide('discard', false) end },
    { 'discard_hunk', 'discard this hunk', function() decide('discard', false, true) end },
    { 'follow_up', 'send a follow-up', function()
      require('coauthor.request').follow_up(M.current().turnId)
    end },
    { 'toggle', 'side by side or unified', function()
      local other = now.layout == 'split' and 'unified' or 'split'
      local layout = config.current.preview.layout
      if layout == 'split' or layout == 'unified' then
        config.current.preview.layout = other -- the next change opens in the same way
      end
      M.open(M.current(), other)
    end },
    { 'next_file', 'next file', function() step(1) end },
    { 'prev_file', 'previous file', function() step(-1) end },
    { 'close', 'close and decide later', function() M.close() end },
    { 'help', 'list these keys', function() M.help() end },
  }
end

--- Lists the keys.
function M.help()
  local lines = {}
  for _, action in ipairs(actions()) do
    local key = config.current.keys[action[1]]
    if key then
      lines[#lines + 1] = ('%-4s %s'):format(key, action[2])
    end
  end
  vim.api.nvim_echo({ { table.concat(lines, '\n') } }, false, {})
end

local function map_keys(buf)
  for _, action in ipairs(actions()) do
    local key = config.current.keys[action[1]]
    if key then
      vim.keymap.set('n', key, function()
        -- The window may have outlived its proposal.
        if M.current() then
          action[3]()
        end
      end, { buffer = buf, nowait = true, desc = 'Coauthor: ' .. action[2] })
    end
  end
  local function map(key, what, run)
    vim.keymap.set('n', key, function()
      if M.current() then
        run()
      end
    end, { buffer = buf, desc = 'Coauthor: ' .. what })
  end
  if now.layout == 'split' then
    map('do', 'apply this hunk (in the new text: discard it)', function() diff_key('do') end)
    map('dp', 'apply this hunk (in the old text: discard it)', function() diff_key('dp') end)
  else
    map(']c', 'next hunk', function() jump(1) end)
    map('[c', 'previous hunk', function() jump(-1) end)
  end
end

local option = compat.setlocal

local function fill_split(proposal)
  local file = files_of(proposal)[now.index]
  now.seen[file.uri] = true
  local sides = view.sides(file)
  local like = compat.filetype(vim.uri_to_fname(file.newUri or file.uri))
  local title = view.title(file)
  now.bufs = { scratch(sides.before, like), scratch(sides.after, like) }
  local known = now.uri == file.uri
  now.uri = file.uri
  local at = {}
  for i, win in ipairs(now.wins) do
    at[i] = vim.api.nvim_win_get_cursor(win)
  end
  for i, buf in ipairs(now.bufs) do
    local win = now.wins[i]
    vim.api.nvim_win_call(win, function() vim.cmd('diffoff') end)
    vim.api.nvim_win_set_buf(win, buf)
    map_keys(buf)
    local side = i == 1 and 'before' or 'after'
    -- Only now: the buffer that had this name is gone with its window.
    pcall(vim.api.nvim_buf_set_name, buf, ('coauthor://%s/%s'):format(side, view.name(file)))
    local left = (' before ' .. view.name(file)):gsub('%%', '%%%%')
    local conflict = file.texts and file.texts.conflict
    if type(conflict) == 'string' and conflict ~= '' then
      left = ('%%#WarningMsg# CONFLICT: %s%%<%%* %s'):format(conflict:gsub('%%', '%%%%'), left)
    end
    if #(proposal.warnings or {}) > 0 then
      left = ('%%#WarningMsg# WARNING: %s%%<%%* %s'):format(table.concat(proposal.warnings, '; '):gsub('%%', '%%%%'), left)
    end
    local checked = view.checked(proposal)
    if checked then
      left = ('%s%%=%%<%s '):format(left, (checked:gsub('%%', '%%%%')))
    end
    compat.bar(win, i == 1 and left or bar(proposal, title))
    vim.api.nvim_win_call(win, function() vim.cmd('diffthis') end)
    option(win, 'foldcolumn', '0')
  end
  if known then -- the same file again: the user stays where they are
    for i, win in ipairs(now.wins) do
      local last = math.max(1, #(i == 1 and sides.before or sides.after))
      vim.api.nvim_win_set_cursor(win, { math.min(at[i][1], last), at[i][2] })
    end
  elseif sides.spots[1] then
    local line = math.min(sides.spots[1].to + 1, math.max(1, #sides.after))
    vim.api.nvim_win_set_cursor(now.wins[2], { line, 0 })
  end
end

--- In one diff of all files those were looked at of which a line was on the screen.
local function look(win)
  local proposal = M.current()
  if not now or now.layout ~= 'unified' or now.wins[1] ~= win or not proposal then
    return
  end
  local first, last = vim.fn.line('w0', win), vim.fn.line('w$', win)
  local files = files_of(proposal)
  for line = first, math.min(last, #now.place) do
    local file = files[now.place[line].file]
    if file then
      now.seen[file.uri] = true
    end
  end
end

local function fill_unified(proposal)
  local lines, place = view.unified(vim.tbl_extend('force', proposal, { files = files_of(proposal) }))
  now.place = place
  local at = now.bufs[1] and vim.api.nvim_win_get_cursor(now.wins[1])
  local buf = scratch(lines, 'diff')
  now.bufs = { buf }
  vim.api.nvim_win_set_buf(now.wins[1], buf)
  pcall(vim.api.nvim_buf_set_name, buf, 'coauthor://diff')
  map_keys(buf)
  local titles = vim.tbl_map(view.title, files_of(proposal))
  compat.bar(now.wins[1], bar(proposal, table.concat(titles, ', ')))
  option(now.wins[1], 'wrap', false)
  if at then
    vim.api.nvim_win_set_cursor(now.wins[1], { math.min(at[1], math.max(1, #lines)), at[2] })
  end
  look(now.wins[1])
end

local function draw(proposal)
  if now.layout == 'split' then
    fill_split(proposal)
  else
    fill_unified(proposal)
  end
end

--- Whether the user may have typed in a file since.
local function may_differ(file)
  return vim.fn.bufloaded(vim.uri_to_fname(file.uri)) == 1 or view.sides(file).partial
end

--- Draws what is known, then what the server says that the files read now: the user may have typed since.
local function fill(proposal)
  draw(proposal)
  if proposal.draft then
    return
  end
  local mine = now
  local files = files_of(proposal)
  for i, file in ipairs(files) do
    if now.layout == 'split' and i == now.index or now.layout ~= 'split' and may_differ(file) then
      require('coauthor.review').texts(proposal, file, function(changed)
        if changed and now == mine and M.current() == proposal then
          draw(proposal)
        end
      end)
    end
  end
end

--- Draws a proposal again where it is in view: texts of it have moved.
function M.redraw(proposal)
  if now and M.current() == proposal then
    draw(proposal)
  end
end

local function windows()
  if now.layout == 'unified' and config.current.preview.window == 'float' then
    local width, height = vim.o.columns - 8, vim.o.lines - 6
    local buf = vim.api.nvim_create_buf(false, true)
    vim.bo[buf].bufhidden = 'wipe'
    now.wins = {
      vim.api.nvim_open_win(buf, true, {
        relative = 'editor', width = math.max(10, width), height = math.max(3, height),
        row = 1, col = 3, border = 'rounded',
      }),
    }
    return
  end
  vim.cmd('tabnew')
  now.tab = vim.api.nvim_get_current_tabpage()
  vim.bo.bufhidden = 'wipe'
  now.wins = { vim.api.nvim_get_current_win() }
  if now.layout == 'split' then
    vim.cmd('rightbelow vsplit')
    now.wins[2] = vim.api.nvim_get_current_win()
  end
end

--- The file with which the preview begins: the one that the user is in, else the one that they came
--- from.
function M.first(proposal)
  local turn = state.turns[proposal.turnId]
  for _, uri in ipairs({ vim.uri_from_bufnr(vim.api.nvim_get_current_buf()), turn and turn.origin or '' }) do
    for i, file in ipairs(files_of(proposal)) do
      if file.uri == uri or file.newUri == uri then
        return i
      end
    end
  end
  return 1
end

--- Opens the preview of a proposal, or brings the open one up to date. The layout is that of the options, unless
--- another is given.
function M.open(proposal, layout)
  layout = layout or config.current.preview.layout
  if layout == 'none' or layout == 'inline' then
    layout = 'unified' -- asked for all the same, or about files that are not open
  end
  if now and now.id == proposal.proposalId and now.layout == layout then
    return M.refresh(proposal)
  end
  local known = now and now.id == proposal.proposalId and now or nil
  local index = known and known.index or M.first(proposal)
  M.close()
  if #(proposal.files or {}) == 0 then
    return
  end
  now = {
    id = proposal.proposalId,
    index = math.min(index, #files_of(proposal)),
    seen = known and known.seen or {},
    layout = layout,
    back = vim.api.nvim_get_current_tabpage(),
    wins = {},
    bufs = {},
  }
  windows()
  fill(proposal)
  local mine = now
  vim.api.nvim_create_autocmd('WinScrolled', {
    callback = function()
      if now ~= mine then
        return true
      end
      look(mine.wins[1])
    end,
  })
  vim.api.nvim_create_autocmd('WinClosed', {
    callback = function(ev)
      if now ~= mine then
        return true
      end
      if vim.tbl_contains(mine.wins, tonumber(ev.match)) then
        vim.schedule(function()
          if now == mine then
            M.close()
          end
        end)
        return true
      end
    end,
  })
end

--- Draws the open preview again, from the state that is known.
function M.refresh(proposal)
  proposal = proposal or M.current()
  if not now or not proposal then
    return
  end
  if #(proposal.files or {}) == 0 then
    return M.close()
  end
  if now.layout == 'split' and not vim.api.nvim_win_is_valid(now.wins[2]) then
    return
  end
  now.index = math.min(now.index, #files_of(proposal))
  fill(proposal)
end

--- Closes the preview; of that proposal only, where one is given. The proposal stays as it is.
function M.close(id)
  if not now or (id and now.id ~= id) then
    return
  end
  local old = now
  now = nil
  for _, win in ipairs(old.wins) do
    if vim.api.nvim_win_is_valid(win) then
      pcall(vim.api.nvim_win_close, win, true)
    end
  end
  if vim.api.nvim_tabpage_is_valid(old.back) and not (old.tab and vim.api.nvim_tabpage_is_valid(old.tab)) then
    pcall(vim.api.nvim_set_current_tabpage, old.back)
  end
end

return M
