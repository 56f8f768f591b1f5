--- The command :Coauthor and its completion.
local client = require('coauthor.client')
local compat = require('coauthor.compat')
local state = require('coauthor.state')

local M = {}

local function request(name)
  return function(words, opts)
    local bufnr = vim.api.nvim_get_current_buf()
    local first = opts.range > 0 and opts.line1 or nil
    client.with(bufnr, function(c)
      require('coauthor.request')[name](c, bufnr, {
        instruction = words,
        first = first,
        last = first and opts.line2,
      })
    end)
  end
end

local function decide(id)
  return function(words)
    local review = require('coauthor.review')
    if words == '' then
      return review.decide(id, 0)
    end
    local file, proposal = review.file_named(words, 0)
    if not file then
      return client.warn(('no change is pending in %s'):format(words))
    end
    review.decide(id, 0, { file = file }, proposal)
  end
end

local function back(id)
  return function(words)
    require('coauthor.review').turn_back(id, 0, words ~= '' and words or nil)
  end
end

local function plain(id, argument, show)
  return function(words)
    client.with(0, function(c)
      client.run(c, id, argument and argument(c, words) or nil, function(result)
        if result and show then
          show(result)
        end
      end)
    end)
  end
end

local function here(c)
  local bufnr = vim.api.nvim_get_current_buf()
  return compat.attached(c, bufnr) and { uri = vim.uri_from_bufnr(bufnr) } or nil
end

--- Any command of the server that this module has no special way for.
local function other(name, words, opts)
  local bufnr = vim.api.nvim_get_current_buf()
  local first = opts.range > 0 and opts.line1 or nil
  client.with(bufnr, function(c)
    require('coauthor.request').other(c, bufnr, name, { instruction = words, first = first, last = opts.line2 })
  end)
end

local function show_status(result)
  local lines = { 'model: ' .. (result.model and result.model ~= '' and result.model or 'none') }
  for _, turn in ipairs(result.turns or {}) do
    local known = state.turns[turn.turnId]
    local what = known and known.message and known.message ~= '' and known.message or 'running'
    lines[#lines + 1] = ('running: %s (%s)'):format(turn.label or '', what)
  end
  for _, p in ipairs(result.pending or {}) do
    local files = type(p.files) == 'table' and #p.files or p.files or 0
    lines[#lines + 1] = ('pending: %s (%s)'):format(p.label or '', state.files(files))
  end
  local usage = result.usage and (result.usage.session or result.usage)
  if type(usage) == 'table' and (usage['in'] or usage.prompt) then
    lines[#lines + 1] = ('tokens: %d in, %d out'):format(
      usage['in'] or usage.prompt,
      usage['out'] or usage.completion or 0
    )
  end
  if result.lastError and result.lastError ~= vim.NIL and result.lastError ~= '' then
    lines[#lines + 1] = 'last error: ' .. tostring(result.lastError)
  end
  client.notify(table.concat(lines, '\n'))
end

local function show_doctor(result)
  local lines = {}
  for _, check in ipairs(result.checks or {}) do
    local mark = check.ok and 'ok  ' or 'FAIL'
    lines[#lines + 1] = ('%s %s: %s'):format(mark, check.name or '', check.message or '')
    if check.advice and check.advice ~= vim.NIL and check.advice ~= '' then
      lines[#lines + 1] = '     ' .. check.advice
    end
  end
  if #lines > 0 then
    (result.ok and client.notify or client.warn)(table.concat(lines, '\n'))
  end
end

local function answer(words)
  client.with(0, function(c)
    require('coauthor.review').forget_keys()
    client.run(c, 'answer', { choice = words, text = words })
  end)
end

local subcommands = {
  edit = { run = request('edit') },
  ask = { run = request('ask') },
  chat = {
    run = function()
      client.with(0, function(c)
        require('coauthor.chat').open(c.id, true)
      end)
    end,
  },
  fix = { run = request('fix') },
  apply = { run = decide('apply'), files = true },
  discard = { run = decide('discard'), files = true },
  show = {
    run = function()
      require('coauthor.review').show(vim.api.nvim_get_current_buf())
    end,
  },
  undo = { run = back('undoTurn') },
  redo = { run = back('redoTurn') },
  cancel = {
    run = function(words)
      require('coauthor.request').cancel(words ~= '' and words or nil)
    end,
  },
  followup = {
    run = function(words)
      require('coauthor.request').follow_up(nil, words)
    end,
  },
  status = { run = plain('status', here, show_status) },
  prompt = {
    run = function(words, opts)
      local bufnr = vim.api.nvim_get_current_buf()
      client.with(bufnr, function(c)
        local first = opts.range > 0 and opts.line1 or nil
        local argument = require('coauthor.target').of(c, bufnr, { first = first, last = opts.line2 })
        argument.kind = words ~= '' and words or nil
        client.run(c, 'openPrompt', argument)
      end)
    end,
    words = { 'edit', 'ask', 'followUp' },
  },
  run = {
    run = function(words, opts)
      if words == '' and vim.api.nvim_buf_get_name(0):match('/%.coauthor/prompt%-%d+%.md$') then
        return plain('runPrompt', here)(words)
      end
      other('run', words, opts)
    end,
  },
  answer = { run = answer },
  doctor = { run = plain('doctor', nil, show_doctor) },
}

--- Commands that the server knows and this module has no special way for.
local function others()
  local found, generated = pcall(require, 'coauthor.generated')
  local list = {}
  if found and type(generated) == 'table' then
    for _, row in ipairs(generated.commands or {}) do
      local id = type(row) == 'table' and (row.id or row[1]) or row
      list[#list + 1] = id
    end
  end
  return list
end

--- Names of the server's table that have another word here.
local known = {
  showPending = 'show', undoTurn = 'undo', redoTurn = 'redo', followUp = 'followup',
  openPrompt = 'prompt', runPrompt = 'run',
}

function M.names()
  local names = vim.tbl_keys(subcommands)
  for _, id in ipairs(others()) do
    if not subcommands[id] and not known[id] then
      names[#names + 1] = id
    end
  end
  table.sort(names)
  return names
end

--- Runs :Coauthor NAME WORDS.
function M.run(opts)
  local name, words = opts.args:match('^%s*(%S+)%s*(.-)%s*$')
  if not name then
    name, words = 'status', ''
  end
  if #client.all() == 0 and client.lacks() then
    return
  end
  local sub = subcommands[known[name] or name]
  if sub then
    return sub.run(words, opts)
  end
  if not vim.tbl_contains(M.names(), name) then
    return client.error(('unknown command %q. Commands: %s'):format(name, table.concat(M.names(), ' ')))
  end
  other(name, words, opts)
end

local function starting(list, lead)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, list)
end

--- Completes names, then files of the pending change where they make sense.
function M.complete(lead, line)
  local before = line:match('Coauthor!?%s+(.*)$') or ''
  local name = before:match('^(%S+)%s')
  if not name then
    return starting(M.names(), lead)
  end
  local sub = subcommands[known[name] or name]
  if sub and sub.words then
    return starting(sub.words, lead)
  end
  if sub and sub.files then
    local names = {}
    for _, proposal in ipairs(state.pending()) do
      for _, file in ipairs(proposal.files or {}) do
        names[#names + 1] = require('coauthor.view').name(file)
      end
    end
    return starting(names, lead)
  end
  return {}
end

return M
