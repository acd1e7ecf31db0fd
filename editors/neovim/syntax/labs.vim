" Colours for LAbS, where the server does not send any. Most words are keywords only in their place, and patterns look for it.
if exists('b:current_syntax')
  finish
endif

syntax match labsComment /#.*$/ contains=@Spell
syntax match labsNumber /\<\d\+\(\.\d\+\)\?\>/
syntax match labsParameter /\<_[a-z]\w*/
syntax match labsKind /\<[A-Z]\w*/
syntax match labsDefinition /\<[A-Z]\w*\ze\s*=>\@!/
syntax match labsOperator /<--\|<-\|<\~\|:=\|->\|=>\|++\|||\?\|\.\.\|[<>!]=\|[-=<>+*%:!@]/
syntax match labsOperator /\/\ze[^\/]/
syntax keyword labsReserved and else exists forall if not of or then abs max min
syntax keyword labsConstant true false undef id Skip Nil
syntax match labsSection /^\s*\(system\|assume\|check\|view\)\ze\s*\({\|$\)/
syntax match labsSection /\<\(agent\|stigmergy\)\ze\s\+[A-Z]/
syntax match labsPart /\<\(extern\|environment\|spawn\|interface\|stigmergies\|link\)\ze\s*[=:]/
syntax match labsPart /^\s*\(rate\|space\|floor\)\ze\s*=/
syntax match labsPart /\<show\ze\s\+[A-Z]/
syntax match labsPart /\<\(at\|heading\|colou\?r\|label\|size\)\ze\s\+[a-z]/
syntax match labsProperty /=\s*\zs\<\(always\|finally\|eventually\|fairly\|fairly_inf\|after\|between\|from\|ltl\)\>/
syntax match labsProperty /\<\(always\|thereIs\|until\|precedes\|release\|unless\)\>\ze\s\+[A-Za-z(!]\(f\>\)\@!/
syntax match labsProperty /\<[GFXURVW]\>\ze\s*[A-Za-z(!\[]/
syntax match labsProperty /\<\(acts\|sends\|can act\|can send\)\>/
syntax match labsReserved /\<count\ze\s\+[A-Z]/
syntax match labsReserved /\<pick\ze\s*[0-9_(]/

highlight default link labsComment Comment
highlight default link labsNumber Number
highlight default link labsParameter Identifier
highlight default link labsKind Type
highlight default link labsDefinition Function
highlight default link labsOperator Operator
highlight default link labsReserved Keyword
highlight default link labsConstant Constant
highlight default link labsSection Structure
highlight default link labsPart Statement
highlight default link labsProperty Keyword

let b:current_syntax = 'labs'
