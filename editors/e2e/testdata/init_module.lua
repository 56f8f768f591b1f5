-- The user's init.lua with the module.
-- No plug-in in Python: to look for it at the first Python file starts several interpreters.
vim.g.loaded_python3_provider = 0
local parsers = vim.env.COAUTHOR_TEST_PARSERS
vim.opt.runtimepath:prepend(vim.env.COAUTHOR_TEST_PLUGIN)
vim.opt.runtimepath:append(parsers)
vim.o.swapfile, vim.o.more, vim.o.hidden = false, false, true
vim.opt.shortmess:append('FI')
vim.o.laststatus = 2
vim.o.statusline = "%f %m%=%{v:lua.require'coauthor'.statusline()}"
require('coauthor').setup({})
