-- What the server reads now is shown whole, also when the user has typed since; and again when they type more.
local function texts_of(extra)
  return function(p)
    if p.uri ~= uri_a then return { fails = 'no texts' } end
    local base = 'one\ntyped by hand\n' .. extra .. 'three\n'
    local first = #vim.split(extra, '\n') + 1
    return { turnId = 't1', proposalId = p.proposalId, revision = 1, uri = uri_a, op = 'update', base = base,
      new = base .. 'at the end\n', hunks = { { number = 2, baseRange = lines(first + 1, first + 1), newRange = lines(first + 1, first + 2) } } }
  end
end
answers['coauthor/getTexts'] = texts_of('')
local fifth = proposal()
fifth.proposalId = 'p5'
answers['coauthor/getPending'] = function() return vim.deepcopy(fifth) end
vim.cmd('buffer ' .. a)
require('coauthor.review').forget_keys()
dispatch.notification('coauthor/pending', vim.deepcopy(fifth))
eventually('both texts are shown whole', function()
  return vim.deep_equal(sides(), { { 'one', 'typed by hand', 'three' }, { 'one', 'typed by hand', 'three', 'at the end' } })
end)
vim.api.nvim_win_set_cursor(0, { 4, 0 })
answers['coauthor/getTexts'] = texts_of('and more\n')
dispatch.notification('coauthor/pendingMoved', { turnId = 't1', proposalId = 'p5', revision = 1, uri = uri_a })
eventually('they follow what is typed', function() return vim.deep_equal(sides()[2], { 'one', 'typed by hand', 'and more', 'three', 'at the end' }) end)
is('the cursor stays', vim.api.nvim_win_get_cursor(0), { 4, 0 })
press('G')
press('dp')
eventually('dp in the new text applies', function() return #calls('coauthor.apply') == 6 end)
is('the hunk where it stands now', calls('coauthor.apply')[6].params.arguments[1].hunks, { 2 })
press('do')
eventually('do in it discards', function() return #calls('coauthor.discard') == 4 end)
is('the same one', calls('coauthor.discard')[4].params.arguments[1].hunks, { 2 })
dispatch.notification('coauthor/pending', vim.tbl_extend('force', fifth, { state = 'applied' }))
eventually('its preview is gone', function() return #vim.api.nvim_list_tabpages() == tabs end)
answers['coauthor/getTexts'] = nil

dispatch.notification('coauthor/pending', vim.tbl_extend('force', again, { state = 'discarded' })) -- as above
