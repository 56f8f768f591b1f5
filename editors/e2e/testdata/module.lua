-- Unit tests of the Lua module, in one Neovim, against a server that is Lua too. Before 0.9 Neovim has no -l:
-- there both folders come in COAUTHOR_TEST_ARGS.
-- nvim --headless --clean -l module.lua PLUGIN-FOLDER WORK-FOLDER
local args = arg or vim.split(vim.env.COAUTHOR_TEST_ARGS, '\n')
local shared = setmetatable({
  plugin = args[1], work = args[2],
  old = vim.fn.has('nvim-0.10') == 0,
  passed = 0, failed = 0,
}, { __index = _G })
vim.opt.runtimepath:prepend(shared.plugin)
if vim.env.COAUTHOR_TEST_PARSERS then
  vim.opt.runtimepath:append(vim.env.COAUTHOR_TEST_PARSERS)
end
vim.cmd('runtime plugin/coauthor.lua')
vim.o.swapfile = false
vim.o.hidden = true
-- Not 'columns': changing it in a script given with -l makes Neovim 0.12 write beyond its screen.

-- The parts are one session: they run in this order, each finds the buffers and the server as the one before left
-- them, and what a part does not declare as local is known to the next ones.
local here = debug.getinfo(1, 'S').source:match('^@(.*)%.lua$')
for _, part in ipairs({
  'harness', 'missing', 'options', 'start', 'requests', 'statusline', 'preview', 'decisions', 'moved', 'draft', 'inline', 'chat', 'input', 'manual', 'health',
}) do
  local ok, err = xpcall(setfenv(assert(loadfile(here .. '/' .. part .. '.lua')), shared), debug.traceback)
  if not ok then
    shared.failed = shared.failed + 1
    io.stderr:write('FAIL ' .. err .. '\n')
    break
  end
end

io.stderr:write(('%d passed, %d failed\n'):format(shared.passed, shared.failed))
os.exit(shared.failed == 0 and 0 or 1)
