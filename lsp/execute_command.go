package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent/command"
	"coauthor/agent/command/arg"
	"coauthor/lsp/chat"
	"coauthor/lsp/client"
)

// answerWithin is how long a command may wait for the client before its request is answered and the
// rest happens behind it: some editors stand still meanwhile.
const answerWithin = 800 * time.Millisecond

// commandCall is a command with what it was made against.
type commandCall struct {
	row    commandRow
	run    runCommand // with the arguments that were given
	place  placeArgs
	target target
	keys   int            // how many keys there had been when it came
	from   chat.From      // the prompt document in which it was written; none for another command
	given  map[string]any // that the head of that document gives the command, by name
	err    error
}

// captureCommand reads the arguments and fixes the target before later messages can move it.
func (s *server) captureCommand(p *executeParams) *commandCall {
	c := &commandCall{}
	c.keys, _ = s.docs.keys.state()
	action, known := command.ActionOf(s.table.actions, p.Command)
	if c.row = s.table.rows[action.ID]; !known || c.row.run == nil {
		c.err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown command %q", p.Command)
		return c
	}
	if c.err = c.read(p.Arguments, action.Args); c.err != nil {
		return c
	}
	switch {
	case c.row.prompt && c.place.URI == "":
		c.place.URI = s.docs.LastPrompt()
	case c.row.elsewhere && s.folders.Ours(c.place.URI):
		c.place.URI, c.place.Range, c.place.Version = "", nil, nil
	}
	c.target, c.err = s.target(&c.place)
	return c
}

// read reads the arguments: where the command is made, and those of its function.
func (c *commandCall) read(given []json.RawMessage, fields []command.Arg) error {
	err := arg.Decode(given, fields, &c.place)
	if err == nil {
		c.run, err = c.row.run(given, fields)
	}
	if err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	return nil
}

// executeCommand answers within a second; turns run behind it.
func (s *server) executeCommand(ctx context.Context, _ *executeParams, c *commandCall) (any, error) {
	ctx = askedAt(ctx, c.keys)
	if c.err == nil && (c.place.URI != "" || c.row.place) {
		c.err = c.target.find(ctx, s.folders, &s.docs)
	}
	if c.err != nil {
		return nil, c.err
	}
	if c.row.settings {
		s.config.wait(ctx)
	}
	if c.row.soon {
		return s.soon(ctx, func(ctx context.Context) (any, error) { return c.run(ctx, c) })
	}
	return c.run(ctx, c)
}

// soon runs f on the connection's context and returns its result, or {status: "started"} when it asks the user or
// takes too long for a request. What goes wrong after that is told in a message.
func (s *server) soon(ctx context.Context, f func(context.Context) (any, error)) (any, error) {
	return s.soonElse(ctx, map[string]any{"status": "started"}, f)
}

// soonElse is soon with what to return then.
func (s *server) soonElse(ctx context.Context, started any, f func(context.Context) (any, error)) (any, error) {
	type outcome struct {
		result any
		err    error
	}
	done := make(chan outcome) // taken by this call, or by nobody
	late := make(chan struct{})
	asking := make(chan struct{})
	waits := sync.OnceFunc(func() { close(asking) })
	request := ctx
	s.tasks.Background(func(ctx context.Context) {
		ctx = client.OnAsking(keepAsked(request, ctx), waits)
		var o outcome
		if err := s.router.Guard("command", func() error { o.result, o.err = f(ctx); return nil }); err != nil {
			o.err = err
		}
		select {
		case done <- o:
		case <-late:
			if o.err != nil && ctx.Err() == nil {
				s.client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+o.err.Error())
			}
		}
	})
	defer close(late)
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-asking:
		return started, nil
	case <-time.After(s.opts.within(answerWithin)):
		return started, nil
	}
}

const statusNeedsInput = "needsInput"

// slash runs a command that was written in the place of an instruction; rest are its plain words, and more are further
// arguments, by their names. It is about the folder of the call.
func (s *server) slash(ctx context.Context, action command.Action, rest string, more map[string]any, c *commandCall) (any, error) {
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
