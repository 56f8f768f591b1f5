--- Finding, starting and calling the server, alike in all Neovims.
local compat = require('coauthor.compat')
local config = require('coauthor.config')

local M = {}

M.name = 'coauthor'

local modern = vim.fn.has('nvim-0.11') == 1

--- Tells the user something. Safe to call from a handler.
function M.notify(text, level)
  vim.schedule(function()
    vim.cmd('redraw') -- what a prompt left behind would make Neovim ask for Enter
    vim.notify('Coauthor: ' .. text, level or vim.log.levels.INFO)
  end)
end

function M.warn(text)
  M.notify(text, vim.log.levels.WARN)
end

function M.error(text)
  M.notify(text, vim.log.levels.ERROR)
end

--- The folder of this plug-in.
local function home()
  local source = debug.getinfo(1, 'S').source:sub(2)
  return vim.fn.fnamemodify(source, ':p:h:h:h')
end

--- What lsp/coauthor.lua says, read from this plug-in's own folder.
function M.base()
  return dofile(home() .. '/lsp/coauthor.lua')
end

--- Up to 0.7 no event says that a server serves a buffer, or that it has gone.
local function on_attach()
  local given = config.current.on_attach
  if compat.has('0.8') then
    return given
  end
  return function(client, bufnr)
    M.attached(bufnr)
    if given then
      given(client, bufnr)
    end
  end
end

local function on_exit()
  if compat.has('0.8') then
    return nil
  end
  return function(_, _, client_id)
    vim.schedule(function()
      M.gone(client_id)
    end)
  end
end

--- What the module adds to lsp/coauthor.lua: that it has an input box and draws the preview.
function M.additions()
  local o = config.current
  local add = {
    cmd = o.cmd,
    filetypes = o.filetypes,
    init_options = { hasInput = true, client = 'neovim-module' },
    handlers = require('coauthor.handlers').handlers,
    commands = require('coauthor.handlers').commands,
    on_attach = on_attach(),
    on_exit = on_exit(),
    capabilities = vim.tbl_deep_extend('force', o.capabilities or {}, {
      experimental = {
        coauthor = {
          inputBox = true,
          pending = true,
          draft = true,
          stream = true,
          streamEdits = true,
          turn = true,
          progress = true,
          lookUp = true,
        },
      },
    }),
  }
  if next(o.settings) then
    add.settings = { coauthor = o.settings }
    add.init_options.settings = o.settings
  end
  return add
end

--- The whole configuration of a client, for vim.lsp.start.
local function resolved(bufnr)
  local made
  if modern then
    made = vim.deepcopy(vim.lsp.config[M.name])
  else
    vim.api.nvim_buf_call(bufnr, function()
      made = vim.tbl_deep_extend('force', M.base(), M.additions())
    end)
    made.capabilities = vim.tbl_deep_extend(
      'force',
      vim.lsp.protocol.make_client_capabilities(),
      made.capabilities
    )
  end
  return made
end

--- A server has begun to serve a buffer.
function M.attached(bufnr)
  if #vim.diagnostic.get(bufnr) > 0 then
    require('coauthor.target').tell_diagnostics(bufnr)
  end
  require('coauthor.target').tell_focus()
end

--- A server is gone, and with it what it did.
function M.gone(client_id)
  require('coauthor.state').forget(client_id)
  require('coauthor.chat').forget(client_id)
  require('coauthor.inline').prune()
  vim.cmd('redrawstatus!')
end

--- The program that is to be run and is not there, or nil.
function M.missing()
  local cmd = config.current.cmd
  if type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 0 then
    return cmd[1]
  end
end

--- How to get the program.
M.get = 'Put the program from the release for your platform on the PATH, or run "go install ./cmd/coauthor" in its source; '
  .. 'or set its path: setup{ cmd = { "/path/to/coauthor", "serve" } }'

--- Says that the program is missing, and how to get it; false where it is there.
function M.lacks()
  local program = M.missing()
  if program then
    M.error(('cannot find the program %s. %s'):format(program, M.get))
  end
  return program ~= nil
end

