-- The commands of the editor: `:SwarmcheckVerify` and others.

local client = require('swarmcheck.client')

local M = {}

local PATIENCE = 5000

local function uri_of(buffer)
  return vim.uri_from_bufnr(buffer)
end

-- The lenses of a buffer with this command of the server, by line: `{ line = …, argument = … }`.
function M.lenses(buffer, command)
  local server = client.of(buffer)
  if not server then
    return {}
  end
  local lenses = client.request_sync(server, 'textDocument/codeLens', { textDocument = { uri = uri_of(buffer) } }, PATIENCE, buffer)
  local found = {}
  for _, lens in ipairs(type(lenses) == 'table' and lenses or {}) do
    if not lens.command then
      lens = client.request_sync(server, 'codeLens/resolve', lens, PATIENCE, buffer) or lens
    end
    if lens.command and lens.command.command == command then
      table.insert(found, { line = lens.range.start.line, arguments = lens.command.arguments or {} })
    end
  end
  table.sort(found, function(a, b)
    return a.line < b.line
  end)
  return found
end

-- The name that the last lens at or above the cursor is about; the first one if the cursor is above all.
local function name_at_cursor(buffer, command)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local name
  for _, lens in ipairs(M.lenses(buffer, command)) do
    local argument = lens.arguments[2]
    if type(argument) == 'string' and (lens.line <= line or not name) then
      name = argument
    end
  end
  return name
end

-- Calls `act` with the name that was typed, or with the one at the cursor.
local function with_name(typed, command, act)
  local buffer = vim.api.nvim_get_current_buf()
  local name = typed ~= '' and typed or name_at_cursor(buffer, command)
  if name then
    act(buffer, name)
  else
    local why = client.of(buffer) and 'there is nothing here to ask about' or 'the server is not running'
    vim.notify('swarmcheck: ' .. why, vim.log.levels.WARN)
  end
end

local function show_verdicts(results)
  local lines = {}
  for _, result in ipairs(type(results) == 'table' and results or {}) do
    local seconds = type(result.seconds) == 'number' and (' (%.2f s)'):format(result.seconds) or ''
    local evidence = type(result.evidence) == 'string' and ': ' .. result.evidence or ''
    table.insert(lines, ('%s %s%s%s'):format(result.property, result.verdict, seconds, evidence))
  end
  if #lines > 0 then
    vim.notify(table.concat(lines, '\n'))
  end
end

-- Verifies a property of a buffer, or all of them. The callback gets what the server says.
function M.verify(buffer, property, callback)
  if client.of(buffer) then
    vim.notify(('swarmcheck: verifying %s (:SwarmcheckCancel stops it)'):format(property or 'all properties'))
  end
  client.execute(buffer, 'swarmcheck.verify', { uri_of(buffer), property or vim.NIL }, function(failure, results)
    if not failure then
      show_verdicts(results)
    end
    if callback then
      callback(failure, results)
    end
  end)
end

-- Asks for the value of each parameter, and gives them to the server. Escape at any of them changes nothing.
function M.ask_parameters(buffer, uri, parameters)
  local values = vim.empty_dict()
  local function ask(at)
    local parameter = parameters[at]
    if not parameter then
      client.execute(buffer, 'swarmcheck.setParameters', { uri, values })
      return
    end
    local value = parameter.value
    vim.ui.input({
      prompt = parameter.name .. ' = ',
      default = (value == nil or value == vim.NIL) and '' or tostring(value),
    }, function(answer)
      if answer == nil then
        return
      end
      if vim.trim(answer) ~= '' then
        values[parameter.name] = vim.trim(answer)
      end
      ask(at + 1)
    end)
  end
  ask(1)
end

function M.format(buffer)
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ bufnr = buffer, name = 'swarmcheck', timeout_ms = PATIENCE })
  else
    vim.lsp.buf.formatting_sync(nil, PATIENCE)
  end
end

local function parameters()
  local buffer = vim.api.nvim_get_current_buf()
  local lens = M.lenses(buffer, 'swarmcheck.askParameters')[1]
  if lens then
    M.ask_parameters(buffer, lens.arguments[1], lens.arguments[2] or {})
  else
    vim.notify('This model has no parameters.')
  end
end

-- Completes names of properties.
local function properties()
  local names = {}
  for _, lens in ipairs(M.lenses(vim.api.nvim_get_current_buf(), 'swarmcheck.verify')) do
    if type(lens.arguments[2]) == 'string' then
      table.insert(names, lens.arguments[2])
    end
  end
  return names
end

local function on_property(command)
  return function(event)
    with_name(event.args, 'swarmcheck.verify', function(buffer, name)
      client.execute(buffer, command, { uri_of(buffer), name })
    end)
  end
end

function M.create()
  local function add(name, act, options)
    vim.api.nvim_create_user_command('Swarmcheck' .. name, act, options or {})
  end
  local with_property = { nargs = '?', complete = properties }

  add('Verify', function(event)
    with_name(event.args, 'swarmcheck.verify', function(buffer, name)
      M.verify(buffer, name)
    end)
  end, with_property)
  add('VerifyAll', function()
    M.verify(vim.api.nvim_get_current_buf(), nil)
  end)
  add('Trace', on_property('swarmcheck.showTrace'), with_property)
  add('Player', on_property('swarmcheck.showPlayer'), with_property)
  add('Simulate', on_property('swarmcheck.simulateToViolation'), with_property)
  add('Automaton', function(event)
    with_name(event.args, 'swarmcheck.showAutomaton', function(buffer, name)
      client.execute(buffer, 'swarmcheck.showAutomaton', { uri_of(buffer), name })
    end)
  end, { nargs = '?' })
  add('Parameters', parameters)
  add('Cancel', function()
    local buffer = vim.api.nvim_get_current_buf()
    client.execute(buffer, 'swarmcheck.cancel', { uri_of(buffer) })
  end)
  add('Format', function()
    M.format(vim.api.nvim_get_current_buf())
  end)
  add('Restart', function()
    client.stop()
    local buffer = vim.api.nvim_get_current_buf()
    vim.defer_fn(function()
      require('swarmcheck').start(buffer)
    end, 500)
  end)

  -- The server names this command in lenses and actions.
  vim.lsp.commands['swarmcheck.askParameters'] = function(command, context)
    local arguments = command.arguments or {}
    M.ask_parameters(context.bufnr, arguments[1], arguments[2] or {})
  end
end

return M
