-- The user's init.lua with nothing but lsp/coauthor.lua.
-- No plug-in in Python: to look for it at the first Python file starts several interpreters.
vim.g.loaded_python3_provider = 0
local parsers, folder = vim.env.COAUTHOR_TEST_PARSERS, vim.env.COAUTHOR_TEST_PLAIN
vim.opt.runtimepath:append(parsers)
vim.o.swapfile, vim.o.more, vim.o.hidden = false, false, true
vim.opt.shortmess:append('FI')
if vim.lsp.enable then
  vim.opt.runtimepath:prepend(folder)
  vim.lsp.enable('coauthor')
else
  vim.api.nvim_create_autocmd('FileType', { callback = function(ev)
    if vim.bo[ev.buf].buftype ~= '' then return end
    vim.lsp.start(dofile(folder .. '/lsp/coauthor.lua'), { bufnr = ev.buf })
  end })
  vim.keymap.set({ 'n', 'x' }, 'gra', function() vim.lsp.buf.code_action() end)
end
