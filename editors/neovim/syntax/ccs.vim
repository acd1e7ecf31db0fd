" Colours for CCS, where the server does not send any.
if exists('b:current_syntax')
  finish
endif

syntax match ccsOperator /[.+|\\=/!]\|->\|<>\|\[\]/
syntax match ccsComment /#.*$/ contains=@Spell
syntax match ccsComment /^\s*\*.*$/ contains=@Spell
syntax match ccsNumber /\<0\>/
syntax match ccsCoName /'\w\+/
syntax match ccsProcess /\<[A-Z]\w*/
syntax match ccsPart /\<\(proc\|set\)\ze\s\+\w/
syntax match ccsPart /\<system\ze\s*=/
syntax match ccsPart /\<check\ze\s*{/
syntax match ccsProperty /=\s*\zs\<\(always\|never\|eventually\|finally\|fairly\|fairly_inf\|possibly\|ltl\)\>\ze\s/
syntax match ccsProperty /\<\(precedes\|until\|unless\|releases\?\|next\|globally\)\>\ze\s\+[A-Za-z('!]/
syntax keyword ccsReserved not and or
syntax keyword ccsConstant nil tau any

highlight default link ccsComment Comment
highlight default link ccsNumber Number
highlight default link ccsCoName Special
highlight default link ccsProcess Function
highlight default link ccsOperator Operator
highlight default link ccsPart Structure
highlight default link ccsProperty Keyword
highlight default link ccsReserved Keyword
highlight default link ccsConstant Constant

let b:current_syntax = 'ccs'
