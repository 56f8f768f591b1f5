-- Mistakes in the options are sentences.
local config = require('coauthor.config')
for _, case in ipairs({
  { { foo = 1 }, 'coauthor.setup: unknown option "foo"' },
  { { preview = { layout = 'x' } }, 'coauthor.setup: preview.layout must be one of split, unified, inline, none' },
  { { preview = 3 }, 'coauthor.setup: preview must be a table, not a number' },
  { { keys = { apply = 3 } }, 'coauthor.setup: keys.apply must be a string, not a number' },
}) do
  local ok, err = pcall(config.merge, case[1])
  is('mistake in the options', { ok, err }, { false, case[2] })
end
is('a key can be left out', config.merge({ keys = { apply = false } }).keys.apply, false)
