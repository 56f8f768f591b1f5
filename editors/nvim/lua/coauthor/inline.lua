--- A change drawn into the user's own text: lines that go away are coloured, lines that come stand below them as
--- virtual lines. Nothing of it is in the buffer, so that the user may go on typing.
local client = require('coauthor.client')
local config = require('coauthor.config')
local state = require('coauthor.state')
local view = require('coauthor.view')

local M = {}

local ns = vim.api.nvim_create_namespace('coauthor.inline')

---@class coauthor.Drawn
---@field id string of the proposal or draft
---@field uri string
---@field marks table<integer, integer> hunk number of an extmark
---@field keys table[] what to do to give the keys back

---@type table<integer, coauthor.Drawn> by buffer
local drawn = {}

local function buffer_of(file)
  local name = vim.uri_to_fname(file.uri)
  local bufnr = vim.fn.bufnr('^' .. vim.fn.fnameescape(name) .. '$')
  return bufnr > 0 and vim.api.nvim_buf_is_loaded(bufnr) and bufnr or nil
end

--- Whether any file of a proposal is open, so that something can be drawn.
function M.can(proposal)
  for _, file in ipairs(state.open_files(proposal)) do
    if buffer_of(file) then
      return true
    end
  end
  return false
end

function M.shows(id)
  for _, one in pairs(drawn) do
    if one.id == id then
      return true
    end
  end
  return false
end

--- The proposal that is drawn in a buffer.
function M.current(bufnr)
  local one = drawn[bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr]
  local proposal = one and state.find(one.id)
  return proposal and not proposal.draft and proposal or nil
end

--- The hunk that is drawn at the cursor, and the file.
local function under_cursor(bufnr, proposal)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local one = drawn[bufnr]
  local found
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, ns, 0, -1, { details = true })) do
    local number = one.marks[mark[1]]
    if number and row >= mark[2] and row <= (mark[4].end_row or mark[2]) then
      found = number
    end
  end
  for _, file in ipairs(proposal.files) do
    if file.uri == one.uri then
      return file, found
    end
  end
end

