--- Proposals: taking them in, showing them, applying and discarding them, undoing turns.
local client = require('coauthor.client')
local compat = require('coauthor.compat')
local config = require('coauthor.config')
local state = require('coauthor.state')
local view = require('coauthor.view')

local M = {}

local last_key = 0 -- when a key was typed last, by compat.uv.now()

--- Notes when keys are typed, so that nothing opens under the user's fingers.
function M.watch_keys()
  vim.on_key(function(_, typed)
    if typed == nil or typed ~= '' then
      last_key = compat.uv.now()
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
  return last_key == 0 or compat.uv.now() - last_key > 700
end

local function client_of(proposal)
  local c = vim.lsp.get_client_by_id(proposal.client)
  if not c then
    client.warn('the server that made this change has stopped. Send the request again')
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

--- Fetches both texts of a file of a proposal, with what the user has typed since. Calls back with whether that is
--- other than what was known.
function M.texts(proposal, file, callback)
  local c = vim.lsp.get_client_by_id(proposal.client)
  if not c then
    return
  end
  local known = view.sides(file)
  local selector = { turnId = proposal.turnId, proposalId = proposal.proposalId, uri = file.uri }
  client.request(c, 'coauthor/getTexts', selector, function(err, texts)
    -- A proposal that is decided meanwhile has none.
    if err or type(texts) ~= 'table' or texts.revision ~= proposal.revision then
      return
    end
    file.texts = texts
    callback(not vim.deep_equal(known, view.sides(file)))
  end)
end

--- Opens a proposal, or a draft, in the way that the options say.
local function display(proposal)
  if config.current.preview.layout == 'inline' and require('coauthor.inline').show(proposal) then
    return
  end
  require('coauthor.preview').open(proposal)
end

local function show(proposal)
  local c = client_of(proposal)
  if not c then
    return
  end
  M.fetch(c, { turnId = proposal.turnId, proposalId = proposal.proposalId }, function(full)
    if not full then
      return client.warn('that change is no longer pending')
    end
    require('coauthor.notice').close(proposal.proposalId)
    display(full)
  end)
end

local function changed(proposal)
  compat.trigger('CoauthorPending', {
    proposalId = proposal.proposalId,
    turnId = proposal.turnId,
    state = proposal.state,
  })
  require('coauthor.chat').became(proposal)
  vim.cmd('redrawstatus!')
end

--- Says in the corner that a change waits. The message alone would be gone when a user who types
--- looks up.
local function ready(proposal)
  local warned = #(proposal.warnings or {}) > 0
  local text = ('A change is ready%s: %s. :Coauthor show'):format(warned and ', with warnings' or '', state.size(proposal))
  local tell = warned and client.warn or client.notify
  tell(text)
  require('coauthor.notice').show(proposal.proposalId, { ' Coauthor: ' .. text .. ' ' })
end

--- What "apply all" took without that the user looked at it, to be said with its outcome.
local unseen

--- The server says something: what became of a command, or what went wrong.
function M.told(text, level)
  client.notify(text, level)
  if unseen then
    local note = unseen
    unseen = nil
    vim.schedule(function()
      require('coauthor.notice').show('unseen', { ' Coauthor: ' .. text .. ' ', ' ' .. note .. ' ' })
      vim.defer_fn(function()
        require('coauthor.notice').close('unseen')
      end, 8000)
    end)
  end
end

--- The draft of a turn is over: what it came to is announced, or there is nothing.
function M.written(turn_id)
  local draft = state.drafts[turn_id]
  if not draft then
    return false
  end
  state.drafts[turn_id] = nil
  local shown = require('coauthor.preview').shows(draft.proposalId)
  require('coauthor.preview').close(draft.proposalId)
  require('coauthor.inline').clear(draft.proposalId)
  return shown
end

--- A turn has written more of its change.
function M.drafted(params, client_id)
  local draft = state.sketch(params, client_id)
  if config.current.preview.layout == 'inline' and config.current.preview.open then
    require('coauthor.inline').show(draft)
  end
  if require('coauthor.preview').shows(draft.proposalId) then
    require('coauthor.preview').refresh(draft)
  end
end

--- The text of a file has changed, so that what was fetched of it is out of date.
function M.moved(params)
  local proposal = state.proposals[params.proposalId]
  for _, file in ipairs(proposal and proposal.files or {}) do
    if file.uri == params.uri or file.newUri == params.uri then
      M.texts(proposal, file, function(differs)
        if differs and state.proposals[params.proposalId] == proposal then
          require('coauthor.preview').redraw(proposal)
          require('coauthor.inline').redraw(proposal, file)
        end
      end)
    end
  end
end

--- The server announces a proposal, or a new state of one.
function M.announced(params, client_id)
  local known = state.proposals[params.proposalId]
  local fresh = not known or known.revision ~= params.revision
  local proposal = state.take(params, client_id)
  local grown = M.written(proposal.turnId) -- the user has watched it grow
  changed(proposal)
  local preview = require('coauthor.preview')
  local inline = require('coauthor.inline')
  local notice = require('coauthor.notice')
  if not state.is_open(proposal) then
    notice.close(proposal.proposalId)
    if proposal.state ~= 'applying' then
      inline.clear(proposal.proposalId)
    end
    if proposal.state ~= 'applying' then
      preview.close(proposal.proposalId)
    end
    return
  end
  if notice.shown(proposal.proposalId) and not fresh then
    notice.show(proposal.proposalId, { (' Coauthor: A change is ready: %s. :Coauthor show '):format(state.size(proposal)) })
  end
  if inline.shows(proposal.proposalId) then
    if fresh then
      return show(proposal)
    end
    inline.show(proposal)
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
  local layout = config.current.preview.layout
  -- What is drawn into the text opens no window and takes no key, so that it may come while the user types.
  if grown or (layout ~= 'none' and config.current.preview.open and (layout == 'inline' and inline.can(proposal) or idle())) then
    return show(proposal)
  end
  ready(proposal)
end

--- Shows the newest pending proposal of this buffer's server; without one, the newest answer.
function M.show(bufnr)
  local c = client.find(bufnr)
  if not c then
    return client.none()
  end
  local list = state.pending(c.id)
  if list[1] then
    return show(list[1])
  end
  local draft = state.draft(c.id)
  if draft then
    return display(draft)
  end
  M.fetch(c, vim.empty_dict(), function(full)
    if full then
      return display(full)
    end
    local turn = require('coauthor.chat').newest(c.id)
    if turn then
      return require('coauthor.chat').show(turn)
    end
    client.notify('no change is pending')
  end)
end

--- Which proposal a command means: the one in view, else the newest pending one.
local function chosen(bufnr)
  local preview = require('coauthor.preview')
  local c = client.find(bufnr)
  local shown = preview.current()
  if shown and not shown.draft then
    return shown
  end
  return require('coauthor.inline').current(bufnr) or (c and state.pending(c.id)[1])
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

--- The server says itself how a command ended; only that it takes long is said here.
local function report(result)
  if result and result.status == 'started' then
    client.notify('working on it…')
  end
end

local function command(id, proposal, part)
  local c = client_of(proposal)
  if not c then
    return
  end
  client.run(c, id, selector(proposal, part), function(result)
    report(result)
    if not result then
      unseen = nil
    end
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

--- Applies or discards a proposal, or a part of it: {file = F, hunk = number}. note is what to say
--- beside the outcome.
function M.decide(id, bufnr, part, proposal, note)
  proposal = proposal or chosen(bufnr)
  unseen = note
  if proposal then
    return command(id, proposal, part)
  end
  -- The server may know of one that it could not announce to us.
  local c = client.find(bufnr)
  if not c then
    return client.none()
  end
  client.run(c, id, nil, function(result)
    report(result)
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
    return client.none()
  end
  client.run(c, id, turn_id and { turnId = turn_id } or nil, function(result)
    report(result)
  end, bufnr)
end

return M
