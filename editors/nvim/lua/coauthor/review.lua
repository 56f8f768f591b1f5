--- Proposals: taking them in, showing them, applying and discarding them, undoing turns.
local client = require('coauthor.client')
local config = require('coauthor.config')
local state = require('coauthor.state')
local view = require('coauthor.view')

local M = {}

local last_key = 0 -- when a key was typed last, by vim.uv.now()

--- Notes when keys are typed, so that nothing opens under the user's fingers.
function M.watch_keys()
  vim.on_key(function(_, typed)
    if typed == nil or typed ~= '' then
      last_key = vim.uv.now()
    end
  end, vim.api.nvim_create_namespace('coauthor.keys'))
end

--- What was typed up to now was the request itself; the answer to it may open.
function M.forget_keys()
  last_key = 0
end

local function idle()
  if vim.api.nvim_get_mode().mode ~= 'n' or vim.fn.getcmdwintype() ~= '' then
    return false
  end
  return last_key == 0 or vim.uv.now() - last_key > 700
end

local function count(proposal)
  local n = #(proposal.files or {})
  return ('%d file%s'):format(n, n == 1 and '' or 's')
end

local function client_of(proposal)
  local c = vim.lsp.get_client_by_id(proposal.client)
  if not c then
    client.warn('the server that made this proposal has stopped')
  end
  return c
end

--- Fetches a proposal with all its hunks and calls back with it. It then counts as shown.
function M.fetch(c, selector, callback)
  client.request(c, 'coauthor/getPending', selector, function(err, result)
    if err then
      return client.error(err.message or tostring(err))
    end
    if not result or result == vim.NIL or not result.proposalId then
      return callback(nil)
    end
    callback(state.take(result, c.id))
  end)
end

local function show(proposal)
  local c = client_of(proposal)
  if not c then
    return
  end
  M.fetch(c, { turnId = proposal.turnId, proposalId = proposal.proposalId }, function(full)
    if not full then
      return client.warn('this proposal is no longer pending')
    end
    require('coauthor.preview').open(full)
  end)
end

local function changed(proposal)
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'CoauthorPending',
    modeline = false,
    data = { proposalId = proposal.proposalId, turnId = proposal.turnId, state = proposal.state },
  })
  vim.cmd.redrawstatus({ bang = true })
end

local verdicts = {
  applied = 'applied',
  undone = 'undone',
  discarded = 'discarded',
  pending = 'discarded in part; the rest is still pending',
  partial = 'partly done',
  conflict = 'not done: you have changed the same lines since',
  unverified = 'sent, but not seen to have landed',
  started = 'under way',
}

--- A command took longer than a request may: its outcome is told when the proposal says so.
local late = false

local function settle(proposal)
  if late and proposal.state ~= 'applying' and verdicts[proposal.state] then
    late = false
    client.notify(proposal.state == 'pending' and 'nothing done' or verdicts[proposal.state])
  end
end

--- The server announces a proposal, or a new state of one.
function M.announced(params, client_id)
  local known = state.proposals[params.proposalId]
  local fresh = not known or known.revision ~= params.revision
  local proposal = state.take(params, client_id)
  changed(proposal)
  local preview = require('coauthor.preview')
  settle(proposal)
  if not state.is_open(proposal) then
    if proposal.state ~= 'applying' then
      preview.close(proposal.proposalId)
    end
    return
  end
  if preview.shows(proposal.proposalId) then
    if fresh then
      return show(proposal) -- a new revision counts as shown when it was fetched
    end
    if not vim.deep_equal(known.files, proposal.files) then
      preview.refresh(proposal)
    end
    return
  end
  if not fresh then
    return
  end
  if config.current.preview.layout ~= 'none' and config.current.preview.open and idle() then
    return show(proposal)
  end
  local warned = #(proposal.warnings or {}) > 0
  local tell = warned and client.warn or client.notify
  tell(('a change of %s is ready%s. :Coauthor show'):format(count(proposal), warned and ', with warnings' or ''))
