-- A proposal over two files; preview, keys, parts.
local uri_n = vim.uri_from_fname(work .. '/new.txt')
function lines(n, m) return { start = { line = n, character = 0 }, ['end'] = { line = m, character = 0 } } end
function proposal(state)
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
vim.cmd('buffer ' .. a)
tabs = #vim.api.nvim_list_tabpages()
dispatch.notification('coauthor/pending', proposal())
eventually('preview opens', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
is('it asked for the hunks', last('coauthor/getPending'), { turnId = 't1', proposalId = 'p1' })
function sides()
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
function bar(win)
  return vim.api.nvim_win_call(win, function()
    return vim.fn.has('nvim-0.8') == 1 and vim.opt_local.winbar:get() or vim.opt_local.statusline:get()
  end)
end
function press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), 'xm', false)
  if old then require('coauthor.review').forget_keys() end -- which takes these keys for typed ones
end
press(']f')
is('the new file', sides(), { { '' }, { 'brand new' } })
press('xf')
eventually('one file discarded', function() return #calls('coauthor.discard') == 1 end)
is('which', calls('coauthor.discard')[1].params.arguments[1], { turnId = 't1', proposalId = 'p1', revision = 1, files = { uri_n } })
press('[f')
vim.api.nvim_win_set_cursor(0, { 10, 0 })
press('ah')
eventually('one hunk applied', function() return #calls('coauthor.apply') == 1 end)
is('which hunk', calls('coauthor.apply')[1].params.arguments[1].hunks, { 2 })
press('o')
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
press('af')
eventually('file applied from the unified diff', function() return #calls('coauthor.apply') == 2 end)
is('the file under the cursor', calls('coauthor.apply')[2].params.arguments[1].files, { uri_n })
press('aa')
eventually('all applied', function() return #calls('coauthor.apply') == 3 end)
is('exactly what was shown', calls('coauthor.apply')[3].params.arguments[1], { turnId = 't1', proposalId = 'p1', revision = 1 })
eventually('preview closes', function() return #vim.api.nvim_list_tabpages() == tabs end)
eventually('it says how much it takes', heard('applying all 2 files'))
is('all of it was looked at', heard('Not viewed')(), false)
dispatch.notification('window/showMessage', { type = 3, message = 'Coauthor: Applied to 2 files, not saved yet. Undo: :Coauthor undo.' })
eventually('outcome', heard('Coauthor: Applied to 2 files'))
dispatch.notification('coauthor/pending', proposal('applied'))
is('nothing pending', require('coauthor').statusline(), '')

-- A slow apply is answered at once; its outcome comes with the proposal's state.
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

-- What the user typed since is not shown as if the model had seen it.
vim.api.nvim_buf_set_lines(a, 1, 2, false, { 'typed by hand' })
local view = require('coauthor.view')
local part = view.sides(proposal().files[1])
is('partial sides', { before = part.before, after = part.after, partial = part.partial }, { before = { 'two', '…' }, after = { 'TWO', 'TWO AND A HALF', '…', 'before nine' }, partial = true })
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
if #vim.api.nvim_tabpage_list_wins(0) == 1 then press('o') end
local bars = vim.tbl_map(bar, vim.api.nvim_tabpage_list_wins(0))
is('what was checked above the old side', table.concat(bars):find('%=%<syntax ✓, 50%% of 2 tests ✓', 1, true) ~= nil, true)
is('warnings above the old side', table.concat(bars):match('WARNING: (.-)%%<'), 'a.txt, line 2: 100%% wrong')
press('q')
eventually('and closes', function() return #vim.api.nvim_list_tabpages() == tabs end)
local dropped = proposal('discarded')
dropped.proposalId = 'w1'
dispatch.notification('coauthor/pending', dropped)
