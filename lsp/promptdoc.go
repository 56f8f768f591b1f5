package lsp

import (
	"context"

	"coauthor/agent"
)

func (s *server) openPrompt(ctx context.Context, r *rootState, t target, kind string) (uri string, err error) {
	return "", errUnsupported
}

func (s *server) readPrompt(r *rootState, path string) (agent.Request, error) {
	return agent.Request{}, errUnsupported
}

func isPromptDocument(path string) bool { return false }
