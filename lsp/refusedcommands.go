package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"coauthor/lsp/annotate"
	"coauthor/lsp/wire"
)

// namedRefused are the refused edits that a command means: by its numbers, else by the place that it names, else all of the
// folder.
func namedRefused(c *commandCall) []annotate.Rejected {
	all := c.target.root.marks.Rejected(func(one *annotate.Rejected) bool {
		return (c.args.TurnID == "" || one.Turn == c.args.TurnID) && (c.args.Hunk == 0 || one.Number == c.args.Hunk)
	})
	if c.args.Hunk != 0 && c.args.TurnID != "" || c.args.URI == "" {
		return all
	}
	return slices.DeleteFunc(all, func(one annotate.Rejected) bool { return !one.In(c.target.path, c.target.rng) })
}

// cmdAskAgain asks the model again for a refused edit, or for all of a turn that can be asked for.
func (s *server) cmdAskAgain(_ context.Context, c *commandCall) (any, error) {
	if in := s.rootOfTurn(c.args.TurnID); in != nil {
		c.target.root = in
	}
	r := c.target.root
	list := namedRefused(c)
	ofTurn := c.args.TurnID != "" && c.args.Hunk == 0 && c.args.URI == ""
	if ofTurn {
		list = slices.DeleteFunc(list, func(one annotate.Rejected) bool { return !one.Askable })
	} else if len(list) > 1 { // the cursor decides
		here := slices.DeleteFunc(slices.Clone(list), func(one annotate.Rejected) bool { return !one.In(c.target.path, c.target.rng) })
		if len(here) > 0 {
			list = here
		}
	}
	switch {
	case len(list) == 0:
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "no refused hunk here")
	case ofTurn:
	case len(list) > 1:
		var lines []string
		for _, one := range list {
			lines = append(lines, fmt.Sprintf("hunk %d on line %d of %s", one.Number, one.Line+1, one.Path))
		}
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%d refused hunks here; go to the line of one: %s", len(list), strings.Join(lines, ", "))
	}
	turn := list[0].Turn
	numbers := make([]int, len(list))
	for i, one := range list {
		numbers[i] = one.Number
	}
	req, err := r.session.AskAgain(turn, numbers...)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if c.args.Model != "" {
		req.Model = c.args.Model
	}
	if c.args.Preview != "" {
		req.Preview = c.args.Preview
	}
	started, err := s.startRequest(r, req)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if started.Turn != "" {
		r.marks.Drop(func(other *annotate.Rejected) bool {
			return other.Turn == turn && slices.Contains(numbers, other.Number)
		})
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// cmdDismissRefused takes marks of refused edits away.
func (s *server) cmdDismissRefused(_ context.Context, c *commandCall) (any, error) {
	gone := namedRefused(c)
	dropped := c.target.root.marks.Drop(func(one *annotate.Rejected) bool {
		return slices.ContainsFunc(gone, func(other annotate.Rejected) bool { return other.Turn == one.Turn && other.Number == one.Number })
	})
	status := "discarded"
	if len(dropped) == 0 {
		status = "none"
	}
	return map[string]any{"status": status, "hunks": len(dropped)}, nil
}
