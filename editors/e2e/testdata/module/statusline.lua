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
