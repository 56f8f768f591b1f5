--- What the server has told: turns and proposals. Everything here comes from notifications.
local uv = require('coauthor.compat').uv

local M = {}

---@type table<string, table> by turn id: {id, state, label, message, started, ended, usage, text, thinking, client}
M.turns = {}
---@type table<string, table> by proposal id: the server's view plus {client}
M.proposals = {}
---@type table<string, table> by turn id: what a turn has changed as far as it is written, as a proposal that nobody can decide on
M.drafts = {}
--- Ids of turns, oldest first.
M.order = {}

local running = {
  queued = true,
  collecting = true,
  requesting = true,
  streaming = true,
  verifying = true,
  reflecting = true,
}

--- Turns are kept for :Coauthor show and follow-ups, but not for ever.
local keep = 50

function M.is_running(turn)
  return running[turn.state] == true
end

--- The turn of that id, made when it is new.
function M.turn(id, client_id)
  local turn = M.turns[id]
  if not turn then
    turn = { id = id, state = 'queued', text = '', thinking = '', started = uv.now(), seq = 0 }
    M.turns[id] = turn
    M.order[#M.order + 1] = id
    if #M.order > keep then
      M.turns[table.remove(M.order, 1)] = nil
    end
  end
  turn.client = client_id or turn.client
  return turn
end

--- The newest turn; of one client where it is given.
function M.last(client_id)
  for i = #M.order, 1, -1 do
    local turn = M.turns[M.order[i]]
    if turn and (not client_id or turn.client == client_id) then
      return turn
    end
  end
end

--- The turns that run now, oldest first.
function M.running()
  local list = {}
  for _, id in ipairs(M.order) do
    if M.turns[id] and M.is_running(M.turns[id]) then
      list[#list + 1] = M.turns[id]
    end
  end
  return list
end

--- States in which a proposal waits for the user.
local open = { pending = true, partial = true, conflict = true }

function M.is_open(proposal)
  return open[proposal.state] == true
end

--- The proposals that wait for the user, newest first.
function M.pending(client_id)
  local list = {}
  for _, p in pairs(M.proposals) do
    if M.is_open(p) and (not client_id or p.client == client_id) then
      list[#list + 1] = p
    end
  end
  table.sort(list, function(a, b)
    return a.arrived > b.arrived
  end)
  return list
end

local arrivals = 0

--- Takes in a proposal that the server announced or answered with.
function M.take(view, client_id)
  local old = M.proposals[view.proposalId]
  if old then
    view.arrived = old.arrived
  else
    arrivals = arrivals + 1
    view.arrived = arrivals
  end
  view.client = client_id
  M.proposals[view.proposalId] = view
  return view
end

--- Takes in what a turn has written so far.
function M.sketch(params, client_id)
  local draft = {
    turnId = params.turnId,
    proposalId = 'draft of ' .. params.turnId,
    files = params.files or {},
    client = client_id,
    state = 'draft',
    draft = true,
  }
  M.drafts[params.turnId] = draft
  return draft
end

--- The newest draft of a client's turns, or nil.
function M.draft(client_id)
  for i = #M.order, 1, -1 do
    local draft = M.drafts[M.order[i]]
    if draft and draft.client == client_id then
      return draft
    end
  end
end

--- The proposal, or the draft, of an id.
function M.find(id)
  if M.proposals[id] then
    return M.proposals[id]
  end
  for _, draft in pairs(M.drafts) do
    if draft.proposalId == id then
      return draft
    end
  end
end

--- Forgets what belonged to a client that is gone.
function M.forget(client_id)
  for id, p in pairs(M.proposals) do
    if p.client == client_id then
      M.proposals[id] = nil
    end
  end
  for id, draft in pairs(M.drafts) do
    if draft.client == client_id then
      M.drafts[id] = nil
    end
  end
  for _, turn in pairs(M.turns) do
    if turn.client == client_id and M.is_running(turn) then
      turn.state = 'failed'
      turn.message = 'the server has stopped'
    end
  end
end

--- The files of a proposal on which the user can still decide, in the server's order: the one they
--- came from first.
function M.open_files(proposal)
  return vim.tbl_filter(function(file)
    if #(file.hunks or {}) == 0 then
      return not file.state or file.state == ''
    end
    for _, hunk in ipairs(file.hunks) do
      if not hunk.state or hunk.state == '' or hunk.state == 'open' or hunk.state == 'pending' then
        return true
      end
    end
    return false
  end, proposal.files or {})
end

--- "1 file", "3 files".
function M.files(n)
  return ('%d file%s'):format(n, n == 1 and '' or 's')
end

--- "3 files, +10 -2" of what is still open.
function M.size(proposal)
  local files = M.open_files(proposal)
  local added, removed = 0, 0
  for _, file in ipairs(files) do
    added, removed = added + (file.added or 0), removed + (file.removed or 0)
  end
  return ('%s, +%d -%d'):format(M.files(#files), added, removed)
end

--- One line for the statusline: what runs, else what waits, else nothing.
function M.line()
  local turns = M.running()
  if #turns > 0 then
    local turn = turns[#turns]
    local more = #turns > 1 and (' (+%d)'):format(#turns - 1) or ''
    local line = turn.message and turn.message ~= '' and turn.message or 'Starting'
    return ('coauthor: %s%s'):format(line, more)
  end
  local list = M.pending()
  if #list > 0 then
    return ('coauthor: %s pending, :Coauthor show'):format(M.files(#M.open_files(list[1])))
  end
  return ''
end

return M
