package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent"
)

// slash runs a command that was written in the place of an instruction; rest are its plain words. It is about the
// folder of the call.
func (s *server) slash(ctx context.Context, action agent.Action, rest string, c *commandCall) (any, error) {
	call := &commandCall{row: s.commands[action.ID], target: c.target, keys: c.keys}
	var list []json.RawMessage
	if rest != "" {
		if !slices.ContainsFunc(action.Args, func(arg agent.Arg) bool { return arg.Bare }) {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "/%s is a command of Coauthor and takes nothing behind it; write it alone, or begin your instruction with another word", action.Word)
		}
		word, err := json.Marshal(rest)
		if err != nil {
			return nil, err
		}
		list = append(list, word)
	}
	var err error
	if call.args, err = readArguments(list, action.Args); err != nil {
		return nil, err
	}
	if call.row.soon {
		return s.soon(ctx, func(ctx context.Context) (any, error) { return call.row.run(s, ctx, call) })
	}
	return call.row.run(s, ctx, call)
}
