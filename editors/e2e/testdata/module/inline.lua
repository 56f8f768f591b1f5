-- Drawn into the text: no window, the old lines coloured, the new ones below, keys only while it is there.
require('coauthor.config').current.preview.layout = 'inline'
vim.cmd('buffer ' .. a)
vim.keymap.set('n', 'gza', ':let g:mine = 1<CR>', { buffer = a })
local seventh = vim.tbl_extend('force', proposal(), { turnId = 't7', proposalId = 'p7' })
answers['coauthor/getPending'] = function() return vim.deepcopy(seventh) end
local ns = vim.api.nvim_get_namespaces()['coauthor.inline']
local notice = require('coauthor.notice')
local function drawn()
  local found = {}
  for _, m in ipairs(vim.api.nvim_buf_get_extmarks(a, ns, 0, -1, { details = true })) do
    if m[4].virt_lines then
      found[#found + 1] = { m[2] + 1, vim.tbl_map(function(l) return l[1][1] end, m[4].virt_lines) }
    end
  end
  return found
end
dispatch.notification('coauthor/pending', vim.deepcopy(seventh))
eventually('it is drawn', function() return #drawn() == 2 end)
is('below the lines that go', drawn(), { { 2, { 'TWO', 'TWO AND A HALF' } }, { 8, { 'before nine' } } })
is('in no window of its own', #vim.api.nvim_list_tabpages(), tabs)
is('the text is untouched', vim.api.nvim_buf_get_lines(a, 0, 3, false), { 'one', 'two', 'three' })
is('the corner says what there is', notice.shown('p7'), { ' Coauthor: 2 files, +3 -1. gza here, gzA all, gzX discard ' })
vim.api.nvim_win_set_cursor(0, { 1, 0 })
press(']c')
is('to the first place', vim.api.nvim_win_get_cursor(0)[1], 2)
press(']c')
is('to the second', vim.api.nvim_win_get_cursor(0)[1], 8)
press('gza')
eventually('it is applied', function() return #calls('coauthor.apply') == 8 end)
is('the place at the cursor', calls('coauthor.apply')[8].params.arguments[1].hunks, { 2 })
press('[c')
press('gzx')
eventually('the other one is discarded', function() return #calls('coauthor.discard') == 5 end)
is('which', calls('coauthor.discard')[5].params.arguments[1].hunks, { 1 })
dispatch.notification('coauthor/pending', vim.tbl_extend('force', seventh, { state = 'discarded' }))
eventually('nothing is drawn any more', function() return #drawn() == 0 end)
is('the user has their key back', vim.fn.maparg('gza', 'n'), ':let g:mine = 1<CR>')
is('and no other', vim.fn.maparg('gzA', 'n'), '')
is('the corner is free again', notice.shown('p7'), nil)
vim.keymap.del('n', 'gza', { buffer = a })
require('coauthor.config').current.preview.layout = 'split'
