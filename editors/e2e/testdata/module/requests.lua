-- An edit with a range and with the diagnostics of others, in UTF-16 units.
vim.cmd('buffer ' .. b)
vim.diagnostic.set(vim.api.nvim_create_namespace('other'), b, {
  { lnum = 0, col = 14, end_lnum = 0, end_col = 18, severity = 1, message = 'wrong', source = 'lint', code = 7 },
  { lnum = 1, col = 0, severity = 2, message = 'elsewhere' },
})
answers['workspace/executeCommand'] = function(p)
  if p.command == 'coauthor.edit' then return { turnId = 't1', status = 'started' } end
  if p.command == 'coauthor.fix' then return { status = 'none' } end
  if p.command == 'coauthor.ask' then asks = asks + 1 return { turnId = 't' .. asks, status = 'started' } end
  if p.command == 'coauthor.apply' then return { status = 'applied', files = { {}, {} } } end
  if p.command == 'coauthor.discard' then return { status = p.arguments[1].files and 'pending' or 'discarded' } end
  if p.command == 'coauthor.undoTurn' then return { status = 'conflict', files = { { path = 'a.txt', reason = 'line 3 changed' } } } end
  return { fails = 'nothing knows ' .. p.command }
end
vim.cmd('1,1Coauthor edit make it faster')
eventually('edit sent', function() return #calls('coauthor.edit') == 1 end)
local arg1 = calls('coauthor.edit')[1].params.arguments[1]
is('instruction', arg1.instruction, 'make it faster')
is('range', arg1.range, { start = { line = 0, character = 0 }, ['end'] = { line = 1, character = 0 } })
is('uri', arg1.uri, vim.uri_from_bufnr(b))
is('diagnostics of the range', arg1.diagnostics, { {
  range = { start = { line = 0, character = 10 }, ['end'] = { line = 0, character = 14 } },
  severity = 1, source = 'lint', code = 7, message = 'wrong',
} })
is('focus is told first', sent[#sent - 1].method == 'coauthor/didFocus' or last('coauthor/didFocus') ~= nil, true)

-- What all servers complain about is told as it changes, also that it is gone.
eventually('diagnostics are told', function()
  local told = last('coauthor/diagnostics')
  return told and told.uri == vim.uri_from_bufnr(b) and #told.diagnostics == 2 and told.diagnostics[1].message == 'wrong'
end)
vim.diagnostic.set(vim.api.nvim_create_namespace('other'), b, {})
eventually('that they are gone', function() return #last('coauthor/diagnostics').diagnostics == 0 end)

-- "fix" takes those of a range; without one the server knows which are meant.
vim.diagnostic.set(vim.api.nvim_create_namespace('other'), b, { { lnum = 1, col = 0, severity = 1, message = 'here' } })
vim.cmd('2,2Coauthor fix')
vim.cmd('Coauthor fix gently')
eventually('fix sent', function() return #calls('coauthor.fix') == 2 end)
is('of the range', calls('coauthor.fix')[1].params.arguments[1].diagnostics[1].message, 'here')
is('the new ones', { calls('coauthor.fix')[2].params.arguments[1].diagnostics, calls('coauthor.fix')[2].params.arguments[1].instruction }, { nil, 'gently' })
vim.diagnostic.set(vim.api.nvim_create_namespace('other'), b, {})

-- Without words vim.ui.input asks; cancelling sends nothing.
local prompts, say_next = {}, nil
vim.ui.input = function(opts, cb) prompts[#prompts + 1] = opts.prompt cb(say_next) end
vim.cmd('2Coauthor edit')
is('nothing without words', #calls('coauthor.edit'), 1)
is('prompt', prompts[1], 'Coauthor: Change selection: ')
say_next = 'shorter'
vim.cmd('Coauthor edit')
eventually('edit sent after the prompt', function() return #calls('coauthor.edit') == 2 end)
is('the whole file has no range', calls('coauthor.edit')[2].params.arguments[1].range, nil)
is('last line without break', require('coauthor.target').lines(b, 2, 2, 'utf-16')['end'], { line = 1, character = 4 })

-- The code action's command.
local client = clients()[1]
function picked_action(command)
  if client.exec_cmd then return client:exec_cmd(command, { bufnr = a }) end
  if client._exec_cmd then return client:_exec_cmd(command, { bufnr = a }) end
  client.commands[command.command](command, { bufnr = a, client_id = client.id, method = 'textDocument/codeAction' })
end
local exec = { title = 'x', command = 'coauthor.client.edit', arguments = { { uri = vim.uri_from_bufnr(a), range = { start = { line = 1, character = 0 }, ['end'] = { line = 2, character = 0 } } } } }
picked_action(exec)
eventually('client command', function() return #calls('coauthor.edit') == 3 end)
is('its range goes on', calls('coauthor.edit')[3].params.arguments[1].range, exec.arguments[1].range)

-- inputBox.
local answer
say_next = 'typed'
coroutine.wrap(function() answer = dispatch.server_request('coauthor/inputBox', { prompt = 'Why?' }) end)()
eventually('input box answered', function() return answer ~= nil end)
is('its value', answer, { value = 'typed' })
say_next, answer = nil, nil
coroutine.wrap(function() answer = dispatch.server_request('coauthor/inputBox', { prompt = 'Why?' }) end)()
eventually('input box cancelled', function() return answer == vim.NIL end)

-- An edit: what Neovim prints of it never takes more than the command line has, or the user would be asked for Enter.
local printed, print_of, applied = {}, print, nil
_G.print = function(...) printed[#printed + 1] = table.concat({ ... }, ' ') end
local function apply(version, label, text)
  local place = { line = 0, character = 0 }
  local edit = { textDocument = { uri = vim.uri_from_bufnr(a), version = version }, edits = { { range = { start = place, ['end'] = place }, newText = text } } }
  printed, applied = {}, nil
  coroutine.wrap(function() applied = dispatch.server_request('workspace/applyEdit', { label = label, edit = { documentChanges = { edit } } }) end)()
  eventually('edit answered', function() return applied ~= nil end)
end
local function line1() return vim.api.nvim_buf_get_lines(a, 0, 1, false)[1] end
apply(vim.lsp.util.buf_versions[a], 'Coauthor: be kind', 'kind ')
is('an edit is applied', { applied.applied, line1() }, { true, 'kind one' })
is('its label is printed', printed, { 'Workspace edit Coauthor: be kind' })
apply(vim.lsp.util.buf_versions[a], 'Coauthor: ' .. ('größer 𝛑 漢字 '):rep(20), 'very ')
is('so is one with a long label', { applied.applied, line1() }, { true, 'very kind one' })
is('as far as there is room', vim.fn.strdisplaywidth(printed[1]) <= vim.v.echospace and printed[1]:match('^Workspace edit Coauthor: größer') ~= nil and printed[1]:sub(-3), '…')
apply(vim.lsp.util.buf_versions[a] - 1, nil, 'less ')
is('one of an older text is not', { applied.applied, line1() }, { false, 'very kind one' })
is('which the server is told, and nothing is printed', { type(applied.failureReason), printed }, { 'string', {} })
_G.print = print_of
vim.api.nvim_buf_set_lines(a, 0, 1, false, { 'one' })

-- Words behind a command that the module has no own way for: what they are, the server's table says.
answer_of = answers['workspace/executeCommand']
answers['workspace/executeCommand'] = function() return { status = 'none' } end
vim.cmd('Coauthor rewind 3')
vim.cmd('Coauthor review')
vim.cmd('Coauthor switch  two words')
local function behind(command)
  local call = calls('coauthor.' .. command)[1]
  return call and vim.list_extend({ type(call.params.arguments[1].uri), tostring(call.params.arguments[1].instruction) }, call.params.arguments, 2)
end
eventually('they are sent', function() return #calls('coauthor.switch') == 1 end)
is('a number', behind('rewind'), { 'string', 'nil', '3' })
is('none', behind('review'), { 'string', 'nil' })
is('several are one', behind('switch'), { 'string', 'nil', 'two words' })
answers['workspace/executeCommand'] = answer_of

-- What stands on the screen is told.
vim.cmd('buffer ' .. a)
vim.cmd('split ' .. work .. '/b.txt')
eventually('both are visible', function()
  local told = last('coauthor/didFocus')
  return told and told.uri == vim.uri_from_bufnr(b) and vim.tbl_count(told.visible or {}) == 2
end)
vim.cmd('close')
eventually('one is', function() return vim.deep_equal(last('coauthor/didFocus').visible, { uri_a }) end)

-- Errors and unknown words.
vim.cmd('Coauthor status')
eventually('error shown', heard('nothing knows coauthor.status'))
vim.cmd('Coauthor nonsense')
eventually('unknown word', heard('unknown command "nonsense"'))

-- Other language servers are asked for the server, as far as a handler can wait for them.
local asked_others = {}
local function other_server(_)
  return {
    request = function(method, params, callback)
      local result = vim.NIL
      if method == 'initialize' then
        result = { capabilities = { definitionProvider = true, referencesProvider = true, hoverProvider = true, positionEncoding = 'utf-8', textDocumentSync = 1 } }
      elseif method == 'textDocument/definition' then
        result = { { targetUri = uri_a, targetRange = { start = { line = 0, character = 0 }, ['end'] = { line = 9, character = 0 } }, targetSelectionRange = { start = { line = 2, character = 0 }, ['end'] = { line = 2, character = 3 } } } }
      elseif method == 'textDocument/references' then
        result = {}
      elseif method == 'textDocument/hover' then
        result = { contents = { kind = 'markdown', value = 'what it is' } }
      end
      asked_others[method] = params
      vim.schedule(function() callback(nil, result) end)
      return true, 1
    end,
    notify = function() return true end,
    is_closing = function() return false end,
    terminate = function() end,
  }
end
local function look_up(params)
  local found
  coroutine.wrap(function() found = dispatch.server_request('coauthor/lookUp', params) end)()
  eventually('looked up ' .. params.what, function() return found ~= nil end)
  return found
end
local uri_b = vim.uri_from_bufnr(b)
local place = { line = 0, character = 10 } -- behind a letter that is two units and four bytes
if vim.fn.has('nvim-0.10') == 1 then
  is('no other server', look_up({ what = 'definition', uri = uri_b, position = place }), vim.NIL)
  vim.lsp.start({ name = 'other', cmd = other_server, root_dir = work, offset_encoding = 'utf-8' }, { bufnr = b })
  eventually('it runs', function() return #vim.lsp.get_clients({ name = 'other', bufnr = b }) == 1 and vim.lsp.get_clients({ name = 'other' })[1].initialized end)
  is('definition', look_up({ what = 'definition', uri = uri_b, position = place }),
    { locations = { { uri = uri_a, range = { start = { line = 2, character = 0 }, ['end'] = { line = 2, character = 3 } } } } })
  is('in its own units', asked_others['textDocument/definition'].position, { line = 0, character = clients()[1].offset_encoding == 'utf-8' and 10 or 14 })
  is('hover', look_up({ what = 'hover', uri = uri_b, position = place }), { text = 'what it is' })
  is('nothing known', look_up({ what = 'references', uri = uri_b, position = place }), vim.NIL)
  vim.lsp.get_clients({ name = 'other' })[1]:stop(true)
end
local complaints = vim.api.nvim_create_namespace('complaints')
vim.diagnostic.set(complaints, a, { { lnum = 1, col = 0, end_lnum = 1, end_col = 3, message = 'bad', severity = 1, source = 'lint' } })
local files = look_up({ what = 'diagnostics' }).files
is('diagnostics', { #files, files[1].uri, files[1].diagnostics[1].message, files[1].diagnostics[1].source }, { 1, uri_a, 'bad', 'lint' })
vim.diagnostic.reset(complaints, a)
