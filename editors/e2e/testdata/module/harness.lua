-- What all parts use: what is looked at, and a server that is a Lua function here.
local function show(v) return (vim.inspect(v):gsub('%s+', ' ')) end
function is(what, got, want)
  if vim.deep_equal(got, want) then passed = passed + 1 return end
  failed = failed + 1
  io.stderr:write(('FAIL %s\n  got  %s\n  want %s\n'):format(what, show(got), show(want)))
end
function eventually(what, ok)
  if vim.wait(10000, ok, 5) then passed = passed + 1 return end
  failed = failed + 1
  io.stderr:write(('FAIL never: %s\n%s\n'):format(what, vim.fn.execute('messages')))
end

-- The fake server: records what it is sent, answers from `answers`.
sent, answers, dispatch, asks = {}, {}, nil, 1
function last(method)
  for i = #sent, 1, -1 do if sent[i].method == method then return sent[i].params end end
end
function calls(command)
  return vim.tbl_filter(function(m)
    return m.method == 'workspace/executeCommand' and m.params.command == command
  end, sent)
end
answers.initialize = function()
  return { capabilities = { textDocumentSync = { openClose = true, change = 2 }, positionEncoding = 'utf-16',
    codeActionProvider = true, executeCommandProvider = { commands = { 'coauthor.edit' } } } }
end
local function server(d)
  dispatch = d
  local id = 0
  return {
    request = function(method, params, callback)
      id = id + 1
      sent[#sent + 1] = { method = method, params = vim.deepcopy(params) }
      local answer = answers[method]
      local err, result
      if answer then err, result = nil, answer(params) else err = { code = -32601, message = 'no ' .. method } end
      if type(result) == 'table' and result.fails then err, result = { code = 1, message = result.fails }, nil end
      vim.schedule(function() callback(err, result) end)
      return true, id
    end,
    notify = function(method, params)
      sent[#sent + 1] = { method = method, params = vim.deepcopy(params) }
      return true
    end,
    is_closing = function() return false end,
    terminate = function() end,
    pid = 1,
    handle = { is_closing = function() return false end, kill = function() end },
  }
end
-- Neovim 0.7 knows programs only.
cmd = server
if vim.fn.has('nvim-0.8') == 0 then
  cmd = { 'cat' }
  vim.lsp.rpc.start = function(_, _, d) return server(d) end
end
function clients(bufnr) return require('coauthor.client').all(bufnr) end

said = {}
vim.notify = function(text) said[#said + 1] = text end
function heard(text)
  return function() return table.concat(said, '\n'):find(text, 1, true) ~= nil end
end
