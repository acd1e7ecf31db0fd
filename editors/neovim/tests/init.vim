" The plugin and nothing else.
set nocompatible
execute 'set runtimepath^=' . fnameescape($SWARMCHECK_PLUGIN)
filetype plugin indent on
syntax enable
lua require('swarmcheck').setup({ cmd = { vim.env.SWARMCHECK, 'lsp' } })
