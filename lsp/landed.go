package lsp

func (s *server) documentChanged(r *rootState, path string) {}
