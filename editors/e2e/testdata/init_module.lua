-- The user's init.lua with the module.
local parsers = vim.env.COAUTHOR_TEST_PARSERS
vim.opt.runtimepath:prepend(vim.env.COAUTHOR_TEST_PLUGIN)
vim.opt.runtimepath:append(parsers)
vim.o.swapfile, vim.o.more, vim.o.hidden = false, false, true
vim.opt.shortmess:append('FI')
vim.o.laststatus = 2
vim.o.statusline = "%f %m%=%{v:lua.require'coauthor'.statusline()}"
require('coauthor').setup({})
