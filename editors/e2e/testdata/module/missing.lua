-- Without the program the module says so, first of all and at each command, with the way to get it; nothing asks for an
-- instruction that nobody would carry out.
local said = {}
local real_notify, real_input = vim.notify, vim.ui.input
vim.notify = function(text) said[#said + 1] = text end
local asked = 0
vim.ui.input = function() asked = asked + 1 end
vim.fn.mkdir(work .. '/.git', 'p')
require('coauthor').setup({ cmd = { 'no-such-program', 'serve' } })
local function told(what)
  eventually(what .. ': said', function() return #said > 0 end)
  local first = said[1] or ''
  is(what, { first:find('cannot find the program no-such-program', 1, true) ~= nil, first:find('go install ./cmd/coauthor', 1, true) ~= nil, first:find('/path/to/coauthor', 1, true) ~= nil, #said }, { true, true, true, 1 })
  said = {}
end
vim.cmd('enew')
for _, line in ipairs({ 'edit make it right', 'ask why?', 'edit', 'chat', 'show', 'apply', 'discard', 'undo', 'cancel', 'status', 'doctor', 'fix', 'followup more' }) do
  vim.cmd('Coauthor ' .. line)
  told(':Coauthor ' .. line .. ' without a file')
end
vim.cmd('edit ' .. work .. '/first.txt')
told('the first file')
vim.cmd('edit ' .. work .. '/second.txt')
vim.wait(50)
is('the second file says it no more', said, {})
vim.cmd('Coauthor edit')
told(':Coauthor edit in a file')
is('nobody was asked', asked, 0)
vim.cmd('silent! %bwipeout!')
vim.notify, vim.ui.input = real_notify, real_input
