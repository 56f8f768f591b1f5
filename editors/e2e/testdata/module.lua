-- Unit tests of the Lua module, in one Neovim, against a server that is a Lua function here.
-- nvim --headless --clean -l module.lua PLUGIN-FOLDER WORK-FOLDER
local plugin, work = arg[1], arg[2]
vim.opt.runtimepath:prepend(plugin)
if vim.env.COAUTHOR_TEST_PARSERS then
  vim.opt.runtimepath:append(vim.env.COAUTHOR_TEST_PARSERS)
end
vim.cmd('runtime plugin/coauthor.lua')
vim.o.swapfile = false
vim.o.hidden = true
-- Not 'columns': changing it in a script given with -l makes Neovim 0.12 write beyond its screen.

local failed, passed = 0, 0
local function show(v) return (vim.inspect(v):gsub('%s+', ' ')) end
local function is(what, got, want)
  if vim.deep_equal(got, want) then passed = passed + 1 return end
  failed = failed + 1
  io.stderr:write(('FAIL %s\n  got  %s\n  want %s\n'):format(what, show(got), show(want)))
end
local function eventually(what, ok)
  if vim.wait(10000, ok, 5) then passed = passed + 1 return end
  failed = failed + 1
  io.stderr:write(('FAIL never: %s\n%s\n'):format(what, vim.fn.execute('messages')))
end

-- The fake server: records what it is sent, answers from `answers`.
local sent, answers, dispatch = {}, {}, nil
local function last(method)
  for i = #sent, 1, -1 do if sent[i].method == method then return sent[i].params end end
end
local function calls(command)
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
  }
end

-- Mistakes in the options are sentences.
local config = require('coauthor.config')
for _, case in ipairs({
  { { foo = 1 }, 'coauthor.setup: unknown option "foo"' },
  { { preview = { layout = 'x' } }, 'coauthor.setup: preview.layout must be one of split, unified, none' },
  { { preview = 3 }, 'coauthor.setup: preview must be a table, not a number' },
  { { keys = { apply = 3 } }, 'coauthor.setup: keys.apply must be a string, not a number' },
}) do
  local ok, err = pcall(config.merge, case[1])
  is('mistake in the options', { ok, err }, { false, case[2] })
end
is('a key can be left out', config.merge({ keys = { apply = false } }).keys.apply, false)