--- The rows at which hunks are drawn, from top to bottom.
local function rows(bufnr)
  local list = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, ns, 0, -1, {})) do
    if drawn[bufnr].marks[mark[1]] then
      list[#list + 1] = mark[2]
    end
  end
  return list
end

local function jump(bufnr, by)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local list = rows(bufnr)
  for i = 1, #list do
    local at = by > 0 and list[i] or list[#list + 1 - i]
    if (at - row) * by > 0 then
      return vim.api.nvim_win_set_cursor(0, { at + 1, 0 })
    end
  end
end

local function decide(bufnr, id, part)
  local proposal = M.current(bufnr)
  if not proposal then
    return client.warn('the model is still writing this change; wait until it is complete')
  end
  local review = require('coauthor.review')
  if not part then
    return review.decide(id, bufnr, nil, proposal)
  end
  local file, hunk = under_cursor(bufnr, proposal)
  if not file or not hunk then
    return client.warn('no hunk under the cursor')
  end
  review.decide(id, bufnr, { file = file, hunk = hunk }, proposal)
end

local actions = {
  { 'apply_hunk', 'apply this hunk', function(b) decide(b, 'apply', true) end },
  { 'discard_hunk', 'discard this hunk', function(b) decide(b, 'discard', true) end },
  { 'apply', 'apply all', function(b) decide(b, 'apply') end },
  { 'discard', 'discard all', function(b) decide(b, 'discard') end },
  { 'follow_up', 'send a follow-up', function(b)
    local proposal = M.current(b)
    if proposal then
      require('coauthor.request').follow_up(proposal.turnId)
    end
  end },
  { 'next_hunk', 'next hunk', function(b) jump(b, 1) end },
  { 'prev_hunk', 'previous hunk', function(b) jump(b, -1) end },
}

--- Takes keys of a buffer, and remembers what was on them.
local function take_keys(bufnr)
  local taken = {}
  for _, action in ipairs(actions) do
    local key = config.current.inline_keys[action[1]]
    if key then
      local before
      vim.api.nvim_buf_call(bufnr, function()
        before = vim.fn.maparg(key, 'n', false, true)
      end)
      taken[#taken + 1] = { key = key, before = before.buffer == 1 and before or nil }
      vim.keymap.set('n', key, function()
        action[3](bufnr)
      end, { buffer = bufnr, nowait = true, desc = 'Coauthor: ' .. action[2] })
    end
  end
  return taken
end

local function give_keys_back(bufnr, taken)
  for _, one in ipairs(taken) do
    pcall(vim.keymap.del, 'n', one.key, { buffer = bufnr })
    local was = one.before
    if was and vim.fn.exists('*mapset') == 1 then
      vim.api.nvim_buf_call(bufnr, function()
        vim.fn.mapset('n', false, was)
      end)
    elseif was then
      local how = { buffer = bufnr, remap = was.noremap == 0, silent = was.silent == 1, expr = was.expr == 1, nowait = was.nowait == 1 }
      vim.keymap.set('n', one.key, was.callback or was.rhs, how)
    end
  end
end

--- A line as it looks in the buffer: virtual text knows no tabs.
local function shown(bufnr, text)
  local width = vim.bo[bufnr].tabstop
  local out, column = {}, 0
  for before, tab in text:gmatch('([^\t]*)(\t?)') do
    out[#out + 1] = before
    column = column + vim.fn.strdisplaywidth(before)
    if tab ~= '' then
      local n = width - column % width
      out[#out + 1] = (' '):rep(n)
      column = column + n
    end
  end
  return table.concat(out)
end

--- Draws one hunk; returns the extmark that covers its old lines, or the line that the new ones stand below.
local function draw_spot(bufnr, spot, after)
  local count = vim.api.nvim_buf_line_count(bufnr)
  local lines = {}
  for row = spot.to + 1, spot.to + spot.new do
    local text = shown(bufnr, after[row] or '')
    lines[#lines + 1] = { { text == '' and ' ' or text, 'CoauthorAdd' } }
  end
  for row = spot.from, math.min(spot.from + spot.count, count) - 1 do
    vim.api.nvim_buf_set_extmark(bufnr, ns, row, 0, { line_hl_group = 'CoauthorDelete' })
  end
  local first = math.min(spot.from, count - 1)
  local last = math.min(spot.from + spot.count - 1, count - 1)
  local above = last < 0
  if spot.count == 0 and not above then
    first = last -- new lines stand below the line before them
  end
  last = math.max(last, first, 0)
  if #lines > 0 then
    vim.api.nvim_buf_set_extmark(bufnr, ns, last, 0, { virt_lines = lines, virt_lines_above = above })
  end
  if above then
    -- Neovim scrolls to lines above the first one only when it is told to.
    for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
      vim.api.nvim_win_call(win, function()
        if vim.fn.line('w0') == 1 then
          vim.fn.winrestview({ topline = 1, topfill = #lines })
        end
      end)
    end
  end
  return vim.api.nvim_buf_set_extmark(bufnr, ns, first, 0, { end_row = last, end_col = 0 })
end

local function erase(bufnr)
  local one = drawn[bufnr]
  if not one then
    return
  end
  drawn[bufnr] = nil
  if vim.api.nvim_buf_is_valid(bufnr) then
    vim.api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
    give_keys_back(bufnr, one.keys)
  end
end

local function draw(proposal, file, bufnr)
  local sides = view.sides(file)
  local one = drawn[bufnr]
  if one and one.id ~= proposal.proposalId then
    erase(bufnr)
    one = nil
  end
  if sides.partial or #sides.spots == 0 then
    if one and #sides.spots == 0 then
      erase(bufnr)
    end
    return -- the server says in a moment where it stands now
  end
  vim.api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
  one = one or { id = proposal.proposalId, uri = file.uri, keys = take_keys(bufnr) }
  one.marks = {}
  drawn[bufnr] = one
  for _, spot in ipairs(sides.spots) do
    one.marks[draw_spot(bufnr, spot, sides.after)] = spot.number
  end
end

--- Draws a file again whose texts have moved.
function M.redraw(proposal, file)
  local bufnr = buffer_of(file)
  if bufnr and drawn[bufnr] and drawn[bufnr].id == proposal.proposalId then
    draw(proposal, file, bufnr)
  end
end

local function draw_open(proposal, file)
  local bufnr = buffer_of(file)
  if not bufnr then
    return false
  end
  draw(proposal, file, bufnr)
  if not proposal.draft then
    require('coauthor.review').texts(proposal, file, function()
      if state.find(proposal.proposalId) == proposal and vim.api.nvim_buf_is_loaded(bufnr) then
        draw(proposal, file, bufnr)
      end
    end)
  end
  return true
end

--- The notice in the corner: what is drawn, also in other files, and the keys.
local function tell(proposal)
  local keys, hint = config.current.inline_keys, {}
  for _, pair in ipairs({ { 'apply_hunk', 'here' }, { 'apply', 'all' }, { 'discard', 'discard' } }) do
    if keys[pair[1]] then
      hint[#hint + 1] = keys[pair[1]] .. ' ' .. pair[2]
    end
  end
  local text = (' Coauthor: %s. %s '):format(state.size(proposal), table.concat(hint, ', '))
  require('coauthor.notice').show(proposal.proposalId, { text })
end

--- Draws a proposal into the files that are open; into the others when they are opened. Returns false where none is.
function M.show(proposal)
  local any = false
  local open = {}
  for _, file in ipairs(state.open_files(proposal)) do
    open[file.uri] = true
    any = draw_open(proposal, file) or any
  end
  for bufnr, one in pairs(drawn) do
    if one.id == proposal.proposalId and not open[one.uri] then
      erase(bufnr)
    end
  end
  if any and not proposal.draft then
    tell(proposal)
  end
  return any
end

--- A buffer was unloaded.
function M.closed(bufnr)
  drawn[bufnr] = nil
end

--- A file was opened: what waits is drawn into it, if anything is drawn at all.
function M.opened(bufnr)
  local uri = vim.uri_from_bufnr(bufnr)
  for _, proposal in ipairs(state.pending()) do
    if M.shows(proposal.proposalId) then
      for _, file in ipairs(state.open_files(proposal)) do
        if file.uri == uri then
          return draw_open(proposal, file)
        end
      end
    end
  end
end

--- Takes away what is drawn of a proposal or draft.
function M.clear(id)
  for bufnr, one in pairs(drawn) do
    if one.id == id then
      erase(bufnr)
    end
  end
end

--- Takes away what is drawn of proposals that nobody knows any more.
function M.prune()
  for bufnr, one in pairs(drawn) do
    if not state.find(one.id) then
      erase(bufnr)
    end
  end
end

--- Colours that follow those of the user's diffs.
function M.colours()
  vim.api.nvim_set_hl(0, 'CoauthorAdd', { link = 'DiffAdd', default = true })
  vim.api.nvim_set_hl(0, 'CoauthorDelete', { link = 'DiffDelete', default = true })
end

return M
