-- Defines :Coauthor. The module itself is loaded when the command is first used or completed.
if vim.g.loaded_coauthor or vim.fn.has('nvim-0.7') == 0 then
  return
end
vim.g.loaded_coauthor = 1

vim.api.nvim_create_user_command('Coauthor', function(opts)
  require('coauthor.command').run(opts)
end, {
  nargs = '*',
  range = true,
  bang = true,
  desc = 'Request, review, apply or undo a change',
  complete = function(lead, line, pos)
    return require('coauthor.command').complete(lead, line, pos)
  end,
})