local said = {}
vim.notify = function(text) said[#said + 1] = text end
local function heard(text)
  return function() return table.concat(said, '\n'):find(text, 1, true) ~= nil end
end

-- Start.
vim.fn.mkdir(work .. '/.git', 'p')
local function put(name, text) local f = assert(io.open(work .. '/' .. name, 'w')) f:write(text) f:close() end
put('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n')
put('b.txt', 'größer 𝛑 ende\nzwei\n')
require('coauthor').setup({ cmd = server, settings = { model = 'm' } })
vim.cmd.edit(work .. '/a.txt')
local a = vim.api.nvim_get_current_buf()
eventually('attached', function() return #vim.lsp.get_clients({ name = 'coauthor', bufnr = a }) == 1 and last('textDocument/didOpen') end)
local init = last('initialize')
is('announced', init.capabilities.experimental.coauthor, { inputBox = true, pending = true, stream = true, turn = true })
is('options', init.initializationOptions, { hasInput = true, client = 'neovim-module', settings = { model = 'm' } })
is('root', init.rootUri, vim.uri_from_fname(work))
is('usual capabilities stay', init.capabilities.workspace.applyEdit, true)
vim.cmd.edit(work .. '/b.txt')
local b = vim.api.nvim_get_current_buf()
eventually('attached to b', function() return #vim.lsp.get_clients({ name = 'coauthor', bufnr = b }) == 1 end)
is('one server', #vim.lsp.get_clients({ name = 'coauthor' }), 1)
vim.cmd('enew')
vim.bo.filetype = 'text'
is('no server for a nameless buffer', #vim.lsp.get_clients({ name = 'coauthor', bufnr = 0 }), 0)

-- An edit with a range and with the diagnostics of others, in UTF-16 units.
vim.cmd.buffer(b)
vim.diagnostic.set(vim.api.nvim_create_namespace('other'), b, {
  { lnum = 0, col = 14, end_lnum = 0, end_col = 18, severity = 1, message = 'wrong', source = 'lint', code = 7 },
  { lnum = 1, col = 0, severity = 2, message = 'elsewhere' },
})
answers['workspace/executeCommand'] = function(p)
  if p.command == 'coauthor.edit' then return { turnId = 't1', status = 'started' } end
  if p.command == 'coauthor.fix' then return { status = 'none' } end
  if p.command == 'coauthor.ask' then return { turnId = 't2', status = 'started' } end
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
local client = vim.lsp.get_clients({ name = 'coauthor' })[1]
local exec = { title = 'x', command = 'coauthor.client.edit', arguments = { { uri = vim.uri_from_bufnr(a), range = { start = { line = 1, character = 0 }, ['end'] = { line = 2, character = 0 } } } } }
if client.exec_cmd then client:exec_cmd(exec, { bufnr = a }) else client:_exec_cmd(exec, { bufnr = a }) end
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

-- Turns and the statusline.
local echoed = {}
local real_echo = vim.api.nvim_echo
vim.api.nvim_echo = function(chunks) echoed[#echoed + 1] = chunks[1][1] end
for i = 1, 3 do -- the server sends the line once a second, also while the model is silent
  local line = ('Waiting for gpt-5 · %d s'):format(i)
  dispatch.notification('coauthor/turn', { turnId = 't1', state = 'requesting', label = 'make it faster', message = line })
  eventually('statusline', function() return require('coauthor').statusline() == 'coauthor: ' .. line end)
end
is('the message line moves, too', echoed, { 'coauthor: Waiting for gpt-5 · 1 s', 'coauthor: Waiting for gpt-5 · 2 s', 'coauthor: Waiting for gpt-5 · 3 s' })
vim.api.nvim_echo = real_echo
dispatch.notification('coauthor/turn', { turnId = 't1', state = 'proposed' })

-- A proposal over two files; preview, keys, parts.
local uri_a, uri_n = vim.uri_from_fname(work .. '/a.txt'), vim.uri_from_fname(work .. '/new.txt')
local function lines(n, m) return { start = { line = n, character = 0 }, ['end'] = { line = m, character = 0 } } end
local function proposal(state)
  return { turnId = 't1', proposalId = 'p1', revision = 1, state = state or 'pending', files = {
    { uri = uri_a, op = 'update', added = 2, removed = 1, hunks = {
      { number = 1, oldRange = lines(1, 2), oldText = 'two\n', newText = 'TWO\nTWO AND A HALF\n' },
      { number = 2, oldRange = lines(8, 8), oldText = '', newText = 'before nine\n' },
    } },
    { uri = uri_n, op = 'create', added = 1, removed = 0, hunks = {
      { number = 1, oldRange = lines(0, 0), oldText = '', newText = 'brand new\n' } } },
  } }
end
answers['coauthor/getPending'] = function() return proposal() end
vim.cmd.buffer(a)
local tabs = #vim.api.nvim_list_tabpages()
dispatch.notification('coauthor/pending', proposal())
eventually('preview opens', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
is('it asked for the hunks', last('coauthor/getPending'), { turnId = 't1', proposalId = 'p1' })
local function sides()
  local t = {}
  for _, w in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    t[#t + 1] = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(w), 0, -1, false)
  end
  return t
end
is('side by side', sides(), {
  { 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten' },
  { 'one', 'TWO', 'TWO AND A HALF', 'three', 'four', 'five', 'six', 'seven', 'eight', 'before nine', 'nine', 'ten' },
})
is('diff mode', vim.wo.diff, true)
is('cannot be edited', vim.bo.modifiable, false)
is('pending in the statusline', require('coauthor').statusline(), 'coauthor: 2 files pending, :Coauthor show')
local function press(keys) vim.api.nvim_feedkeys(vim.keycode(keys), 'xm', false) end
press(']f')
is('the new file', sides(), { { '' }, { 'brand new' } })
press('gX')
eventually('one file discarded', function() return #calls('coauthor.discard') == 1 end)
is('which', calls('coauthor.discard')[1].params.arguments[1], { turnId = 't1', proposalId = 'p1', revision = 1, files = { uri_n } })
press('[f')
vim.api.nvim_win_set_cursor(0, { 10, 0 })
press('gh')
eventually('one hunk applied', function() return #calls('coauthor.apply') == 1 end)
is('which hunk', calls('coauthor.apply')[1].params.arguments[1].hunks, { 2 })
press('gt')
local function shown() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
local diff = shown()
is('unified diff', vim.list_slice(diff, 1, 19), {
  diff[1], diff[2],
  '@@ -1,10 +1,12 @@', ' one', '-two', '+TWO', '+TWO AND A HALF', ' three', ' four', ' five', ' six', ' seven', ' eight',
  '+before nine', ' nine', ' ten', '--- /dev/null', diff[18], '@@ -0,0 +1,1 @@',
})
is('it ends', diff[20], '+brand new')
is('names', { diff[1]:match('a/.*a%.txt$') ~= nil, diff[18]:match('^%+%+%+ b/.*new%.txt$') ~= nil }, { true, true })
vim.api.nvim_win_set_cursor(0, { 20, 0 })
press('gA')
eventually('file applied from the unified diff', function() return #calls('coauthor.apply') == 2 end)
is('the file under the cursor', calls('coauthor.apply')[2].params.arguments[1].files, { uri_n })
press('ga')
eventually('all applied', function() return #calls('coauthor.apply') == 3 end)
is('exactly what was shown', calls('coauthor.apply')[3].params.arguments[1], { turnId = 't1', proposalId = 'p1', revision = 1 })
eventually('preview closes', function() return #vim.api.nvim_list_tabpages() == tabs end)
eventually('it says how much it takes', heard('applying all 2 files'))
is('all of it was looked at', heard('Not looked at')(), false)
dispatch.notification('window/showMessage', { type = 3, message = 'Coauthor: Applied to 2 files, not saved yet. Undo: :Coauthor undo.' })
eventually('outcome', heard('Coauthor: Applied to 2 files'))
dispatch.notification('coauthor/pending', proposal('applied'))
is('nothing pending', require('coauthor').statusline(), '')

-- A slow apply is answered at once; its outcome comes with the proposal's state.
local answer_of = answers['workspace/executeCommand']
answers['workspace/executeCommand'] = function() return { status = 'started' } end
local function slow(state) return vim.tbl_extend('force', proposal(state), { proposalId = 'slow' }) end
answers['coauthor/getPending'] = function() return slow() end
dispatch.notification('coauthor/pending', slow())
eventually('its preview opens', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
said = {}
vim.cmd('Coauthor apply')
eventually('under way', heard('working on it'))
dispatch.notification('coauthor/pending', slow('applying'))
dispatch.notification('coauthor/pending', slow('applied'))
answers['workspace/executeCommand'] = answer_of
eventually('its preview is closed', function() return #vim.api.nvim_list_tabpages() == tabs end)

-- Words behind a command that the module has no own way for: what they are, the server's table says.
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

-- What the user typed since is not shown as if the model had seen it.
vim.api.nvim_buf_set_lines(a, 1, 2, false, { 'typed by hand' })
local view = require('coauthor.view')
local part = view.sides(proposal().files[1])
is('partial sides', part, { before = { 'two', '…' }, after = { 'TWO', 'TWO AND A HALF', '…', 'before nine' }, partial = true })
is('partial diff', (view.unified(proposal()))[3], '@@ -2,1 +2,2 @@')

-- What the checks say against a change stands before it, in both layouts.
local warned = proposal()
warned.proposalId, warned.warnings = 'w1', { 'a.txt, line 2: 100% wrong' }
warned.verdict = 'syntax ✓, 50% of 2 tests ✓'
is('warnings before the diff', (view.unified(warned))[1], '# warning: a.txt, line 2: 100% wrong')
is('what was checked before the diff', (view.unified(warned))[2], '# checked: syntax ✓, 50% of 2 tests ✓')
answers['coauthor/getPending'] = function() return warned end
dispatch.notification('coauthor/pending', vim.deepcopy(warned))
eventually('its preview opens', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
if #vim.api.nvim_tabpage_list_wins(0) == 1 then press("gt") end
local bars = vim.tbl_map(function(win) return vim.wo[win].winbar end, vim.api.nvim_tabpage_list_wins(0))
is('what was checked above the old side', table.concat(bars):find('%=%<syntax ✓, 50%% of 2 tests ✓', 1, true) ~= nil, true)
is('warnings above the old side', table.concat(bars):match('WARNING: (.-)%%<'), 'a.txt, line 2: 100%% wrong')
press('q')
eventually('and closes', function() return #vim.api.nvim_list_tabpages() == tabs end)
local dropped = proposal('discarded')
dropped.proposalId = 'w1'
dispatch.notification('coauthor/pending', dropped)

-- While the user types, nothing opens.
local real = vim.api.nvim_get_mode
vim.api.nvim_get_mode = function() return { mode = 'i' } end
local again = proposal()
again.proposalId = 'p2'
answers['coauthor/getPending'] = function() return again end
dispatch.notification('coauthor/pending', vim.deepcopy(again))
eventually('said instead', heard('A change is ready: 2 files, +3 -1. :Coauthor show'))
vim.api.nvim_get_mode = real
local notice = require('coauthor.notice')
eventually('and in the corner', function() return notice.shown('p2') ~= nil end)
vim.api.nvim_echo({ { 'something else' } }, false, {})
is('where it stays', notice.shown('p2'), { ' Coauthor: A change is ready: 2 files, +3 -1. :Coauthor show ' })
is('no window', #vim.api.nvim_list_tabpages(), tabs)
vim.cmd('Coauthor show')
eventually('shown when asked', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
is('the corner is free', notice.shown('p2'), nil)
is('completes pending files', #vim.fn.getcompletion('Coauthor apply ', 'cmdline'), 2)
press('q')
eventually('closed, still pending', function() return #vim.api.nvim_list_tabpages() == tabs end)
is('still pending', require('coauthor').statusline(), 'coauthor: 2 files pending, :Coauthor show')
vim.cmd('Coauthor discard')
eventually('discarded', function() return #calls('coauthor.discard') == 2 end)
is('the pending one', calls('coauthor.discard')[2].params.arguments[1].proposalId, 'p2')

-- The preview begins with the file that the user is in; ga on it says what was not looked at, gx asks.
require('coauthor.config').current.preview.layout = 'split'
local third = proposal()
third.proposalId = 'p3'
third.files = { third.files[2], third.files[1] }
answers['coauthor/getPending'] = function() return third end
vim.cmd.buffer(a)
require('coauthor.review').forget_keys()
dispatch.notification('coauthor/pending', vim.deepcopy(third))
eventually('opens', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
is('with the file the user came from', vim.wo.winbar:match('%d/%d %%<(.-) %(') ~= nil and vim.wo.winbar:find('a.txt', 1, true) ~= nil, true)
is('the bar says that ga takes both', vim.wo.winbar:find('ga apply all 2', 1, true) ~= nil, true)
local asked, reply = {}, 2
local real_confirm = vim.fn.confirm
vim.fn.confirm = function(text) asked[#asked + 1] = text return reply end
press('gx')
is('gx asks', asked, { 'Discard the change in all 2 files?' })
is('and a no keeps it', #calls('coauthor.discard'), 2)
said = {}
press('ga')
eventually('ga applies', function() return #calls('coauthor.apply') == 5 end)
eventually('it says what', heard('applying all 2 files. Not looked at: '))
is('which', heard('new.txt')(), true)
dispatch.notification('window/showMessage', { type = 3, message = 'Coauthor: Applied to 2 files, not saved yet. Undo: :Coauthor undo.' })
eventually('both stay in the corner', function()
  local lines = notice.shown('unseen')
  return lines and lines[1]:find('Applied to 2 files', 1, true) and lines[2]:find('Not looked at: ', 1, true)
end)
notice.close()
dispatch.notification('coauthor/pending', vim.tbl_extend('force', third, { state = 'applied' }))
eventually('its preview is gone', function() return #vim.api.nvim_list_tabpages() == tabs end)

-- Counts follow what is still open.
local fourth = proposal()
fourth.proposalId = 'p4'
answers['coauthor/getPending'] = function() return vim.deepcopy(fourth) end
require('coauthor.review').forget_keys()
dispatch.notification('coauthor/pending', vim.deepcopy(fourth))
eventually('opens', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
fourth.files[1].hunks[1].state, fourth.files[1].hunks[2].state = 'landed', 'landed'
dispatch.notification('coauthor/pending', vim.deepcopy(fourth))
eventually('one is left', function() return require('coauthor').statusline() == 'coauthor: 1 file pending, :Coauthor show' end)
eventually('which is in view', function() return vim.wo.winbar:find('1/1 %<', 1, true) ~= nil and vim.wo.winbar:find('new.txt', 1, true) ~= nil end)
reply = 1
press('gx')
is('gx asks about one, too', asked[2], 'Discard the change?')
eventually('discarded', function() return #calls('coauthor.discard') == 3 end)
vim.fn.confirm = real_confirm
dispatch.notification('coauthor/pending', vim.tbl_extend('force', fourth, { state = 'discarded' }))
eventually('its preview is gone', function() return #vim.api.nvim_list_tabpages() == tabs end)

-- Answering a question of ours does not count as typing, whichever way it is answered.
local review = require('coauthor.review')
local real_forget, forgotten = review.forget_keys, 0
review.forget_keys = function() forgotten = forgotten + 1 real_forget() end
vim.ui.select = function(items, _, cb) cb(items[1]) end
local picked
coroutine.wrap(function()
  picked = dispatch.server_request('window/showMessageRequest', { type = 3, message = 'Add cli.py?', actions = { { title = 'add' }, { title = 'skip' } } })
end)()
eventually('dialog answered', function() return picked ~= nil end)
is('its answer', picked, { title = 'add' })
is('is no typing', forgotten, 1)
local act = { title = 'Coauthor: skip it', command = 'coauthor.answer', arguments = { { questionId = 'q1', choice = 'skip' } } }
if client.exec_cmd then client:exec_cmd(act, { bufnr = a }) else client:_exec_cmd(act, { bufnr = a }) end
eventually('answered by the menu', function() return #calls('coauthor.answer') == 1 end)
is('with its arguments', calls('coauthor.answer')[1].params.arguments[1], { questionId = 'q1', choice = 'skip' })
is('is no typing either', forgotten, 2)
vim.cmd('Coauthor answer skip')
eventually('answered by the command', function() return #calls('coauthor.answer') == 2 end)
is('nor is that', forgotten, 3)
review.forget_keys = real_forget

-- What the server says is shown as it says it.
dispatch.notification('window/showMessage', { type = 2, message = 'Coauthor: Nothing was changed: a.txt was edited at line 3.' })
eventually('conflict told', heard('Coauthor: Nothing was changed: a.txt was edited at line 3.'))

-- Ask: the answer streams into a window.
vim.cmd('Coauthor ask why is that?')
eventually('ask sent', function() return #calls('coauthor.ask') == 1 end)
for i, piece in ipairs({ 'Because it ', 'is so.\n\n', 'Really.' }) do
  dispatch.notification('coauthor/stream', { turnId = 't2', seq = i, delta = piece, channel = 'answer' })
end
dispatch.notification('coauthor/stream', { turnId = 't2', seq = 4, delta = 'secret thoughts', channel = 'reasoning' })
local function answer_lines()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buf):match('coauthor://answer/t2') then
      return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
    end
  end
end
eventually('answer', function() return vim.deep_equal(answer_lines(), { '> why is that?', '', 'Because it is so.', '', 'Really.' }) end)
is('the cursor stays', vim.api.nvim_get_current_buf(), a)

-- Errors and unknown words.
vim.cmd('Coauthor status')
eventually('error shown', heard('nothing knows coauthor.status'))
vim.cmd('Coauthor nonsense')
eventually('unknown word', heard('there is no command "nonsense"'))
dispatch.notification('coauthor/turn', { turnId = 't2', state = 'failed', message = 'No key. Set one.' })
eventually('failure in the answer', function() return table.concat(answer_lines(), ' '):find('*Failed: No key. Set one.*', 1, true) ~= nil end)

io.stderr:write(('%d passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
