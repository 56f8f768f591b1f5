-- The manual: every option, key and command of it is one, and all are in it.
local manual = table.concat(vim.fn.readfile(plugin .. '/doc/coauthor.txt'), '\n')
local config = require('coauthor.config')
for name in pairs(config.defaults) do
  is('option in the manual: ' .. name, manual:find('\n      ' .. name .. ' = ') ~= nil, true)
end
for set, keys in pairs({ keys = config.defaults.keys, inline_keys = config.defaults.inline_keys }) do
  for name, key in pairs(keys) do
    local found = false
    for line in manual:gmatch('[^\n]+') do
      found = found or (line:find('        ' .. key, 1, true) == 1 or line:find(' ' .. key .. ' ', 1, true) ~= nil) and line:find(name, 1, true) ~= nil
    end
    is(('key in the manual: %s.%s = %s'):format(set, name, key), found, true)
  end
end
local names = vim.fn.getcompletion('Coauthor ', 'cmdline')
for word in manual:gmatch('\n:%[?r?a?n?g?e?%]?Coauthor (%w+)') do
  is('command of the manual: ' .. word, vim.tbl_contains(names, word), true)
end
vim.fn.mkdir(work .. '/manual/doc', 'p')
vim.fn.writefile(vim.split(manual, '\n'), work .. '/manual/doc/coauthor.txt')
vim.cmd('helptags ' .. work .. '/manual/doc')
vim.opt.runtimepath:append(work .. '/manual')
for ref in manual:gmatch('|(%S-oauthor%S-)|') do
  is('reference in the manual: ' .. ref, #vim.fn.getcompletion(ref, 'help') > 0, true)
end
