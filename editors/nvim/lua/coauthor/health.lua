--- :checkhealth coauthor
local M = {}

function M.check()
  local config = require('coauthor.config')
  local client = require('coauthor.client')
  vim.health.start('coauthor')
  if vim.fn.has('nvim-0.10') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  else
    vim.health.error('Neovim 0.10 or later is needed')
  end
  local cmd = config.current.cmd[1]
  if vim.fn.executable(cmd) == 1 then
    local version = vim.system({ vim.fn.exepath(cmd), 'version' }, { text = true, timeout = 5000 }):wait()
    local said = vim.trim(version.stdout or '')
    if version.code == 0 then
      vim.health.ok(vim.fn.exepath(cmd) .. ': ' .. (vim.split(said, '\n')[1] or ''))
    else
      vim.health.error(cmd .. ' does not answer to "version": ' .. vim.trim(version.stderr or ''))
    end
  else
    vim.health.error(cmd .. ' cannot be run', { 'Put it on the PATH or set cmd in setup().' })
  end
  local clients = vim.lsp.get_clients({ name = client.name })
  if #clients == 0 then
    vim.health.info('no server runs; open a file')
  end
  for _, c in ipairs(clients) do
    local root = c.root_dir or (c.config and c.config.root_dir) or 'no root'
    vim.health.ok(('server %d for %s'):format(c.id, tostring(root)))
    local announced = vim.tbl_get(c.config, 'init_options', 'client') == 'neovim-module'
    if not announced then
      vim.health.warn('this server was started without the module: no input box, no preview', {
        "Call require('coauthor').setup() before the first file is opened.",
      })
    end
  end
  vim.health.info('key, endpoint and model: :Coauthor doctor')
end

return M
