-- :checkhealth says which Neovim, which server and which model.
answers['workspace/executeCommand'] = function(p) return p.command == 'coauthor.status' and { model = 'gpt-x', lastError = 'it broke' } or { fails = 'no' } end
vim.cmd('checkhealth coauthor')
local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
is('health', { report:find('Neovim %d') ~= nil, report:find('server 1 for', 1, true) ~= nil, report:find('model: gpt-x', 1, true) ~= nil, report:find('last error: it broke', 1, true) ~= nil }, { true, true, true, true })
vim.cmd('bwipeout!')
answers['workspace/executeCommand'] = answer_of
vim.cmd('buffer ' .. a)
