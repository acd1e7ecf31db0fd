-- Starts the server for models, reads its virtual documents, and adds the commands.

if vim.g.loaded_swarmcheck == 1 or vim.fn.has('nvim-0.7') == 0 then
  return
end
vim.g.loaded_swarmcheck = 1

local group = vim.api.nvim_create_augroup('swarmcheck', { clear = true })

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = { 'labs', 'rcheck', 'ccs', 'chor' },
  callback = function(event)
    require('swarmcheck').start(event.buf)
  end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'swarmcheck://*',
  callback = function(event)
    require('swarmcheck.documents').read(event.buf, event.match)
  end,
})

require('swarmcheck.commands').create()
