--- :checkhealth coauthor
local compat = require('coauthor.compat')

local M = {}

--- What this Neovim lacks of the module.
local function editor(health)
  local version = vim.version()
  local name = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if not compat.has(compat.oldest) then
    health.error(('%s is too old; Coauthor needs %s or later'):format(name, compat.oldest))
  elseif compat.has('0.10') then
    health.ok(name)
  else
    health.warn(name .. ' works, but some features need 0.10 or later', {
      'Before 0.9, questions that arrive while you type are not shown. Answer them with a code action or :Coauthor answer.',
      'Before 0.8, the titles of the preview are below its windows.',
    })
  end
end

local function program(health, cmd)
  if type(cmd) ~= 'table' then
    return health.ok('cmd is a custom function')
  elseif vim.fn.executable(cmd[1]) == 0 then
    return health.error(('cannot find the program %s'):format(cmd[1]), { require('coauthor.client').get })
  end
  local said = vim.trim(vim.fn.system({ vim.fn.exepath(cmd[1]), 'version' }))
  if vim.v.shell_error == 0 then
    health.ok(vim.fn.exepath(cmd[1]) .. ': ' .. (vim.split(said, '\n')[1] or ''))
  else
    health.error('cannot run "' .. cmd[1] .. ' version": ' .. said)
  end
end

--- A server that runs, and what it has to say. It asks nothing and sends nothing, unlike :Coauthor doctor.
local function server(health, c)
  local root = c.root_dir or (c.config and c.config.root_dir) or 'files without a project'
  health.ok(('server %d for %s'):format(c.id, tostring(root)))
  local options = c.config and c.config.init_options or {}
  if options.client ~= 'neovim-module' then
    health.warn('this server was started without the module, so it has no input box and no preview', {
      "Call require('coauthor').setup() before you open the first file.",
    })
  end
  local answer
  require('coauthor.client').request(c, 'workspace/executeCommand', { command = 'coauthor.status' }, function(err, result)
    answer = { err = err, result = result }
  end)
  vim.wait(10000, function()
    return answer ~= nil
  end, 20)
  if not answer or answer.err or type(answer.result) ~= 'table' then
    local why = answer and answer.err and answer.err.message or 'no answer within 10 s'
    return health.error('cannot read the server status: ' .. why)
  end
  local model, failed = answer.result.model, answer.result.lastError
  if type(model) == 'string' and model ~= '' then
    health.ok('model: ' .. model)
  else
    health.warn('no model is set', { 'Run :Coauthor doctor for details.' })
  end
  if type(failed) == 'string' and failed ~= '' then
    health.warn('last error: ' .. failed, { ':Coauthor doctor checks your API key and endpoint.' })
  end
end

function M.check()
  local health = compat.health()
  health.start('coauthor')
  editor(health)
  program(health, require('coauthor.config').current.cmd)
  local clients = require('coauthor.client').all()
  if #clients == 0 then
    health.info('no server is running; open a file of a project')
  end
  for _, c in ipairs(clients) do
    server(health, c)
  end
  health.info(':Coauthor doctor checks your API key, endpoint and settings')
end

return M
