" Colours for R-CHECK, where the server does not send any.
if exists('b:current_syntax')
  finish
endif

syntax match rcheckOperator /:=\|<-\|->\|\.\.\|||\?\|&&\?\|==\|[!<>]=\|[-+*=!<>:@?]/
syntax match rcheckOperator /\/\ze[^\/*]/
syntax match rcheckComment /\(\/\/\|#\).*$/ contains=@Spell
syntax region rcheckComment start=+/\*+ end=+\*/+ contains=@Spell
syntax match rcheckNumber /\<\d\+\>/
syntax match rcheckLabel /\<\w\+\ze\s*:\s*[{<]/
syntax keyword rcheckSpecification SPEC LTL LTOL LTLSPEC
syntax match rcheckTemporal /-\@1<!\<[GFXURW]\>/
syntax keyword rcheckReserved rep forall exists GET SUPPLY and or not implies iff
syntax keyword rcheckConstant TRUE FALSE true false sender chan any SELF myself
syntax match rcheckConstant /\<keep-all\>/
syntax keyword rcheckType bool boolean int integer channel location
syntax match rcheckPart /\<\(agent\|enum\|guard\)\ze\s\+\w/
syntax match rcheckPart /\<system\ze\s*=/
syntax match rcheckPart /^\s*channels\?\ze\s*:/
syntax match rcheckPart /\<\(message-structure\|property-variables\|communication-variables\)\>/
syntax match rcheckSection /\<\(local\|init\|relabel\|repeat\|receive-guard\)\ze\s*:/

highlight default link rcheckComment Comment
highlight default link rcheckNumber Number
highlight default link rcheckLabel Function
highlight default link rcheckOperator Operator
highlight default link rcheckSpecification Structure
highlight default link rcheckTemporal Keyword
highlight default link rcheckReserved Keyword
highlight default link rcheckConstant Constant
highlight default link rcheckType Type
highlight default link rcheckPart Structure
highlight default link rcheckSection Statement

let b:current_syntax = 'rcheck'
