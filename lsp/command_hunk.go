package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/command"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/decide"
	"coauthor/lsp/deliver"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/hunks"
	"coauthor/lsp/wire"
)

// hunksMeant are the hunks of a folder that a command means.
type hunksMeant func(*hunks.Hunks, hunks.Named) ([]proposal.HunkRef, error)

// cmdKeep keeps hunks.
func (s *server) cmdKeep(ctx context.Context, c *commandCall, named hunks.Named, meant hunksMeant) (any, error) {
	r := s.placeHunks(c, &named)
	refs, err := meant(r.Hunks, named)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		return map[string]any{"status": "none", "kept": 0, "left": 0}, nil
	}
	n, err := r.Session.Proposals.Reviews.Keep(ctx, refs...)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	return map[string]any{"status": "kept", "kept": n, "left": r.Hunks.Left()}, nil
}

// cmdUndoHunks takes hunks back.
func (s *server) cmdUndoHunks(ctx context.Context, c *commandCall, named hunks.Named, meant hunksMeant) (any, error) {
	r := s.placeHunks(c, &named)
	refs, err := meant(r.Hunks, named)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		return map[string]any{"status": "none", "files": []decide.FileOutcome{}, "left": 0}, nil
	}
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		o, err := r.Decisions.Deliver(deliver.Options{}, proposal.StatusUndone, func(d proposal.Delivery) (proposal.Outcome, error) {
			return r.Session.Proposals.UndoHunks(ctx, d, refs...)
		})
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return undoneHunks{r.Decisions.View(o), r.Hunks.Left()}, nil
	})
}

// undoneHunks is the answer of undoHunk and undoAll.
type undoneHunks struct {
	decide.Outcome
	Left int `json:"left"`
}

// cmdGoToHunk shows the hunk that comes next from where the user is.
func (s *server) cmdGoToHunk(next func(*hunks.Hunks, hunks.Place) (to *hunks.Place, left int)) runCommand {
	return func(ctx context.Context, c *commandCall) (any, error) {
		r, from := s.reviewRoot(c, ""), hunks.Place{}
		if c.target.root == r {
			from = hunks.Place{Path: c.target.path, Range: c.target.rng}
		}
		to, left := next(r.Hunks, from)
		if to == nil {
			return map[string]any{"status": "none", "left": left}, nil
		}
		result := map[string]any{"status": "shown", "uri": s.docs.uriOf(r, to.Path), "range": document.FromProtocol(*to.Range), "left": left}
		return s.soonElse(ctx, result, func(ctx context.Context) (any, error) {
			r.Hunks.Show(ctx, to)
			return result, nil
		})
	}
}

// reviewRoot is the root that a command about hunks, of a proposal or of any, means: that of its document, else the only one
// with something to look at.
func (s *server) reviewRoot(c *commandCall, of string) *folder.Folder {
	r := c.target.root
	if c.place.URI != "" && of == "" || r.Hunks.Left() > 0 {
		return r
	}
	list := slices.DeleteFunc(s.folders.Open(), func(other *folder.Folder) bool { return other.Hunks.Left() == 0 })
	if len(list) == 1 {
		return list[0]
	}
	return r
}

// placeHunks adds the place of a command to what it says of the hunks that it means, and returns the root in which they are.
func (s *server) placeHunks(c *commandCall, named *hunks.Named) *folder.Folder {
	r := s.reviewRoot(c, named.Proposal)
	if doc, open := s.docs.Get(c.target.uri); open && doc.Root == r {
		named.Place = &hunks.Place{Path: doc.Path, Range: c.target.rng}
	}
	return r
}

// hunkCommand is a command about the hunks that its arguments or its place mean.
func hunkCommand(run func(context.Context, *commandCall, hunks.Named, hunksMeant) (any, error)) readCommand {
	return with(func(ctx context.Context, c *commandCall, a command.HunkArgs) (any, error) {
		return run(ctx, c, hunks.Named{Files: a.Files, Proposal: a.ProposalID, Numbers: a.Hunks}, (*hunks.Hunks).Meant)
	})
}

// hunksCommand is a command about all hunks of a folder, or of some files, a change or a request.
func hunksCommand(run func(context.Context, *commandCall, hunks.Named, hunksMeant) (any, error)) readCommand {
	return with(func(ctx context.Context, c *commandCall, a command.HunksArgs) (any, error) {
		return run(ctx, c, hunks.Named{Files: a.Files, Proposal: a.ProposalID, Turn: a.TurnID}, (*hunks.Hunks).All)
	})
}

// namedRefused are the refused edits that a command means: by its numbers, else by the place that it names, else all of the
// folder.
func namedRefused(c *commandCall, args command.Refused) []annotate.Rejected {
	all := c.target.root.Marks.Rejected(func(one *annotate.Rejected) bool {
		return (args.TurnID == "" || one.Turn == args.TurnID) && (args.Hunk == 0 || one.Number == args.Hunk)
	})
	if args.Hunk != 0 && args.TurnID != "" || c.place.URI == "" {
		return all
	}
	return slices.DeleteFunc(all, func(one annotate.Rejected) bool { return !one.In(c.target.path, c.target.rng) })
}

// cmdAskAgain asks the model again for a refused edit, or for all of a turn that can be asked for.
func (s *server) cmdAskAgain(_ context.Context, c *commandCall, args command.AskAgainArgs) (any, error) {
	if in := s.rootOfTurn(args.TurnID); in != nil {
		c.target.root = in
	}
	r := c.target.root
	list := namedRefused(c, args.Refused)
	ofTurn := args.TurnID != "" && args.Hunk == 0 && c.place.URI == ""
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
	req, err := r.Session.AskAgain(turn, numbers...)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if args.Model != "" {
		req.Model = args.Model
	}
	if args.Preview != "" {
		req.Preview = args.Preview
	}
	started, err := s.startRequest(r, req)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if started.Turn != "" {
		r.Marks.Drop(func(other *annotate.Rejected) bool {
			return other.Turn == turn && slices.Contains(numbers, other.Number)
		})
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// cmdDismissRefused takes marks of refused edits away.
func (s *server) cmdDismissRefused(_ context.Context, c *commandCall, args command.Refused) (any, error) {
	gone := namedRefused(c, args)
	dropped := c.target.root.Marks.Drop(func(one *annotate.Rejected) bool {
		return slices.ContainsFunc(gone, func(other annotate.Rejected) bool { return other.Turn == one.Turn && other.Number == one.Number })
	})
	status := "discarded"
	if len(dropped) == 0 {
		status = "none"
	}
	return map[string]any{"status": status, "hunks": len(dropped)}, nil
}
