-- The client of the server, in the words of Neovim 0.7 to 0.11, which differ.

local M = {}

local is_method = vim.fn.has('nvim-0.11') == 1

-- The running clients of this plugin.
function M.all()
  local list = vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
  return vim.tbl_filter(function(client)
    return client.name == 'swarmcheck'
  end, list)
end

-- The client of a buffer. For a virtual document, which belongs to none, any client.
function M.of(buffer)
  buffer = (buffer == nil or buffer == 0) and vim.api.nvim_get_current_buf() or buffer
  local clients = M.all()
  for _, client in ipairs(clients) do
    if vim.lsp.buf_is_attached(buffer, client.id) then
      return client
    end
  end
  return clients[1]
end

function M.request(client, method, parameters, callback, buffer)
  local handler = function(failure, result)
    callback(failure, result)
  end
  if is_method then
    return client:request(method, parameters, handler, buffer)
  end
  return client.request(method, parameters, handler, buffer)
end

-- The code ContentModified of the protocol. Neovim tells of changes a moment after they are made, and the server refuses an answer about
-- a text that has changed while it was looked for.
local CHANGED = -32801

-- Waits for the answer: the result, and the message of an error. What the server refuses because of a change is asked again.
function M.request_sync(client, method, parameters, milliseconds, buffer)
  local give_up = vim.loop.now() + milliseconds
  while true do
    local answer, failure
    if is_method then
      answer, failure = client:request_sync(method, parameters, milliseconds, buffer)
    else
      answer, failure = client.request_sync(method, parameters, milliseconds, buffer)
    end
    if not answer then
      return nil, failure or 'no answer'
    end
    if not (answer.err and answer.err.code == CHANGED and vim.loop.now() < give_up) then
      return answer.result, answer.err and answer.err.message
    end
  end
end

-- Clients of 0.7, which has no function that finds a client that fits, by their folders.
local by_root = {}

function M.start(config, buffer)
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  local id = by_root[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    by_root[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

function M.stop()
  for _, client in ipairs(M.all()) do
    if is_method then
      client:stop()
    else
      client.stop()
    end
  end
  by_root = {}
end

-- Runs a command of the server. The callback gets the result; an error becomes a message.
function M.execute(buffer, command, arguments, callback)
  local client = M.of(buffer)
  if not client then
    vim.notify('The server of swarmcheck is not running.', vim.log.levels.WARN)
    return
  end
  M.request(client, 'workspace/executeCommand', { command = command, arguments = arguments }, function(failure, result)
    if failure then
      vim.notify('swarmcheck: ' .. (failure.message or vim.inspect(failure)), vim.log.levels.ERROR)
    end
    if callback then
      callback(failure, result)
    end
  end, buffer)
end

local function refresh_lenses(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  if vim.fn.has('nvim-0.10') == 1 then
    pcall(vim.lsp.codelens.refresh, { bufnr = buffer })
  elseif buffer == vim.api.nvim_get_current_buf() then
    -- Before 0.10, the current buffer is the only one that can be refreshed.
    pcall(vim.lsp.codelens.refresh)
  end
end

-- Keeps the lenses of a buffer up to date.
function M.follow_lenses(buffer)
  local group = vim.api.nvim_create_augroup('swarmcheck_lenses_' .. buffer, { clear = true })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'CursorHold', 'InsertLeave', 'BufWritePost' }, {
    group = group,
    buffer = buffer,
    callback = function()
      refresh_lenses(buffer)
    end,
  })
  refresh_lenses(buffer)
end

-- Opens an address outside of Neovim.
local function open_outside(uri)
  if vim.ui.open then
    return vim.ui.open(uri) ~= nil
  end
  local programs = { 'xdg-open', 'open', 'wslview' }
  for _, program in ipairs(programs) do
    if vim.fn.executable(program) == 1 then
      return vim.fn.jobstart({ program, uri }, { detach = true }) > 0
    end
  end
  return false
end

-- Opens a document in a window that does not hide the model. `file:///m.labs#L12,5` leads to line 12, column 5.
function M.open(uri, selection, take_focus)
  local plain, line, column = uri:match('^(.-)#L(%d+),?(%d*)$')
  plain = plain or uri
  local name = plain:match('^file:') and vim.uri_to_fname(plain) or plain
  local before = vim.api.nvim_get_current_win()
  local window = vim.fn.bufwinid(vim.fn.bufnr('^' .. vim.fn.escape(name, '\\[]*?{},^$') .. '$'))
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
    if name:match('^swarmcheck:') then
      vim.cmd('edit')
    end
  elseif vim.api.nvim_buf_get_name(0):match('^swarmcheck:') and #vim.api.nvim_list_wins() > 1 then
    vim.cmd('wincmd p')
    vim.cmd('edit ' .. vim.fn.fnameescape(name))
  else
    vim.cmd('split ' .. vim.fn.fnameescape(name))
  end
  if selection then
    line, column = selection.start.line + 1, selection.start.character + 1
  end
  if line then
    local last = vim.api.nvim_buf_line_count(0)
    local target = math.min(tonumber(line), last)
    local length = #(vim.api.nvim_buf_get_lines(0, target - 1, target, false)[1] or '')
    vim.api.nvim_win_set_cursor(0, { target, math.min(math.max((tonumber(column) or 1) - 1, 0), length) })
  end
  if take_focus == false then
    vim.api.nvim_set_current_win(before)
  end
end

local function show_document(_, parameters)
  if parameters.external then
    local opened = open_outside(parameters.uri)
    -- Whether a browser has appeared cannot be known, over SSH for instance.
    vim.notify('swarmcheck: ' .. (opened and 'opened ' or 'open in a browser: ') .. parameters.uri)
    return { success = opened }
  end
  local opened, failure = pcall(M.open, parameters.uri, parameters.selection, parameters.takeFocus)
  if not opened then
    vim.notify('swarmcheck: ' .. tostring(failure), vim.log.levels.WARN)
  end
  return { success = opened }
end

M.handlers = {
  ['window/showDocument'] = show_document,
  ['workspace/codeLens/refresh'] = function()
    vim.schedule(function()
      for _, client in ipairs(M.all()) do
        for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(client.id)) do
          refresh_lenses(buffer)
        end
      end
    end)
    return vim.NIL
  end,
}

return M
