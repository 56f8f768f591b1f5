-- The chat: one buffer with what was said before, the question, its answer, and the place for the next one.
answers['coauthor/getTranscript'] = function() return { uri = '', more = true, entries = {
  { number = 7, turnId = 'told', at = '', request = 'hello?', answer = 'Hello.', proposalId = 'x', became = 'applied' } } } end
vim.cmd('Coauthor ask why is that?')
eventually('ask sent', function() return #calls('coauthor.ask') == 1 end)
for i, piece in ipairs({ 'Because it ', 'is so.\n\n', 'Really.' }) do
  dispatch.notification('coauthor/stream', { turnId = 't2', seq = i, delta = piece, channel = 'answer' })
end
dispatch.notification('coauthor/stream', { turnId = 't2', seq = 4, delta = 'secret thoughts', channel = 'reasoning' })
dispatch.notification('coauthor/stream', { turnId = 't2', seq = 5, delta = 'lines of an edit', channel = 'edit' })
local function chat_buffer()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buf):match('coauthor://chat/') then return buf end
  end
end
local function chat_lines() return chat_buffer() and vim.api.nvim_buf_get_lines(chat_buffer(), 0, -1, false) end
local before = { '*Earlier messages: :Coauthor history*', '', '## You', '', 'hello?', '', '## Coauthor', '', 'Hello.', '', '*Applied.*', '' }
local function with(more) return vim.list_extend(vim.deepcopy(before), more) end
eventually('question, answer, and room for more', function()
  return vim.deep_equal(chat_lines(), with({ '## You', '', 'why is that?', '', '## Coauthor', '', 'Because it is so.', '', 'Really.', '', '## You', '', '' }))
end)
is('the cursor stays in the file', vim.api.nvim_get_current_buf(), a)
vim.cmd('Coauthor chat')
is('it goes to the chat', { vim.api.nvim_get_current_buf() == chat_buffer(), #vim.api.nvim_tabpage_list_wins(0) }, { true, 2 })
press('GAand now?\nReally?<Esc>')
press('<CR>')
eventually('asked in the chat', function() return #calls('coauthor.ask') == 2 end)
is('what was written', calls('coauthor.ask')[2].params.arguments[1], { instruction = 'and now?\nReally?' })
eventually('it stands above', function() return vim.deep_equal(vim.list_slice(chat_lines(), #chat_lines() - 3), { '', '## You', '', '' }) end)
dispatch.notification('coauthor/stream', { turnId = 't3', seq = 1, delta = 'Now.', channel = 'answer' })
press('GAthird')
dispatch.notification('coauthor/stream', { turnId = 't3', seq = 2, delta = '\nOr never.', channel = 'answer' })
eventually('the answer comes above what is written', function()
  local all = chat_lines()
  return vim.deep_equal(vim.list_slice(all, #all - 10), { 'and now?', 'Really?', '', '## Coauthor', '', 'Now.', 'Or never.', '', '## You', '', 'third' })
end)
is('where the cursor stays', vim.api.nvim_win_get_cursor(0)[1], #chat_lines())
is('one window for all of it', #vim.api.nvim_tabpage_list_wins(0), 2)
dispatch.notification('coauthor/turn', { turnId = 't3', state = 'proposed' })
local eighth = vim.tbl_extend('force', proposal(), { turnId = 't3', proposalId = 'p8' })
local real = vim.api.nvim_get_mode
vim.api.nvim_get_mode = function() return { mode = 'i' } end
dispatch.notification('coauthor/pending', vim.deepcopy(eighth))
vim.api.nvim_get_mode = real
eventually('what became of it', function() return vim.tbl_contains(chat_lines(), '*2 files, +3 -1 pending: :Coauthor show*') end)
dispatch.notification('coauthor/pending', vim.tbl_extend('force', eighth, { state = 'applied' }))
eventually('in the end', function() return vim.tbl_contains(chat_lines(), '*Applied.*') and not vim.tbl_contains(chat_lines(), '*2 files, +3 -1 pending: :Coauthor show*') end)
press('q')
is('q closes it', #vim.api.nvim_tabpage_list_wins(0), 1)

-- What failed is told there, too.
dispatch.notification('coauthor/turn', { turnId = 't2', state = 'failed', message = 'No key. Set one.' })
eventually('failure in the chat', function() return table.concat(chat_lines(), ' '):find('*Failed: No key. Set one.*', 1, true) ~= nil end)
