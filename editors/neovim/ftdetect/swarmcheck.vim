" Files of the four languages of swarmcheck, by their names.
autocmd BufNewFile,BufRead *.labs setfiletype labs
autocmd BufNewFile,BufRead *.rcp setfiletype rcheck
autocmd BufNewFile,BufRead *.ccs setfiletype ccs
autocmd BufNewFile,BufRead *.chor setfiletype chor
