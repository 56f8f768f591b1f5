--- The module's options. The server's own settings go into `settings`, unchanged.
local compat = require('coauthor.compat')

local M = {}

---@class coauthor.Options
M.defaults = {
  --- The server's command line.
  cmd = { 'coauthor', 'serve' },
  --- Settings of the server (section "coauthor"): model, apiBase, verify, … See SETTINGS.md.
  settings = {},
  --- File types to serve; nil is every file.
  filetypes = nil,
  --- Start the server when a file is opened. With false, :Coauthor starts it when first used.
  autostart = true,
  input = {
    --- Write instructions in a small window of several lines instead of vim.ui.input.
    multiline = false,
  },
  preview = {
    --- 'split' (side by side), 'unified' (one diff of all files), 'inline' (in your own text, where the
    --- files are open), or 'none' (only a message).
    layout = 'split',
    --- Where: 'tab' or 'float' (unified only).
    window = 'tab',
    --- Open by itself when a proposal arrives. While you type it never does; it says so instead.
    open = true,
  },
  --- The conversation, :Coauthor chat.
  chat = {
    --- 'split', 'vsplit', 'tab' or 'float'.
    window = 'vsplit',
    --- Show what the model thinks, where it tells.
    reasoning = true,
  },
  --- Tell in the message line how a turn goes on.
  progress = true,
  --- Keys in the preview; false leaves one out. Its text cannot be edited, so the keys begin with letters
  --- that would edit it.
  keys = {
    apply = 'aa',
    apply_file = 'af',
    apply_hunk = 'ah',
    discard = 'xx',
    discard_file = 'xf',
    discard_hunk = 'xh',
    follow_up = 'cc',
    toggle = 'o',
    next_file = ']f',
    prev_file = '[f',
    close = 'q',
    help = 'g?',
  },
  --- Keys in your own text while a change is drawn into it (layout = 'inline'); false leaves one out.
  inline_keys = {
    apply_hunk = 'gza',
    discard_hunk = 'gzx',
    apply = 'gzA',
    discard = 'gzX',
    follow_up = 'gzc',
    next_hunk = ']c',
    prev_hunk = '[c',
  },
  --- Called with the client and the buffer when the server attaches.
  on_attach = nil,
  --- Passed on to the client (completion plug-ins add theirs here).
  capabilities = nil,
}

local choices = {
  ['preview.layout'] = { 'split', 'unified', 'inline', 'none' },
  ['preview.window'] = { 'tab', 'float' },
  ['chat.window'] = { 'split', 'vsplit', 'tab', 'float' },
}

local optional = { filetypes = 'table', on_attach = 'function', capabilities = 'table' }

local function check(given, known, at)
  for key, value in pairs(given) do
    local name = at .. key
    local default = known[key]
    if default == nil and not (at == '' and optional[key]) then
      error(('coauthor.setup: unknown option %q'):format(name), 0)
    end
    local want = default ~= nil and type(default) or optional[key]
    -- A key may be left out; a command may be a function, as everywhere in Neovim.
    local other = (value == false and (at == 'keys.' or at == 'inline_keys.')) or (type(value) == 'function' and name == 'cmd')
    if type(value) ~= want and not other then
      error(('coauthor.setup: %s must be a %s, not a %s'):format(name, want, type(value)), 0)
    end
    local among = choices[name]
    if among and not vim.tbl_contains(among, value) then
      error(('coauthor.setup: %s must be one of %s'):format(name, table.concat(among, ', ')), 0)
    end
    if want == 'table' and name ~= 'settings' and default and not compat.islist(default) then
      check(value, default, name .. '.')
    end
  end
end

--- Checks the user's options and lays them over the defaults. Raises a sentence for a mistake.
---@return coauthor.Options
function M.merge(given)
  given = given or {}
  if type(given) ~= 'table' then
    error('coauthor.setup: the options must be a table', 0)
  end
  check(given, M.defaults, '')
  local merged = vim.tbl_deep_extend('force', vim.deepcopy(M.defaults), given)
  if given.cmd then
    merged.cmd = given.cmd
  end
  return merged
end

M.current = vim.deepcopy(M.defaults)

return M
