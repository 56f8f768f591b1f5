--- What a request is about: document, lines, and the diagnostics there. Neovim gives each server
--- only its own diagnostics, so those of all others are put into the arguments here.
local compat = require('coauthor.compat')

local M = {}

local severities = { 1, 2, 3, 4 }

--- The column of a byte offset in a line, in the units that client and server agreed on.
local function column(line, byte, encoding)
  byte = math.max(0, math.min(byte, #line))
  if encoding == 'utf-8' then
    return byte
  end
  if compat.has('0.11') then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local wide, short = vim.str_utfindex(line, byte)
  return encoding == 'utf-32' and wide or short
end

--- A position in a line in the units of another server.
function M.translated(line, position, from, to)
  if from == to or not line:find('[\128-\255]') then
    return position
  end
  local byte = position.character
  if from ~= 'utf-8' then
    byte = compat.has('0.11') and vim.str_byteindex(line, from, byte, false)
      or vim.str_byteindex(line, math.min(byte, #line), from == 'utf-16')
  end
  return { line = position.line, character = column(line, byte, to) }
end

local function line_at(bufnr, row)
  return vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
end

--- The range of whole lines first..last (from 1), with the last line's break where there is one.
function M.lines(bufnr, first, last, encoding)
  local count = vim.api.nvim_buf_line_count(bufnr)
  first = math.max(1, math.min(first, count))
  last = math.max(first, math.min(last, count))
  local finish = { line = last, character = 0 }
  if last == count then
    local text = line_at(bufnr, last - 1)
    finish = { line = last - 1, character = column(text, #text, encoding) }
  end
  return { start = { line = first - 1, character = 0 }, ['end'] = finish }
end

local function touches(diagnostic, range)
  local last = diagnostic.end_lnum or diagnostic.lnum
  if last < range.start.line then
    return false
  end
  local stop = range['end']
  return diagnostic.lnum < stop.line or (diagnostic.lnum == stop.line and stop.character > 0)
end

--- The diagnostics of all clients and linters in a range (nil: the whole document), worst first.
function M.diagnostics(bufnr, range, encoding)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(bufnr)) do
    if not range or touches(d, range) then
      local last = d.end_lnum or d.lnum
      found[#found + 1] = {
        range = {
          start = { line = d.lnum, character = column(line_at(bufnr, d.lnum), d.col or 0, encoding) },
          ['end'] = {
            line = last,
            character = column(line_at(bufnr, last), d.end_col or d.col or 0, encoding),
          },
        },
        severity = severities[d.severity or 1],
        source = d.source,
        code = type(d.code) ~= 'table' and d.code or nil,
        message = d.message,
      }
    end
  end
  table.sort(found, function(a, b)
    if a.severity ~= b.severity then
      return a.severity < b.severity
    end
    return a.range.start.line < b.range.start.line
  end)
  -- A file with hundreds of complaints must not fill the model's room.
  return vim.list_slice(found, 1, 50)
end

local waiting = {}

--- Tells the servers of a buffer what all clients and linters complain about in it. Several changes of one moment are one.
function M.tell_diagnostics(bufnr)
  if waiting[bufnr] then
    return
  end
  waiting[bufnr] = true
  vim.schedule(function()
    waiting[bufnr] = nil
    if not vim.api.nvim_buf_is_loaded(bufnr) then
      return
    end
    local client = require('coauthor.client')
    for _, c in ipairs(client.all(bufnr)) do
      client.tell(c, 'coauthor/diagnostics', {
        uri = vim.uri_from_bufnr(bufnr),
        diagnostics = M.diagnostics(bufnr, nil, c.offset_encoding or 'utf-16'),
      })
    end
  end)
end

local function version(bufnr)
  return vim.lsp.util.buf_versions and vim.lsp.util.buf_versions[bufnr] or nil
end

--- The documents of a client that stand on the screen.
local function visible(client)
  local uris, seen = {}, {}
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local bufnr = vim.api.nvim_win_get_buf(win)
    if not seen[bufnr] and compat.attached(client, bufnr) then
      seen[bufnr] = true
      uris[#uris + 1] = vim.uri_from_bufnr(bufnr)
    end
  end
  return uris
end

--- What the user looks at: the document a command is about, unless this buffer is no file, and all that
--- are on the screen.
function M.focus(client, bufnr)
  local uris = visible(client)
  local focus = { visible = #uris > 0 and uris or nil }
  if compat.attached(client, bufnr) then
    focus.uri = vim.uri_from_bufnr(bufnr)
  end
  return next(focus) and focus
end

local telling = false

--- Tells all servers what the user looks at. Several changes of one moment are one.
function M.tell_focus()
  if telling then
    return
  end
  telling = true
  vim.schedule(function()
    telling = false
    local client = require('coauthor.client')
    for _, c in ipairs(client.all()) do
      local focus = M.focus(c, vim.api.nvim_get_current_buf())
      if focus then
        client.tell(c, 'coauthor/didFocus', focus)
      end
    end
  end)
end

--- The common fields of a request. opts: first and last line (from 1) of a selection, or a range.
function M.of(client, bufnr, opts)
  opts = opts or {}
  if not compat.attached(client, bufnr) then
    return {}
  end
  local encoding = client.offset_encoding or 'utf-16'
  local range = opts.range
  if not range and opts.first then
    range = M.lines(bufnr, opts.first, opts.last, encoding)
  end
  local target = { uri = vim.uri_from_bufnr(bufnr), range = range, version = version(bufnr) }
  local diagnostics = M.diagnostics(bufnr, range, encoding)
  if next(diagnostics) then
    target.diagnostics = diagnostics
  end
  return target
end

return M
