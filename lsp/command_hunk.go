package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/decide"
	"coauthor/lsp/deliver"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/wire"
)

// cmdKeep keeps the hunks that a command means.
func (s *server) cmdKeep(ctx context.Context, c *commandCall, args command.HunkArgs) (any, error) {
	r, refs, err := s.meantHunks(c, args)
	if err != nil {
		return nil, err
	}
	return s.keepHunks(ctx, r, refs)
}

// cmdKeepAll keeps all of a folder, or of some files or a request.
func (s *server) cmdKeepAll(ctx context.Context, c *commandCall, args command.HunksArgs) (any, error) {
	r, refs, err := s.allHunks(c, args)
	if err != nil {
		return nil, err
	}
	return s.keepHunks(ctx, r, refs)
}

func (s *server) keepHunks(ctx context.Context, r *folder.Folder, refs []proposal.HunkRef) (any, error) {
	if len(refs) == 0 {
		return map[string]any{"status": "none", "kept": 0, "left": 0}, nil
	}
	n, err := r.Session.Proposals.Keep(ctx, refs...)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	return map[string]any{"status": "kept", "kept": n, "left": hunksLeft(r)}, nil
}

// hunksLeft is how many hunks of a root are still to be looked at.
func hunksLeft(r *folder.Folder) int {
	reviewed := r.Session.Proposals.Reviewed()
	return len(reviewed.Hunks())
}

// cmdUndoHunk takes the hunks back that a command means.
func (s *server) cmdUndoHunk(ctx context.Context, c *commandCall, args command.HunkArgs) (any, error) {
	r, refs, err := s.meantHunks(c, args)
	if err != nil {
		return nil, err
	}
	return s.undoHunks(ctx, r, refs)
}

// cmdUndoAll takes back all of a folder, or of some files or a request.
func (s *server) cmdUndoAll(ctx context.Context, c *commandCall, args command.HunksArgs) (any, error) {
	r, refs, err := s.allHunks(c, args)
	if err != nil {
		return nil, err
	}
	return s.undoHunks(ctx, r, refs)
}

func (s *server) undoHunks(ctx context.Context, r *folder.Folder, refs []proposal.HunkRef) (any, error) {
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
		return undoneHunks{r.Decisions.View(o), hunksLeft(r)}, nil
	})
}

// undoneHunks is the answer of undoHunk and undoAll.
type undoneHunks struct {
	decide.Outcome
	Left int `json:"left"`
}

// reviewRoot is the root that a command about hunks, of a proposal or of any, means: that of its document, else the only one with something to look at.
func (s *server) reviewRoot(c *commandCall, of string) *folder.Folder {
	r := c.target.root
	if c.place.URI != "" && of == "" || hunksLeft(r) > 0 {
		return r
	}
	var list []*folder.Folder
	for _, other := range s.folders.Open() {
		if hunksLeft(other) > 0 {
			list = append(list, other)
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return r
}

// meantHunks are the hunks that a command names, else those at its place, else the only one of its document.
func (s *server) meantHunks(c *commandCall, args command.HunkArgs) (*folder.Folder, []proposal.HunkRef, error) {
	r := s.reviewRoot(c, args.ProposalID)
	if len(args.Hunks) > 0 {
		all, err := s.hunksOf(r, proposal.Selector{Proposal: args.ProposalID, Files: args.Files})
		if err != nil {
			return r, nil, err
		}
		all = slices.DeleteFunc(all, func(ref proposal.HunkRef) bool { return !slices.Contains(args.Hunks, ref.Number) })
		if len(all) == 0 {
			return r, nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "this hunk is not under review; you may have already kept or undone it")
		}
		return r, all, nil
	}
	doc, open := s.docs.Get(c.target.uri)
	if !open || doc.Root != r {
		return r, nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "put the cursor in the hunk, or give proposalId, files and hunks")
	}
	list := r.Marks.HunksIn(doc.Path)
	if c.target.rng != nil {
		list = r.Marks.HunksAt(doc.Path, *c.target.rng)
	}
	if c.target.rng == nil && len(list) > 1 {
		var lines []string
		for _, h := range list {
			lines = append(lines, fmt.Sprint(h.Shown.Start.Line+1))
		}
		return r, nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%d hunks in %s are under review; go to one of these lines: %s", len(list), doc.Path, strings.Join(lines, ", "))
	}
	if len(list) == 0 {
		return r, nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "no hunk is under review here; choose \"Go to the next change\" to find one")
	}
	refs := make([]proposal.HunkRef, len(list))
	for i, h := range list {
		refs[i] = h.HunkRef
	}
	return r, refs, nil
}