--- Says that no server runs, and first of all whether there is one to run.
function M.none(hint)
  if not M.lacks() then
    M.warn(hint or 'no server is running for this buffer')
  end
end

local complained = false

local function runnable()
  if not M.missing() then
    return true
  end
  if not complained then -- each file would say so
    complained = M.lacks()
  end
  return false
end

--- Whether the server has any business in a buffer: it must be a file.
function M.serves(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].buftype ~= '' then
    return false
  end
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' or name:match('^%a[%w+.-]+://') then
    return false
  end
  local types = config.current.filetypes
  return not types or vim.tbl_contains(types, vim.bo[bufnr].filetype)
end

--- Attaches the server to a buffer, starting one when none runs for its project.
---@return integer? id of the client
function M.attach(bufnr)
  if not M.serves(bufnr) then
    return nil
  end
  if not runnable() then
    return nil
  end
  local made = resolved(bufnr)
  if type(made.root_dir) ~= 'function' then
    return compat.start(made, bufnr)
  end
  local id
  made.root_dir(bufnr, function(dir)
    made.root_dir = dir
    id = compat.start(made, bufnr)
  end)
  return id
end

--- The clients of the server; only those of a buffer, where one is given.
function M.all(bufnr)
  return compat.clients(M.name, bufnr)
end

local function usable(client)
  return client and not client.is_stopped(client) and client.initialized
end

--- The client of a buffer, else the one that ran a command last, else any.
function M.find(bufnr)
  for _, client in ipairs(M.all(bufnr)) do
    if usable(client) then
      return client
    end
  end
  local all = vim.tbl_filter(usable, M.all())
  for _, client in ipairs(all) do
    if client.id == M.last then
      return client
    end
  end
  return all[1]
end

--- Calls back with the client of a buffer; starts one first where none is attached.
function M.with(bufnr, callback)
  if bufnr == 0 then
    bufnr = vim.api.nvim_get_current_buf()
  end
  local function attached()
    for _, client in ipairs(M.all(bufnr)) do
      if usable(client) then
        return client
      end
    end
  end
  local client = attached()
  if not client and M.lacks() then
    return
  elseif not client and M.serves(bufnr) then
    if M.attach(bufnr) then
      -- The first answer of the server is a matter of milliseconds; five seconds mean a hung one.
      vim.wait(5000, function()
        return attached() ~= nil
      end, 10)
      client = attached()
    end
  elseif not client then
    client = M.find()
  end
  if not client then
    return M.warn('no server is running. Open a file of the project first')
  end
  M.last = client.id
  callback(client)
end

--- Sends a request. The callback gets (error, result).
function M.request(client, method, params, callback, bufnr)
  local function answer(err, result)
    callback(err, result)
  end
  if modern then
    return client:request(method, params, answer, bufnr)
  end
  return client.request(method, params, answer, bufnr)
end

--- Sends a notification; Neovim then sends all changes that it still held back.
function M.tell(client, method, params)
  if modern then
    return client:notify(method, params)
  end
  return client.notify(method, params)
end

--- Runs a command of the server: M.run(client, 'edit', {instruction = …}, function(result) end).
--- An error is shown; the callback is then called with nil and the error's text. What a user typed behind the command
--- may follow as a list of words.
function M.run(client, id, argument, callback, bufnr, words)
  if not bufnr or bufnr == 0 then
    -- By its number: for 0 Neovim does not send the changes that it still holds back.
    bufnr = vim.api.nvim_get_current_buf()
  end
  local focus = require('coauthor.target').focus(client, bufnr)
  if focus then
    M.tell(client, 'coauthor/didFocus', focus)
  end
  local params = { command = 'coauthor.' .. id }
  if argument and next(argument) then
    params.arguments = { argument }
  end
  if words and #words > 0 then
    params.arguments = vim.list_extend(params.arguments or {}, words)
  end
  M.request(client, 'workspace/executeCommand', params, function(err, result)
    if err then
      M.error(err.message or tostring(err))
    end
    if callback then
      callback(not err and result or nil, err and err.message)
    end
  end, bufnr)
end

return M
