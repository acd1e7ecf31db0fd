-- Virtual documents of the server, such as the text of a counterexample: `swarmcheck://trace/…`.

local client = require('swarmcheck.client')

local M = {}

-- How long the server may take to write a document, in milliseconds.
local PATIENCE = 10000

-- Fills a buffer with a document. It is called by BufReadCmd, so the text must be there when it returns.
function M.read(buffer, uri)
  local server = client.of(buffer)
  local text
  if not server then
    text = 'The server of swarmcheck is not running.'
  else
    local result, failure = client.request_sync(server, 'workspace/textDocumentContent', { uri = uri }, PATIENCE, buffer)
    text = result and result.text or ('swarmcheck: ' .. (failure or 'no text'))
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split((text:gsub('\n$', '')), '\n', { plain = true }))
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modified = false
  vim.bo[buffer].modifiable = false
  vim.api.nvim_buf_set_keymap(buffer, 'n', '<CR>', '', {
    noremap = true,
    desc = 'go to the place in the model that this line is about',
    callback = function()
      M.follow(buffer, uri)
    end,
  })
end

-- Goes to the place in the model that the line of the cursor is about.
function M.follow(buffer, uri)
  local server = client.of(buffer)
  if not server then
    return
  end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local links = client.request_sync(server, 'textDocument/documentLink', { textDocument = { uri = uri } }, PATIENCE, buffer)
  for _, link in ipairs(type(links) == 'table' and links or {}) do
    if link.range.start.line <= line and line <= link.range['end'].line and link.target then
      client.open(link.target)
      return
    end
  end
  vim.notify('This line is about no place in the model.')
end

return M
