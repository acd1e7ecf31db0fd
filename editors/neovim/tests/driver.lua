-- Drives Neovim through what a user does, with the real server, and prints `N passed, M failed`.
--
-- Verdicts that are expected here follow from the models, which say why in their comments: in each language one property holds
-- and another one is violated.

local swarmcheck = require('swarmcheck')
local client = require('swarmcheck.client')
local commands = require('swarmcheck.commands')

-- Milliseconds. A debug build on a busy machine is slow.
local PATIENCE = 30000

local passed, failed = 0, 0

local function say(text)
  io.stdout:write(text .. '\n')
end

-- What the plugin says to the user, in the order in which it says it.
local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function check(name, body)
  local fine, failure = xpcall(body, debug.traceback)
  if fine then
    passed = passed + 1
    say('ok      ' .. name)
  else
    failed = failed + 1
    say('FAILED  ' .. name .. '\n        ' .. tostring(failure):gsub('\n', '\n        '))
    say('        said before: ' .. vim.inspect(messages[#messages]))
  end
end

local function equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s: expected %s, got %s'):format(what, vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

local function wait(what, condition)
  if not vim.wait(PATIENCE, condition, 20) then
    error('waited in vain: ' .. what, 2)
  end
end

-- The diagnostics that the server has published last, by the address of the file.
local published = {}
local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(failure, result, ...)
  published[result.uri] = result.diagnostics
  return publish(failure, result, ...)
end

local function open(name)
  vim.cmd('silent only!')
  vim.cmd('edit! ' .. name)
  local buffer = vim.api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(buffer)
  wait('diagnostics of ' .. name, function()
    return published[uri] ~= nil
  end)
  return buffer, uri
end

local function text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

-- The place of the n-th occurrence of a text, as Neovim counts: line from 1, byte from 0.
local function place(buffer, text, nth)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local from = 1
    while true do
      local start, last = line:find(text, from, true)
      if not start then
        break
      end
      nth = (nth or 1) - 1
      if nth == 0 then
        return number, start - 1
      end
      from = last + 1
    end
  end
  error('there is no ' .. text)
end

local function put_cursor(buffer, text, nth)
  local line, column = place(buffer, text, nth)
  vim.api.nvim_win_set_cursor(0, { line, column })
end

local function count(text, word)
  local _, many = text:gsub('%f[%w_]' .. word .. '%f[^%w_]', '')
  return many
end

local function ask(method, parameters)
  local result, failure = client.request_sync(client.of(0), method, parameters, PATIENCE, 0)
  if failure then
    error(method .. ': ' .. failure, 2)
  end
  return result
end

local function at_cursor()
  return vim.lsp.util.make_position_params(0, client.of(0).offset_encoding)
end

local MODELS = { labs = 'lamps.labs', rcheck = 'lamp.rcp', ccs = 'clock.ccs', chor = 'order.chor' }
local LANGUAGES = { 'labs', 'rcheck', 'ccs', 'chor' }

for _, language in ipairs(LANGUAGES) do
  check(language .. ': filetype, colours, and a model without errors', function()
    local buffer = open(MODELS[language])
    equal(vim.bo.filetype, language, 'filetype')
    equal(vim.b.current_syntax, language, 'syntax')
    equal(vim.fn.synIDattr(vim.fn.synID(1, 3, 1), 'name'), language .. 'Comment', 'the first line is a comment')
    equal(vim.lsp.buf_is_attached(buffer, client.of(buffer).id), true, 'attached')
    equal(vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }), {}, 'errors')
  end)
end

-- The line of the mistake, counted from 0.
local MISTAKES = { labs = { 'broken.labs', 3 }, rcheck = { 'broken.rcp', 2 }, ccs = { 'broken.ccs', 0 }, chor = { 'broken.chor', 0 } }
for _, language in ipairs(LANGUAGES) do
  check(language .. ': an error is marked in its line', function()
    local name, line = unpack(MISTAKES[language])
    local buffer = open(name)
    local errors = vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
    assert(#errors > 0, 'no error')
    equal(errors[1].lnum, line, 'line')
    assert(errors[1].message ~= '', 'no message')
  end)
end

check('an error goes away when it is corrected, and comes back', function()
  local buffer = open('broken.labs')
  local function errors()
    return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
  end
  put_cursor(buffer, 'brightnes <-')
  vim.cmd('normal! ea' .. 's')
  wait('no errors', function()
    return errors() == 0
  end)
  vim.cmd('silent undo')
  wait('an error', function()
    return errors() > 0
  end)
end)

check('a misspelt name has a quick fix that corrects it', function()
  local buffer, uri = open('broken.labs')
  local line, column = place(buffer, 'brightnes <-')
  local position = { line = line - 1, character = column + 1 }
  local actions = ask('textDocument/codeAction', {
    textDocument = { uri = uri },
    range = { start = position, ['end'] = position },
    context = { diagnostics = published[uri] },
  })
  local edit
  for _, action in ipairs(actions or {}) do
    if action.edit and (action.kind or ''):match('^quickfix') then
      edit = edit or action.edit
    end
  end
  assert(edit, 'no quick fix among ' .. vim.inspect(actions))
  vim.lsp.util.apply_workspace_edit(edit, client.of(buffer).offset_encoding)
  equal(count(text_of(buffer), 'brightness'), 2, 'the name is corrected')
  vim.cmd('edit!')
end)

check('hover tells what a name is', function()
  local buffer = open('lamps.labs')
  put_cursor(buffer, 'on of a')
  local result = ask('textDocument/hover', at_cursor())
  assert(vim.inspect(result.contents):find('on', 1, true), vim.inspect(result))
end)

check('definition leads to the declaration', function()
  local buffer = open('lamps.labs')
  put_cursor(buffer, 'on of a')
  local result = ask('textDocument/definition', at_cursor())
  local target = vim.tbl_islist(result) and result[1] or result
  local range = target.range or target.targetSelectionRange
  local line, column = place(buffer, 'on: 0')
  equal({ range.start.line + 1, range.start.character }, { line, column }, 'place')
end)

check('completion offers an attribute', function()
  local buffer = open('lamps.labs')
  put_cursor(buffer, 'switched <-')
  local result = ask('textDocument/completion', at_cursor())
  local labels = vim.tbl_map(function(item)
    return item.label
  end, result.items or result)
  assert(vim.tbl_contains(labels, 'switched'), vim.inspect(labels))
end)

-- A name of each language, its new name, and how often it occurs in the model.
local RENAMES = { labs = { 'on', 'lit', 6 }, rcheck = { 'on', 'lit', 6 }, ccs = { 'tick', 'tock', 3 }, chor = { 'pack', 'wrap', 2 } }
local FIRST = { labs = 'on: 0', rcheck = 'on : bool', ccs = 'tick.Clock', chor = 'pack@' }
for _, language in ipairs(LANGUAGES) do
  check(language .. ': a name is renamed wherever it occurs', function()
    local buffer = open(MODELS[language])
    local old, new, times = unpack(RENAMES[language])
    -- Words of comments stay as they are.
    local function code()
      return (text_of(buffer):gsub('#[^\n]*', ''):gsub('//[^\n]*', ''))
    end
    local before = code()
    equal(count(before, old), times, 'occurrences before')
    put_cursor(buffer, FIRST[language])
    vim.lsp.buf.rename(new)
    wait('new names', function()
      return count(code(), new) == times
    end)
    equal(count(code(), old), 0, 'old names')
    equal((code():gsub('%f[%w_]' .. new .. '%f[^%w_]', old)), before, 'nothing else changes')
    vim.cmd('edit!')
  end)
end

check('formatting changes the layout only, and only once', function()
  local buffer = open('untidy.labs')
  local function bare()
    return (text_of(buffer):gsub('%s', ''))
  end
  local before, tokens = text_of(buffer), bare()
  vim.cmd('SwarmcheckFormat')
  local once = text_of(buffer)
  assert(once ~= before, 'nothing has changed')
  equal(bare(), tokens, 'text without white space')
  assert(once:find('system {', 1, true), once)
  vim.cmd('SwarmcheckFormat')
  equal(text_of(buffer), once, 'formatted again')
  vim.cmd('edit!')
end)

local function verify(buffer, property)
  local results
  commands.verify(buffer, property, function(failure, answer)
    results = failure and { failure } or answer
  end)
  wait('verdicts', function()
    return results ~= nil
  end)
  local verdicts = {}
  for _, result in ipairs(results) do
    verdicts[result.property or '?'] = result.verdict
  end
  return verdicts
end

local VERDICTS = {
  labs = { Binary = 'holds', Dark = 'violated', Few = 'holds' },
  rcheck = { Lit = 'holds', Dark = 'violated' },
  ccs = { Ticks = 'holds', Silent = 'violated' },
  chor = { Ordered = 'holds', Never = 'violated' },
}
for _, language in ipairs(LANGUAGES) do
  check(language .. ': verify finds the verdicts', function()
    equal(verify(open(MODELS[language]), nil), VERDICTS[language], 'verdicts')
  end)
end

local function titles(buffer)
  local lenses = ask('textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(buffer) } })
  local found = {}
  for _, lens in ipairs(lenses or {}) do
    lens = lens.command and lens or ask('codeLens/resolve', lens)
    table.insert(found, lens.command.title)
  end
  return table.concat(found, ' | ')
end

check('lenses show verdicts, and when they are stale', function()
  local buffer = open('lamps.labs')
  verify(buffer, 'Dark')
  assert(titles(buffer):find('violated %('), titles(buffer))
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { 'agent Other { Behavior = Skip }' })
  wait('a stale verdict', function()
    return titles(buffer):find('stale') ~= nil
  end)
  vim.cmd('edit!')
end)

check(':SwarmcheckVerify asks about the property at the cursor', function()
  local buffer = open('lamps.labs')
  put_cursor(buffer, 'Dark =')
  messages = {}
  vim.cmd('SwarmcheckVerify')
  wait('two messages', function()
    return #messages > 1
  end)
  -- That it has begun, and what it has found.
  assert(messages[1]:find('verifying Dark', 1, true), messages[1])
  assert(messages[2]:match('^Dark violated'), messages[2])
end)

check(':SwarmcheckTrace opens a counterexample that leads to the model', function()
  local buffer = open('lamps.labs')
  verify(buffer, 'Dark')
  vim.cmd('SwarmcheckTrace Dark')
  wait('the document', function()
    return vim.api.nvim_buf_get_name(0):match('^swarmcheck://') ~= nil
  end)
  local trace = vim.api.nvim_get_current_buf()
  local text = text_of(trace)
  assert(text:find('Lamp', 1, true) and text:find('Switch', 1, true) == nil or text:find('on', 1, true), text)
  equal(vim.bo[trace].modifiable, false, 'modifiable')
  -- The only action of the model is in the line of `Switch`.
  local number
  for at, line in ipairs(vim.api.nvim_buf_get_lines(trace, 0, -1, false)) do
    if line:match('^%s*1%. Lamp') then
      number = at
    end
  end
  assert(number, 'no first step in\n' .. text)
  vim.api.nvim_win_set_cursor(0, { number, 0 })
  require('swarmcheck.documents').follow(trace, vim.api.nvim_buf_get_name(trace))
  wait('the model', function()
    return vim.api.nvim_get_current_buf() == buffer
  end)
  equal(vim.api.nvim_win_get_cursor(0)[1], (place(buffer, 'Switch = {')), 'line')
end)

check(':SwarmcheckPlayer opens a page outside of Neovim', function()
  local buffer = open('lamps.labs')
  verify(buffer, 'Dark')
  vim.cmd('SwarmcheckPlayer Dark')
  local path = vim.env.SWARMCHECK_OPENED
  wait('the page', function()
    return vim.fn.filereadable(path) == 1 and #vim.fn.readfile(path) > 0
  end)
  local page = vim.uri_to_fname(vim.fn.readfile(path)[1])
  local text = table.concat(vim.fn.readfile(page), '\n')
  assert(text:lower():find('<html', 1, true) and text:find('Dark', 1, true), 'no page in ' .. page)
end)

check(':SwarmcheckParameters asks for values, and verdicts follow them', function()
  local buffer = open('lamps.labs')
  local asked = {}
  local input = vim.ui.input
  vim.ui.input = function(options, answer)
    table.insert(asked, options.prompt)
    answer('3')
  end
  vim.cmd('SwarmcheckParameters')
  vim.ui.input = input
  equal(#asked, 1, 'questions')
  assert(asked[1]:find('n', 1, true), asked[1])
  -- Three lamps are not few. The command that sets them is on its way before this one.
  equal(verify(buffer, 'Few'), { Few = 'violated' }, 'verdict')
end)

check('the server ends when it is told to', function()
  local all = client.all()
  assert(#all == 1, 'there are ' .. #all .. ' servers for one folder')
  client.stop()
  wait('the end', function()
    return #client.all() == 0
  end)
end)

check('the plugin has been loaded with its options', function()
  equal(swarmcheck.options.cmd, { vim.env.SWARMCHECK, 'lsp' }, 'cmd')
  equal(vim.fn.exists(':SwarmcheckVerifyAll'), 2, 'command')
end)

-- Checks that never ran are no success.
local EXPECTED = 4 + 4 + 2 + 3 + 4 + 1 + 4 + 1 + 1 + 1 + 1 + 1 + 2
if passed + failed ~= EXPECTED then
  failed = failed + 1
  say(('FAILED  %d checks instead of %d'):format(passed + failed, EXPECTED))
end
say(('%d passed, %d failed'):format(passed, failed))
vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
