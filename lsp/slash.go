package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent"
)

// slash runs a command that was written in the place of an instruction; rest are its plain words. It is about the
// folder of the call.
func (s *server) slash(ctx context.Context, action agent.Action, rest string, c *commandCall) (any, error) {
	call := &commandCall{row: s.commands[action.ID], target: c.target, keys: c.keys, from: c.from}
	given, err := action.Given(rest)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	var list []json.RawMessage
	words := given.Files
	if given.Text != "" {
		words = []string{given.Text}
	}
	for _, word := range words {
		raw, err := json.Marshal(word)
		if err != nil {
			return nil, err
		}
		list = append(list, raw)
	}
	if call.args, err = readArguments(list, action.Args); err != nil {
		return nil, err
	}
	if call.row.soon {
		return s.soon(ctx, func(ctx context.Context) (any, error) { return call.row.run(s, ctx, call) })
	}
	return call.row.run(s, ctx, call)
}
