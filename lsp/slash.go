package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/command"
)

// slash runs a command that was written in the place of an instruction; rest are its plain words. It is about the
// folder of the call.
func (s *server) slash(ctx context.Context, action command.Action, rest string, c *commandCall) (any, error) {
	return s.slashWith(ctx, action, rest, nil, c)
}

// slashWith is slash with further arguments of the command, by their names.
func (s *server) slashWith(ctx context.Context, action command.Action, rest string, more map[string]any, c *commandCall) (any, error) {
	call := &commandCall{row: s.table.rows[action.ID], target: c.target, keys: c.keys, from: c.from}
	words, err := action.Words(rest)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	var list []json.RawMessage
	for _, word := range words {
		raw, err := json.Marshal(word)
		if err != nil {
			return nil, err
		}
		list = append(list, raw)
	}
	for name := range more {
		if !slices.ContainsFunc(action.Args, func(a command.Arg) bool { return a.Name == name || slices.Contains(a.Also, name) }) {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s does not accept the argument %q", action.SlashWord(), name)
		}
	}
	if len(more) > 0 {
		raw, err := json.Marshal(more)
		if err != nil {
			return nil, err
		}
		list = append(list, raw)
	}
	if err := call.read(list, action.Args); err != nil {
		return nil, err
	}
	if call.row.soon {
		return s.soon(ctx, func(ctx context.Context) (any, error) { return call.run(ctx, call) })
	}
	return call.run(ctx, call)
}
