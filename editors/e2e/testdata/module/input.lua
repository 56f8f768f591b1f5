-- A window for several lines, and what was written before.
require('coauthor.config').current.input.multiline = true
local given
require('coauthor.input').ask({ prompt = 'Change file', multiline = true, history = { 'long ago' } }, function(text) given = text end)
press('<C-p>')
is('the last instruction', vim.api.nvim_buf_get_lines(0, 0, -1, false), vim.split(require('coauthor.input').history[#require('coauthor.input').history], '\n'))
press('<C-n>')
vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'first line', 'second line' })
press('<CR>')
eventually('both lines are taken', function() return given == 'first line\nsecond line' end)
require('coauthor.config').current.input.multiline = false
vim.cmd('stopinsert')
