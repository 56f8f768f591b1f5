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
elseif vim.lsp.start then
  vim.api.nvim_create_autocmd('FileType', { callback = function(ev)
    if vim.bo[ev.buf].buftype ~= '' then return end
    vim.lsp.start(dofile(folder .. '/lsp/coauthor.lua'), { bufnr = ev.buf })
  end })
  vim.keymap.set({ 'n', 'x' }, 'gra', function() vim.lsp.buf.code_action() end)
else
  local running = {}
  vim.api.nvim_create_autocmd('FileType', { callback = function()
    if vim.bo.buftype ~= '' then return end
    local config = dofile(folder .. '/lsp/coauthor.lua')
    local root = config.root_dir or ''
    config.on_exit = function() running[root] = nil end
    running[root] = running[root] or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, running[root])
  end })
  vim.keymap.set('n', 'gra', '<Cmd>lua vim.lsp.buf.code_action()<CR>')
  vim.keymap.set('x', 'gra', ':<C-u>lua vim.lsp.buf.range_code_action()<CR>')
end
