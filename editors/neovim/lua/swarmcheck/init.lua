-- Starts `swarmcheck lsp` for the buffers of models. `setup` is optional; it changes the options below.

local client = require('swarmcheck.client')

local M = {}

M.options = {
  -- How the server is started.
  cmd = { 'swarmcheck', 'lsp' },
  -- What marks the top folder of a project.
  root_markers = { 'swarmcheck.toml', '.git' },
  -- timeout, memory, threads, engine, verifyOnSave, parameters: see docs/editor-neovim.md.
  settings = {},
  -- Verdicts above properties.
  code_lens = true,
  -- From Neovim 0.10 on.
  inlay_hints = true,
  -- Called with (client, buffer) when the server takes a buffer.
  on_attach = nil,
}

function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
end

local warned = false

local function warn_once(message)
  if not warned then
    warned = true
    vim.notify(message, vim.log.levels.WARN)
  end
end

-- The nearest folder above a path that has one of the markers; the folder of the file if there is none.
local function root_of(path, markers)
  local top = vim.fn.fnamemodify(path, ':p:h')
  local folder = top
  while true do
    for _, marker in ipairs(markers) do
      if vim.fn.empty(vim.fn.glob(folder .. '/' .. marker)) == 0 then
        return folder
      end
    end
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then
      return top
    end
    folder = parent
  end
end

local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  -- `lua/swarmcheck/client.lua` shows documents in all versions; Neovim 0.7 does not say so by itself.
  all.window = vim.tbl_deep_extend('force', all.window or {}, { showDocument = { support = true } })
  all.workspace = vim.tbl_deep_extend('force', all.workspace or {}, { codeLens = { refreshSupport = true } })
  return all
end

local function on_attach(attached, buffer)
  if vim.bo[buffer].omnifunc == '' then
    vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  end
  if M.options.code_lens then
    client.follow_lenses(buffer)
  end
  if M.options.inlay_hints and vim.lsp.inlay_hint and vim.fn.has('nvim-0.10') == 1 then
    pcall(vim.lsp.inlay_hint.enable, true, { bufnr = buffer })
  end
  if M.options.on_attach then
    M.options.on_attach(attached, buffer)
  end
end

-- What the server is told when it starts.
function M.server_settings()
  local settings = vim.deepcopy(M.options.settings)
  -- Without names, a table would be written as a list.
  if settings.parameters and vim.tbl_isempty(settings.parameters) then
    settings.parameters = nil
  end
  return vim.tbl_extend('force', settings, { player = 'file', virtualDocuments = true, askParameters = true })
end

function M.start(buffer)
  buffer = (buffer == nil or buffer == 0) and vim.api.nvim_get_current_buf() or buffer
  local path = vim.api.nvim_buf_get_name(buffer)
  -- The server reads files; texts of other plugins, such as `fugitive://`, are none.
  if path == '' or path:match('^%a[%w+.-]+://') or vim.bo[buffer].buftype ~= '' then
    return
  end
  local program = M.options.cmd[1]
  if vim.fn.executable(program) == 0 then
    warn_once(('%s was not found. In the folder of its sources, this installs it: cargo install --path crates/cli'):format(program))
    return
  end
  local settings = M.server_settings()
  client.start({
    name = 'swarmcheck',
    cmd = M.options.cmd,
    root_dir = root_of(path, M.options.root_markers),
    capabilities = capabilities(),
    init_options = settings,
    settings = { swarmcheck = settings },
    handlers = client.handlers,
    on_attach = on_attach,
    get_language_id = function(_, filetype)
      return filetype
    end,
  }, buffer)
end

return M
