--- What the server sends to this module, and the one client command of its code actions.
local compat = require('coauthor.compat')

local M = {}

--- The server waits for the value; Neovim runs request handlers in a coroutine.
local function input_box(_, params)
  local opts = {
    prompt = 'Coauthor: ' .. params.prompt,
    value = params.value ~= vim.NIL and params.value or nil,
    history = params.history ~= vim.NIL and params.history or nil,
    multiline = params.multiline and require('coauthor.config').current.input.multiline,
  }
  if not compat.can_wait() then
    -- Up to 0.8 a handler cannot wait for vim.ui.input.
    local text = vim.fn.input(opts.prompt .. ': ', opts.value or '')
    return text ~= '' and { value = text } or vim.NIL
  end
  local answer = compat.await(function(done)
    require('coauthor.input').ask(opts, done)
  end)
  require('coauthor.review').forget_keys()
  return answer and { value = answer } or vim.NIL
end

local function turn(_, params, ctx)
  require('coauthor.turns').changed(params, ctx.client_id)
end

local function stream(_, params, ctx)
  require('coauthor.turns').streamed(params, ctx.client_id)
end

local function pending(_, params, ctx)
  require('coauthor.review').announced(params, ctx.client_id)
end

local function draft(_, params, ctx)
  require('coauthor.review').drafted(params, ctx.client_id)
end

local function moved(_, params)
  require('coauthor.review').moved(params)
end

local levels = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO, vim.log.levels.INFO }

--- The server's messages in the same form as those of this module.
local function message(_, params)
  require('coauthor.review').told(params.message:gsub('^Coauthor: ', ''), levels[params.type])
end

--- Whoever answers a question of ours is not typing: what comes of it may open.
local function answered(method)
  return function(err, params, ctx, conf)
    local ask = require('coauthor.client').base().handlers[method]
    local result, failure = ask(err, params, ctx, conf)
    require('coauthor.review').forget_keys()
    return result, failure
  end
end

M.handlers = {
  ['window/showMessage'] = message,
  ['window/showMessageRequest'] = answered('window/showMessageRequest'),
  ['coauthor/inputBox'] = input_box,
  ['coauthor/lookUp'] = function(...)
    return require('coauthor.lookup').answer(...)
  end,
  ['coauthor/turn'] = turn,
  ['coauthor/stream'] = stream,
  ['coauthor/pending'] = pending,
  ['coauthor/pendingMoved'] = moved,
  ['coauthor/draft'] = draft,
}

--- "change selection…", "change file…": ask here, then call the server.
local function client_edit(command, ctx)
  local argument = command.arguments and command.arguments[1] or {}
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  if not client then
    return
  end
  -- The selection is taken; what comes next belongs to normal mode, as after :'<,'>.
  if vim.api.nvim_get_mode().mode:match('^[vV\22]') then
    vim.cmd('normal! \27')
  end
  local uri = argument.uri
  local bufnr = uri and vim.uri_to_bufnr(uri) or ctx.bufnr
  require('coauthor.request').edit(client, bufnr, {
    range = argument.range,
    version = argument.version,
    prompt = argument.prompt,
    what = argument.target or (argument.range and 'selection' or 'file'),
    instruction = argument.instruction,
  })
end

--- "add cli.py to the chat", "skip it": the answer to a question, picked from the menu.
local function client_answer(command, ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  require('coauthor.review').forget_keys()
  if client then
    require('coauthor.client').run(client, 'answer', (command.arguments or {})[1])
  end
end

-- The action may also name the server's command: the module knows better what to send with it.
M.commands = {
  ['coauthor.client.edit'] = client_edit,
  ['coauthor.edit'] = client_edit,
  ['coauthor.answer'] = client_answer,
}

return M
