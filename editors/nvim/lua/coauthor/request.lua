--- Starting turns: edit, ask, follow-up.
local client = require('coauthor.client')
local input = require('coauthor.input')
local state = require('coauthor.state')
local target = require('coauthor.target')

local M = {}

local prompts = {
  selection = 'Change selection',
  ['function'] = 'Change this function',
  file = 'Change file',
  ask = 'Ask',
  follow_up = 'Follow up',
}

--- The instruction, from the command line or from the user; nothing happens without one.
local function instruction(given, prompt, value, callback)
  local function go(text)
    require('coauthor.review').forget_keys()
    callback(text)
  end
  if given and vim.trim(given) ~= '' then
    return go(vim.trim(given))
  end
  local opts = {
    prompt = 'Coauthor: ' .. prompt,
    value = value,
    multiline = require('coauthor.config').current.input.multiline,
  }
  input.ask(opts, function(text)
    if text then
      go(text)
    end
  end)
end

local function started(result, label, what, id)
  if not result then
    return
  end
  if result.status == 'busy' then
    client.warn('another request is running. Wait for it, or stop it with :Coauthor cancel')
  elseif result.status == 'needsInput' then
    client.warn('the instruction is empty. Type it after :Coauthor ' .. what)
  elseif result.turnId then
    local turn = state.turn(result.turnId, id)
    turn.label = label
    turn.what = what
    return turn
  end
end

--- Asks for a change. opts: instruction, first and last line or range, what, prompt, value.
function M.edit(c, bufnr, opts)
  -- The range belongs to the text as it is now; what is typed into the prompt does not move it.
  local argument = target.of(c, bufnr, opts)
  argument.version = opts.version or argument.version
  local what = opts.what or (opts.first and 'selection' or 'file')
  instruction(opts.instruction, opts.prompt or prompts[what] or prompts.file, opts.value, function(text)
    argument.instruction = text
    client.run(c, 'edit', argument, function(result)
      local turn = started(result, text, 'edit', c.id)
      if turn then
        turn.origin = argument.uri -- with which the preview begins
      end
    end, bufnr)
  end)
end

--- Asks a question; the answer streams into the chat. opts.started is called when the server has taken it.
function M.ask(c, bufnr, opts)
  local argument = target.of(c, bufnr, opts)
  instruction(opts.instruction, prompts.ask, nil, function(text)
    argument.instruction = text
    client.run(c, 'ask', argument, function(result)
      local turn = started(result, text, 'ask', c.id)
      if turn then
        if opts.started then
          opts.started()
        end
        require('coauthor.chat').asked(turn, text)
      end
    end, bufnr)
  end)
end

--- Fixes the diagnostics of a selection, else the new problems that the server knows of.
function M.fix(c, bufnr, opts)
  local argument = target.of(c, bufnr, opts)
  if not opts.first then
    argument.diagnostics = nil
  end
  require('coauthor.review').forget_keys()
  if opts.instruction and opts.instruction ~= '' then
    argument.instruction = opts.instruction
  end
  client.run(c, 'fix', argument, function(result)
    if result and result.turnId then
      started(result, opts.instruction ~= '' and opts.instruction or 'fix problems', 'fix', c.id)
    end
  end, bufnr)
end

--- The row of a command in the server's table; nil for one that it does not have.
local function row_of(id)
  local found, generated = pcall(require, 'coauthor.generated')
  for _, row in ipairs(found and generated.commands or {}) do
    if row.id == id then
      return row
    end
  end
end

--- Any other command of the server's table, with a target as an edit has it. What its words are, an instruction, the
--- number of a request or a branch, says the server's table; names of files are told apart here.
function M.other(c, bufnr, id, opts)
  local argument = target.of(c, bufnr, opts)
  local words = {}
  if opts.instruction and opts.instruction ~= '' then
    local row = row_of(id)
    local files = row and row.args and row.args[1] == 'files'
    words = files and vim.split(opts.instruction, '%s+', { trimempty = true }) or { opts.instruction }
  end
  client.run(c, id, argument, function(result)
    started(result, opts.instruction or id, id, c.id)
  end, bufnr, words)
end

--- Goes on with a turn: amends its proposal or continues the talk.
function M.follow_up(turn_id, words)
  local turn = turn_id and state.turns[turn_id] or state.last()
  if not turn and not turn_id then
    return client.warn('no request to follow up; send a request first')
  end
  local c = turn and turn.client and vim.lsp.get_client_by_id(turn.client) or client.find()
  if not c then
    return client.warn('the server for that request has stopped')
  end
  local id = turn and turn.id or turn_id
  instruction(words, prompts.follow_up, nil, function(text)
    client.run(c, 'followUp', { turnId = id, instruction = text }, function(result)
      started(result, text, 'followUp', c.id)
    end)
  end)
end

--- Stops a turn, or all of them.
function M.cancel(turn_id)
  local clients = client.all()
  if #clients == 0 then
    return client.none('no server is running')
  end
  for _, c in ipairs(clients) do
    client.run(c, 'cancel', turn_id and { turnId = turn_id } or nil, function(result)
      if result and #(result.cancelled or {}) == 0 and #clients == 1 then
        client.notify('no request is running')
      end
    end)
  end
end

return M
