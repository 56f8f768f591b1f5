--- How turns go on: their states, their text while it streams, and the line that tells the user.
local config = require('coauthor.config')
local state = require('coauthor.state')
local uv = require('coauthor.compat').uv

local M = {}

local ended = { answered = true, proposed = true, failed = true, cancelled = true }

local function refresh()
  vim.cmd('redrawstatus!')
end

--- Shows a line without history and without asking for Enter; never while the user types.
local function whisper(text)
  if not config.current.progress or vim.api.nvim_get_mode().mode ~= 'n' or vim.in_fast_event() then
    return
  end
  -- After a menu or a prompt a line more would ask for Enter.
  vim.cmd('redraw')
  local room = math.max(10, vim.o.columns - 15)
  vim.api.nvim_echo({ { vim.fn.strcharpart(text, 0, room), 'Comment' } }, false, {})
end

--- A turn has a new state.
function M.changed(params, client_id)
  local turn = state.turn(params.turnId, client_id)
  local before = turn.message
  turn.state = params.state or turn.state
  turn.label = params.label or turn.label
  turn.message = params.message or turn.message
  turn.usage = params.usage or turn.usage
  if ended[turn.state] and not turn.ended then
    turn.ended = uv.now()
    require('coauthor.chat').finish(turn)
    if turn.state ~= 'proposed' then -- then the change takes the place of its draft
      require('coauthor.review').written(turn.id)
    end
    -- A failure is told by the server itself, in a message that every editor shows.
    whisper(turn.state == 'cancelled' and 'coauthor: Stopped; nothing was changed' or '')
  elseif state.is_running(turn) and before ~= turn.message then
    whisper(state.line())
  end
  require('coauthor.compat').trigger('CoauthorTurn', { turnId = turn.id, state = turn.state, client_id = client_id })
  refresh()
end

--- A piece of the reply has come.
function M.streamed(params, client_id)
  local turn = state.turn(params.turnId, client_id)
  local reasoning = params.channel == 'reasoning'
  if params.channel == 'edit' then
    return -- comes as a draft
  elseif reasoning then
    turn.thinking = turn.thinking .. params.delta
  else
    turn.text = turn.text .. params.delta
  end
  require('coauthor.chat').append(turn, params.delta, reasoning)
end

return M
