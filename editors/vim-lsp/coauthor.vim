" Coauthor in Vim, through vim-lsp. Source this file from your vimrc, below the line that loads vim-lsp.
augroup coauthor
  autocmd!
  autocmd User lsp_setup call lsp#register_server({
        \ 'name': 'coauthor',
        \ 'cmd': {_ -> ['coauthor', 'serve']},
        \ 'allowlist': ['*'],
        \ 'root_uri': {_ -> s:root()},
        \ })
augroup END

" The folder above the file in front that has a .git or a .coauthor; else the one that Vim is in.
function! s:root() abort
  for l:name in ['.git', '.coauthor']
    let l:at = finddir(l:name, expand('%:p:h') . ';')
    if !empty(l:at)
      return lsp#utils#path_to_uri(fnamemodify(l:at, ':p:h:h'))
    endif
  endfor
  return lsp#utils#path_to_uri(getcwd())
endfunction
