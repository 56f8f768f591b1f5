--- What the user's other language servers know, for the server, which cannot ask them itself.
local compat = require('coauthor.compat')

local M = {}

local methods = {
  definition = 'textDocument/definition',
  references = 'textDocument/references',
  hover = 'textDocument/hover',
}

--- How long the others may take, in milliseconds. The server itself waits for two seconds.
M.patience = 1800

--- The loaded buffer of a file, or nil.
local function loaded(name)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_name(bufnr) == name then
      return bufnr
    end
  end
end

--- Whether a client serves files like one that is in no buffer.
local function would_serve(client, name)
  local root = client.config.root_dir
  return type(root) == 'string'
    and vim.startswith(name, root .. '/')
    and vim.tbl_contains(client.config.filetypes or {}, compat.filetype(name))
end

--- The other clients that can answer a method about a file.
local function others(method, name, bufnr)
  return vim.tbl_filter(function(client)
    if client.name == require('coauthor.client').name or not compat.supports(client, method) then
      return false
    end
    if bufnr then
      return compat.attached(client, bufnr)
    end
    return would_serve(client, name)
  end, compat.clients())
end

--- Locations and links to them, one or several, as a list of locations.
local function locations(result)
  local list = compat.islist(result) and result or { result }
  return vim.tbl_map(function(one)
    return { uri = one.uri or one.targetUri, range = one.range or one.targetSelectionRange }
  end, list)
end

--- Calls back with the answers of all clients, without those that fail or take too long.
local function ask(clients, method, params, callback)
  local left, answers, ended = #clients, {}, false
  local function finish()
    if not ended then
      ended = true
      callback(answers)
    end
  end
  for _, client in ipairs(clients) do
    local function answer(err, result)
      left = left - 1
      if not err and result and result ~= vim.NIL and next(result) then
        answers[#answers + 1] = result
      end
      if left == 0 then
        finish()
      end
    end
    if not require('coauthor.client').request(client, method, params(client), answer) then
      answer(true)
    end
  end
  vim.defer_fn(finish, M.patience)
end

--- All diagnostics, of all files.
local function diagnostics(encoding)
  local target = require('coauthor.target')
  local files, seen = {}, {}
  for _, d in ipairs(vim.diagnostic.get()) do
    if not seen[d.bufnr] and vim.api.nvim_buf_is_valid(d.bufnr) then
      seen[d.bufnr] = true
      files[#files + 1] = { uri = vim.uri_from_bufnr(d.bufnr), diagnostics = target.diagnostics(d.bufnr, nil, encoding) }
    end
  end
  return { files = files }
end

--- What the answers say, in the words of coauthor/lookUp.
local function told(what, answers)
  if what == 'hover' then
    local text = vim.tbl_map(function(one)
      return table.concat(vim.lsp.util.convert_input_to_markdown_lines(one.contents), '\n')
    end, answers)
    return { text = table.concat(text, '\n\n') }
  end
  local list = {}
  for _, one in ipairs(answers) do
    vim.list_extend(list, locations(one))
  end
  return { locations = list }
end

--- The handler of coauthor/lookUp. Neovim runs it in a coroutine; up to 0.8 it cannot wait, and only diagnostics are known.
function M.answer(_, params, ctx)
  local ours = vim.lsp.get_client_by_id(ctx.client_id)
  local encoding = ours and ours.offset_encoding or 'utf-16'
  if params.what == 'diagnostics' then
    return diagnostics(encoding)
  end
  local method = methods[params.what]
  if not method or not compat.can_wait() then
    return vim.NIL
  end
  local name = vim.uri_to_fname(params.uri)
  local bufnr = loaded(name)
  local clients = others(method, name, bufnr)
  if #clients == 0 then
    return vim.NIL
  end
  local line = compat.line(name, bufnr, params.position.line)
  local answers = compat.await(function(done)
    ask(clients, method, function(client)
      local at = require('coauthor.target').translated(line, params.position, encoding, client.offset_encoding or 'utf-16')
      return { textDocument = { uri = params.uri }, position = at, context = { includeDeclaration = false } }
    end, done)
  end)
  return #answers > 0 and told(params.what, answers) or vim.NIL
end

return M