// allHunks are all hunks of a root that a command may mean.
func (s *server) allHunks(c *commandCall, args command.HunksArgs) (*folder.Folder, []proposal.HunkRef, error) {
	r := s.reviewRoot(c, args.ProposalID)
	refs, err := s.hunksOf(r, proposal.Selector{Turn: args.TurnID, Proposal: args.ProposalID, Files: args.Files})
	return r, refs, err
}

// hunksOf are the hunks of a root that are of the files, the request and the change that a command names.
func (s *server) hunksOf(r *folder.Folder, named proposal.Selector) (refs []proposal.HunkRef, err error) {
	files, err := s.folders.Paths(r, named.Files)
	if err != nil {
		return nil, err
	}
	reviewed := r.Session.Proposals.Reviewed()
	for _, f := range reviewed.Files {
		of := len(files) == 0 || slices.Contains(files, f.Path) || f.From != "" && slices.Contains(files, f.From)
		if !of || named.Proposal != "" && f.Proposal != named.Proposal ||
			named.Turn != "" && f.Turn != named.Turn && proposal.TurnOf(f.Turn) != named.Turn {
			continue
		}
		for _, h := range f.Hunks {
			refs = append(refs, h.HunkRef)
		}
	}
	return refs, nil
}

func (s *server) cmdNextHunk(ctx context.Context, c *commandCall) (any, error) {
	return s.goToHunk(ctx, c, nextHunk)
}

func (s *server) cmdPreviousHunk(ctx context.Context, c *commandCall) (any, error) {
	return s.goToHunk(ctx, c, previousHunk)
}

// hunkSpot is where a hunk is shown: the lines of a file from first to last.
type hunkSpot struct {
	path        string
	first, last int
	at          protocol.Range
}

// goToHunk shows the hunk that comes next from where the user is.
func (s *server) goToHunk(ctx context.Context, c *commandCall, next func(list []hunkSpot, from hunkSpot) hunkSpot) (any, error) {
	r := s.reviewRoot(c, "")
	var list []hunkSpot
	reviewed := r.Session.Proposals.Review(r.Workspace.Snapshot())
	for _, f := range reviewed.Files {
		if f.Op == edits.OpDelete {
			continue
		}
		for _, h := range r.Marks.Hunks(&f) {
			list = append(list, spotAt(f.Path, h.Shown))
		}
	}
	if len(list) == 0 {
		return map[string]any{"status": "none", "left": len(reviewed.Hunks())}, nil
	}
	slices.SortStableFunc(list, hunkSpot.compare)
	from := hunkSpot{first: -1, last: -1}
	switch {
	case c.target.root != r || c.target.path == "":
	case c.target.rng != nil:
		from = spotAt(c.target.path, *c.target.rng)
	default:
		from.path = c.target.path
	}
	to := next(list, from)
	uri := s.docs.uriOf(r, to.path)
	at := to.at
	result := map[string]any{"status": "shown", "uri": uri, "range": document.FromProtocol(at), "left": len(reviewed.Hunks())}
	return s.soonElse(ctx, result, func(ctx context.Context) (any, error) {
		start := protocol.Range{Start: at.Start, End: at.Start}
		shown, err := s.client.ShowDocument(ctx, uri, true, &start)
		if !shown {
			s.log.Info("hunk under review not shown by the client", "uri", uri, "err", err)
			s.client.ShowMessage(protocol.MessageTypeInfo, fmt.Sprintf("Coauthor: The hunk is on line %d of %s.", at.Start.Line+1, display.Message(to.path)))
		}
		s.docs.Focus(uri, &start)
		return result, nil
	})
}

func spotAt(path string, at protocol.Range) hunkSpot {
	return hunkSpot{path, int(at.Start.Line), int(at.End.Line), at}
}

// compare orders hunks by path and line.
func (h hunkSpot) compare(other hunkSpot) int {
	if c := strings.Compare(h.path, other.path); c != 0 {
		return c
	}
	return h.first - other.first
}

// nextHunk is the first hunk behind a place, else the first of all.
func nextHunk(list []hunkSpot, from hunkSpot) hunkSpot {
	for _, h := range list {
		if h.path > from.path || h.path == from.path && h.first > from.last {
			return h
		}
	}
	return list[0]
}

// previousHunk is the last hunk before a place, else the last of all.
func previousHunk(list []hunkSpot, from hunkSpot) hunkSpot {
	for _, h := range slices.Backward(list) {
		if h.path < from.path || h.path == from.path && h.first < from.first {
			return h
		}
	}
	return list[len(list)-1]
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
