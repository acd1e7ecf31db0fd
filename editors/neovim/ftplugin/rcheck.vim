" Settings for R-CHECK: comments and indentation.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,://,:#
setlocal formatoptions-=t formatoptions+=croql
setlocal shiftwidth=2 softtabstop=2 expandtab autoindent smartindent
" A line that begins with `#` is indented like any other.
setlocal cinkeys-=0# indentkeys-=0#
let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< shiftwidth< softtabstop< expandtab< autoindent< smartindent< cinkeys< indentkeys<'
