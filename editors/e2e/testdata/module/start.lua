-- The server starts once for the files of a project.
vim.fn.mkdir(work .. '/.git', 'p')
local function put(name, text) local f = assert(io.open(work .. '/' .. name, 'w')) f:write(text) f:close() end
put('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n')
put('b.txt', 'größer 𝛑 ende\nzwei\n')
require('coauthor').setup({ cmd = cmd, settings = { model = 'm' } })
vim.cmd('edit ' .. work .. '/a.txt')
a = vim.api.nvim_get_current_buf()
eventually('attached', function() return #clients(a) == 1 and last('textDocument/didOpen') end)
local init = last('initialize')
is('announced', init.capabilities.experimental.coauthor, { draft = true, inputBox = true, lookUp = true, pending = true, progress = true, stream = true, streamEdits = true, turn = true })
is('options', init.initializationOptions, { hasInput = true, client = 'neovim-module', settings = { model = 'm' } })
is('root', init.rootUri, vim.uri_from_fname(work))
is('usual capabilities stay', init.capabilities.workspace.applyEdit, true)
vim.cmd('edit ' .. work .. '/b.txt')
b = vim.api.nvim_get_current_buf()
eventually('attached to b', function() return #clients(b) == 1 end)
is('one server', #clients(), 1)
vim.cmd('enew')
vim.bo.filetype = 'text'
is('no server for a nameless buffer', #clients(0), 0)

uri_a = vim.uri_from_fname(work .. '/a.txt')
