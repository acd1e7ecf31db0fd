" Colours for choreographies, where the server does not send any.
if exists('b:current_syntax')
  finish
endif

syntax match chorOperator /[+*=@!]\|||\|->\|<>\|\[\]/
syntax match chorComment /#.*$/ contains=@Spell
syntax match chorPeer /@\s*\zs\w\+/
syntax match chorPart /\<choreography\ze\s\+\w/
syntax match chorPart /\<check\ze\s*{/
syntax match chorProperty /=\s*\zs\<\(always\|never\|eventually\|finally\|fairly\|fairly_inf\|possibly\|ltl\)\>\ze\s/
syntax match chorProperty /\<\(precedes\|until\|unless\|releases\?\|next\|globally\)\>\ze\s\+[A-Za-z('!]/
syntax keyword chorReserved not and or
syntax keyword chorConstant skip tau any

highlight default link chorComment Comment
highlight default link chorPeer Identifier
highlight default link chorOperator Operator
highlight default link chorPart Structure
highlight default link chorProperty Keyword
highlight default link chorReserved Keyword
highlight default link chorConstant Constant

let b:current_syntax = 'chor'
