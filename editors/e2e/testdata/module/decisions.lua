-- While the user types, nothing opens.
local real = vim.api.nvim_get_mode
vim.api.nvim_get_mode = function() return { mode = 'i' } end
again = proposal()
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

-- The preview begins with the file that the user is in; aa on it says what was not looked at, xx asks.
require('coauthor.config').current.preview.layout = 'split'
local third = proposal()
third.proposalId = 'p3'
third.files = { third.files[2], third.files[1] }
answers['coauthor/getPending'] = function() return third end
vim.cmd('buffer ' .. a)
require('coauthor.review').forget_keys()
dispatch.notification('coauthor/pending', vim.deepcopy(third))
eventually('opens', function() return #vim.api.nvim_list_tabpages() == tabs + 1 end)
is('with the file the user came from', bar(0):match('%d/%d %%<(.-) %(') ~= nil and bar(0):find('a.txt', 1, true) ~= nil, true)
is('the bar says that aa takes both', bar(0):find('aa apply all 2', 1, true) ~= nil, true)
local asked, reply = {}, 2
local real_select = vim.ui.select
vim.ui.select = function(items, opts, cb) asked[#asked + 1] = opts.prompt cb(items[reply]) end
press('xx')
is('xx asks', asked, { 'Discard the change in all 2 files?' })
is('and a no keeps it', #calls('coauthor.discard'), 2)
said = {}
press('aa')
eventually('aa applies', function() return #calls('coauthor.apply') == 5 end)
eventually('it says what', heard('applying all 2 files. Not viewed: '))
is('which', heard('new.txt')(), true)
dispatch.notification('window/showMessage', { type = 3, message = 'Coauthor: Applied to 2 files, not saved yet. Undo: :Coauthor undo.' })
eventually('both stay in the corner', function()
  local lines = notice.shown('unseen')
  return lines and lines[1]:find('Applied to 2 files', 1, true) and lines[2]:find('Not viewed: ', 1, true)
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
eventually('which is in view', function() return bar(0):find('1/1 %<', 1, true) ~= nil and bar(0):find('new.txt', 1, true) ~= nil end)
reply = 1
press('xx')
is('xx asks about one, too', asked[2], 'Discard the change?')
eventually('discarded', function() return #calls('coauthor.discard') == 3 end)
vim.ui.select = real_select
dispatch.notification('coauthor/pending', vim.tbl_extend('force', fourth, { state = 'discarded' }))
eventually('its preview is gone', function() return #vim.api.nvim_list_tabpages() == tabs end)

-- Answering a question of ours does not count as typing, whichever way it is answered.
local review = require('coauthor.review')
local real_forget, forgotten = review.forget_keys, 0
review.forget_keys = function() forgotten = forgotten + 1 real_forget() end
vim.ui.select = function(items, _, cb) cb(items[1]) end
if vim.fn.has('nvim-0.8') == 0 then vim.fn.inputlist = function() return 1 end end -- which asks without vim.ui
local picked
coroutine.wrap(function()
  picked = dispatch.server_request('window/showMessageRequest', { type = 3, message = 'Add cli.py?', actions = { { title = 'add' }, { title = 'skip' } } })
end)()
eventually('dialog answered', function() return picked ~= nil end)
is('its answer', picked, { title = 'add' })
is('is no typing', forgotten, 1)
local act = { title = 'Coauthor: skip it', command = 'coauthor.answer', arguments = { { questionId = 'q1', choice = 'skip' } } }
picked_action(act)
eventually('answered by the menu', function() return #calls('coauthor.answer') == 1 end)
is('with its arguments', calls('coauthor.answer')[1].params.arguments[1], { questionId = 'q1', choice = 'skip' })
is('is no typing either', forgotten, 2)
vim.cmd('Coauthor answer skip')
eventually('answered by the command', function() return #calls('coauthor.answer') == 2 end)
is('nor is that', forgotten, 3)
review.forget_keys = real_forget

-- What the server says is shown as it says it.
dispatch.notification('window/showMessage', { type = 2, message = 'Coauthor: No files changed: a.txt was edited at line 3.' })
eventually('conflict told', heard('Coauthor: No files changed: a.txt was edited at line 3.'))
