" Files of the four languages of swarmcheck, by their names. Vim takes `*.rcp` for files of another program, so what it has set is replaced.
autocmd BufNewFile,BufRead *.labs set filetype=labs
autocmd BufNewFile,BufRead *.rcp set filetype=rcheck
autocmd BufNewFile,BufRead *.ccs set filetype=ccs
autocmd BufNewFile,BufRead *.chor set filetype=chor
