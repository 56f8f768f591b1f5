--- From a proposal of the server to lines that can be shown: texts before and after, and a unified
--- diff whose lines know their hunk. Pure: nothing here touches a window.
local M = {}

--- A text cut into lines; `open` says that the last one has no line break.
function M.split(text)
  if text == '' then
    return {}, false
  end
  local lines = vim.split(text, '\n', { plain = true })
  local unfinished = true
  if lines[#lines] == '' then
    lines[#lines] = nil
    unfinished = false
  end
  for i, line in ipairs(lines) do
    lines[i] = line:gsub('\r$', '')
  end
  return lines, unfinished
end

local function number_of(hunk)
  return hunk.number or hunk.id
end

M.number_of = number_of

--- The lines a hunk replaces: from (0-based) and how many.
local function span(hunk)
  local old = M.split(hunk.oldText or '')
  local count = #old
  if not hunk.oldText then
    local range = hunk.oldRange
    count = range['end'].line - range.start.line + (range['end'].character > 0 and 1 or 0)
  end
  return hunk.oldRange.start.line, count, old
end

--- The current text of a file: of its buffer where it is open, else of the disk; nil when neither.
function M.current(uri)
  local name = vim.uri_to_fname(uri)
  local bufnr = vim.fn.bufnr('^' .. vim.fn.fnameescape(name) .. '$')
  if bufnr > 0 and vim.api.nvim_buf_is_loaded(bufnr) then
    return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), bufnr
  end
  local file = io.open(name, 'rb')
  if not file then
    return nil
  end
  local text = file:read('*a')
  file:close()
  return (M.split(text))
end

--- Whether the hunks' old lines stand where the hunks say.
local function fits(lines, hunks)
  for _, hunk in ipairs(hunks) do
    local from, count, old = span(hunk)
    if from + count > #lines then
      return false
    end
    if hunk.oldText then
      for i, line in ipairs(old) do
        if (lines[from + i]:gsub('\r$', '')) ~= line then
          return false
        end
      end
    end
  end
  return true
end

--- The hunks of a file that still wait for the user.
function M.open_hunks(file)
  return vim.tbl_filter(function(hunk)
    return not hunk.state or hunk.state == '' or hunk.state == 'open' or hunk.state == 'pending'
  end, file.hunks or {})
end

local function lines_of(text)
  return type(text) == 'string' and (M.split(text)) or {}
end

--- The lines of a range that covers whole lines: from (0-based) and how many. A range may end behind a last line
--- that has no line break.
local function whole_lines(range)
  local from, to = range.start, range['end']
  local first = from.character > 0 and from.line + 1 or from.line
  return first, (to.character > 0 and to.line + 1 or to.line) - first
end

--- The same of both texts as the server gave them (coauthor/getTexts): with what the user has typed.
local function sides_of_texts(texts)
  local spots = {}
  for _, hunk in ipairs(texts.hunks or {}) do
    local from, count = whole_lines(hunk.baseRange)
    local to, new = whole_lines(hunk.newRange)
    spots[#spots + 1] = {
      number = hunk.number,
      from = from,
      count = count,
      to = to,
      new = new,
      at = from,
    }
  end
  return { before = lines_of(texts.base), after = lines_of(texts.new), partial = false, spots = spots }
end

--- Texts of a file before and after, as lines. When the text that the proposal was made on is not
--- at hand (the user has typed since), both hold the changed places only, and `partial` is true.
--- Of each hunk that waits, `spots` says where it stands on both sides: from (0-based) and how many lines.
---@return {before: string[], after: string[], partial: boolean, spots: table[]}
function M.sides(file)
  if file.texts then
    return sides_of_texts(file.texts)
  end
  local hunks = M.open_hunks(file)
  local before
  if file.before then
    before = M.split(file.before)
  elseif file.op == 'create' then
    before = {}
  else
    before = M.current(file.uri)
    if before and not fits(before, hunks) then
      before = nil
    end
  end
  if before and file.op == 'delete' then
    local all = { number = hunks[1] and number_of(hunks[1]) or 0, from = 0, count = #before, to = 0, new = 0, at = 0 }
    return { before = before, after = {}, partial = false, spots = { all } }
  end
  local spots = {}
  local after, gone = {}, {}
  local at = 0
  for _, hunk in ipairs(hunks) do
    local from, count, old = span(hunk)
    if before then
      vim.list_extend(after, before, at + 1, from)
      at = from + count
    elseif #gone > 0 then
      gone[#gone + 1], after[#after + 1] = '…', '…'
    end
    local new = M.split(hunk.newText)
    spots[#spots + 1] = {
      number = number_of(hunk),
      from = before and from or #gone,
      count = before and count or #old,
      to = #after,
      new = #new,
      at = from,
    }
    vim.list_extend(gone, old)
    vim.list_extend(after, new)
  end
  if not before then
    return { before = gone, after = after, partial = true, spots = spots }
  end
  vim.list_extend(after, before, at + 1, #before)
  return { before = before, after = after, partial = false, spots = spots }
end

--- The name of a file for a person: relative to the working directory where it lies below it.
function M.name(file)
  return vim.fn.fnamemodify(vim.uri_to_fname(file.uri), ':~:.')
end

local words = { create = 'new', delete = 'deleted', rename = 'renamed' }

--- "a.go (+3 -1)", "b.go (new, +9 -0)".
function M.title(file)
  local word = words[file.op] and words[file.op] .. ', ' or ''
  local name = M.name(file)
  if file.newUri then
    name = name .. ' → ' .. vim.fn.fnamemodify(vim.uri_to_fname(file.newUri), ':~:.')
  end
  return ('%s (%s+%d -%d)'):format(name, word, file.added or 0, file.removed or 0)
end

local context = 3

--- Groups hunks whose contexts touch. Without a base there is no context, and nothing touches.
local function groups(spots, base)
  local list = {}
  for _, spot in ipairs(spots) do
    local last = list[#list]
    if base and last and spot.from - last.stop <= 2 * context then
      last.stop = spot.from + spot.count
      last.spots[#last.spots + 1] = spot
    else
      list[#list + 1] = { from = spot.from, stop = spot.from + spot.count, at = spot.at, spots = { spot } }
    end
  end
  return list
end

--- Writes one file's part of a unified diff. place[line] = {file = index, hunk = number}.
local function unified_file(file, index, lines, place)
  local function put(text, hunk)
    lines[#lines + 1] = text
    place[#lines] = { file = index, hunk = hunk }
  end
  local name = M.name(file)
  put('--- ' .. (file.op == 'create' and '/dev/null' or 'a/' .. name))
  local target = file.newUri and vim.fn.fnamemodify(vim.uri_to_fname(file.newUri), ':~:.') or name
  put('+++ ' .. (file.op == 'delete' and '/dev/null' or 'b/' .. target))
  local sides = M.sides(file)
  local base = not sides.partial and sides.before or nil
  local shift = 0
  for _, group in ipairs(groups(sides.spots, base)) do
    local first = base and math.max(0, group.from - context) or group.from
    local last = base and math.min(#base, group.stop + context) or group.stop
    local head = #lines + 1
    put('')
    local at, grown = first, 0
    for _, spot in ipairs(group.spots) do
      for row = at, spot.from - 1 do
        put(' ' .. base[row + 1])
      end
      for row = spot.from + 1, spot.from + spot.count do
        put('-' .. sides.before[row], spot.number)
      end
      for row = spot.to + 1, spot.to + spot.new do
        put('+' .. sides.after[row], spot.number)
      end
      grown = grown + spot.new - spot.count
      at = spot.from + spot.count
    end
    for row = at, last - 1 do
      put(' ' .. base[row + 1])
    end
    local count = last - first
    local function where(start, n)
      return ('%d,%d'):format(n == 0 and start or start + 1, n)
    end
    local from = base and first or group.at
    lines[head] = ('@@ -%s +%s @@'):format(where(from, count), where(from + shift, count + grown))
    place[head].hunk = group.spots[1].number
    shift = shift + grown
  end
end

--- What the checks came to, "syntax ✓, go vet ✓, 41 tests ✓, 12 s"; nil where nothing was checked.
function M.checked(proposal)
  local verdict = proposal.verdict
  return type(verdict) == 'string' and verdict ~= '' and verdict or nil
end

--- A unified diff of all files, and for each of its lines the file (index) and hunk (number).
function M.unified(proposal)
  local lines, place = {}, {}
  for _, warning in ipairs(proposal.warnings or {}) do
    lines[#lines + 1] = '# warning: ' .. warning:gsub('%s+', ' ')
    place[#lines] = { file = 1 }
  end
  if M.checked(proposal) then
    lines[#lines + 1] = '# checked: ' .. M.checked(proposal)
    place[#lines] = { file = 1 }
  end
  for index, file in ipairs(proposal.files or {}) do
    unified_file(file, index, lines, place)
  end
  return lines, place
end

--- The hunk that a line (0-based) of one side belongs to, or nil.
function M.hunk_at(file, row, side)
  for _, spot in ipairs(M.sides(file).spots) do
    local start, length = spot.from, spot.count
    if side == 'after' then
      start, length = spot.to, spot.new
    end
    -- A hunk without lines on this side belongs to the line it stands before.
    if row >= start and row < start + math.max(1, length) then
      return spot.number
    end
  end
end

return M