end

--- Shows the newest pending proposal of this buffer's server; without one, the newest answer.
function M.show(bufnr)
  local c = client.find(bufnr)
  if not c then
    return client.warn('no server runs here')
  end
  local list = state.pending(c.id)
  if list[1] then
    return show(list[1])
  end
  M.fetch(c, vim.empty_dict(), function(full)
    if full then
      return require('coauthor.preview').open(full)
    end
    local turn = require('coauthor.answer').newest()
    if turn then
      return require('coauthor.answer').open(turn)
    end
    client.notify('nothing is pending')
  end)
end

--- Which proposal a command means: the one in view, else the newest pending one.
local function chosen(bufnr)
  local preview = require('coauthor.preview')
  local c = client.find(bufnr)
  return preview.current() or (c and state.pending(c.id)[1])
end

local function selector(proposal, part)
  local s = {
    turnId = proposal.turnId,
    proposalId = proposal.proposalId,
    revision = proposal.revision,
  }
  if part and part.file then
    s.files = { part.file.uri }
    s.hunks = part.hunk and { part.hunk } or nil
  end
  return s
end

local function reasons(files)
  local list = {}
  for _, file in ipairs(files or {}) do
    if file.reason and file.reason ~= vim.NIL and file.reason ~= '' then
      local name = file.path or (file.uri and view.name(file)) or '?'
      list[#list + 1] = name .. ': ' .. file.reason
    end
  end
  return #list > 0 and '\n' .. table.concat(list, '\n') or ''
end

--- Says how a command ended.
local function report(result, verb)
  if not result then
    return
  end
  local status = result.status or ''
  late = status == 'started'
  local text = verdicts[status] or status
  local files = result.files and #result.files or 0
  if (status == 'applied' or status == 'undone') and files > 0 then
    text = ('%s in %d file%s'):format(text, files, files == 1 and '' or 's')
  end
  local good = status == 'applied' or status == 'undone' or status == 'discarded' or status == 'started'
  local say = (good or (verb == 'discard' and status == 'pending')) and client.notify or client.warn
  say(text .. reasons(result.files))
end

local function command(id, proposal, part)
  local c = client_of(proposal)
  if not c then
    return
  end
  client.run(c, id, selector(proposal, part), function(result)
    report(result, id)
    local preview = require('coauthor.preview')
    if result and preview.shows(proposal.proposalId) then
      local over = result.status == 'applied' or result.status == 'discarded'
      if over and not part then
        preview.close(proposal.proposalId)
      else
        preview.refresh()
      end
    end
  end)
end

--- Applies or discards a proposal, or a part of it: {file = F, hunk = number}.
function M.decide(id, bufnr, part, proposal)
  proposal = proposal or chosen(bufnr)
  if proposal then
    return command(id, proposal, part)
  end
  -- The server may know of one that it could not announce to us.
  local c = client.find(bufnr)
  if not c then
    return client.warn('no server runs here')
  end
  client.run(c, id, nil, function(result)
    report(result, id)
  end, bufnr)
end

--- The file of a proposal that a word of the user names.
function M.file_named(name, bufnr)
  local proposal = chosen(bufnr)
  local full = vim.fn.fnamemodify(name, ':p')
  for _, file in ipairs(proposal and proposal.files or {}) do
    if vim.uri_to_fname(file.uri) == full or view.name(file) == name or file.path == name then
      return file, proposal
    end
  end
  return nil, proposal
end

--- Takes a turn back, or applies an undone one again.
function M.turn_back(id, bufnr, turn_id)
  local c = client.find(bufnr)
  if not c then
    return client.warn('no server runs here')
  end
  client.run(c, id, turn_id and { turnId = turn_id } or nil, function(result)
    report(result, id)
  end, bufnr)
end

return M
