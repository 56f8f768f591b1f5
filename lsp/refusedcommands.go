package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/lsp/wire"
)

// refusedAt are the refused edits that are marked in the lines of a place.
func (s *server) refusedAt(doc *openDocument, at protocol.Range) []refusedEdit {
	return s.refused.in(doc.Root, func(one *refusedEdit) bool { return marksPlace(one, doc.Path, &at) })
}

// namedRefused are the refused edits that a command means: by its numbers, else by the place that it names, else all of the
// folder.
func (s *server) namedRefused(c *commandCall) []refusedEdit {
	r := c.target.root
	all := s.refused.in(r, func(one *refusedEdit) bool {
		return (c.args.TurnID == "" || one.turn == c.args.TurnID) && (c.args.Hunk == 0 || one.number == c.args.Hunk)
	})
	if c.args.Hunk != 0 && c.args.TurnID != "" || c.args.URI == "" {
		return all
	}
	return slices.DeleteFunc(all, func(one refusedEdit) bool { return !marksPlace(&one, c.target.path, c.target.rng) })
}

// marksPlace says whether a refused edit is marked in the lines of a place; a nil range is all of the file.
func marksPlace(one *refusedEdit, path string, rng *protocol.Range) bool {
	line := uint32(one.line) //nolint:gosec // a line of a file
	return one.path == path && (rng == nil || line >= rng.Start.Line && line <= rng.End.Line)
}

// cmdAskAgain asks the model again for a refused edit, or for all of a turn that can be asked for.
func (s *server) cmdAskAgain(_ context.Context, c *commandCall) (any, error) {
	if in := s.rootOfTurn(c.args.TurnID); in != nil {
		c.target.root = in
	}
	r := c.target.root
	list := s.namedRefused(c)
	ofTurn := c.args.TurnID != "" && c.args.Hunk == 0 && c.args.URI == ""
	if ofTurn {
		list = slices.DeleteFunc(list, func(one refusedEdit) bool { return !one.askable })
	} else if len(list) > 1 { // the cursor decides
		here := slices.DeleteFunc(slices.Clone(list), func(one refusedEdit) bool { return !marksPlace(&one, c.target.path, c.target.rng) })
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
			lines = append(lines, fmt.Sprintf("hunk %d on line %d of %s", one.number, one.line+1, one.path))
		}
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%d refused hunks here; go to the line of one: %s", len(list), strings.Join(lines, ", "))
	}
	turn := list[0].turn
	numbers := make([]int, len(list))
	for i, one := range list {
		numbers[i] = one.number
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
		s.dropRefused(r, func(other *refusedEdit) bool { return other.turn == turn && slices.Contains(numbers, other.number) })
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// cmdDismissRefused takes marks of refused edits away.
func (s *server) cmdDismissRefused(_ context.Context, c *commandCall) (any, error) {
	gone := s.namedRefused(c)
	dropped := s.dropRefused(c.target.root, func(one *refusedEdit) bool {
		return slices.ContainsFunc(gone, func(other refusedEdit) bool { return other.turn == one.turn && other.number == one.number })
	})
	status := "discarded"
	if len(dropped) == 0 {
		status = "none"
	}
	return map[string]any{"status": status, "hunks": len(dropped)}, nil
}
