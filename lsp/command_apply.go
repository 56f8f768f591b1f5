package lsp

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/decide"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// chosen finds the root and the selector of a command: by the ids it names, else by the document,
// else the one root in which something waits.
func (s *server) chosen(c *commandCall, named command.Selector) (*folder.Folder, proposal.Selector, error) {
	r := c.target.root
	switch {
	case named.ProposalID != "" || named.TurnID != "":
		for _, other := range s.folders.Open() {
			sel := proposal.Selector{Turn: named.TurnID, Proposal: named.ProposalID}
			if _, err := other.Session.Proposals.Find(sel); err == nil {
				r = other
			}
		}
	case c.place.URI == "" && len(r.Session.Proposals.Pending()) == 0:
		var waiting []*folder.Folder
		for _, other := range s.folders.Open() {
			if len(other.Session.Proposals.Pending()) > 0 {
				waiting = append(waiting, other)
			}
		}
		if len(waiting) == 1 {
			r = waiting[0]
		}
	}
	sel, err := selector(s.folders, r, named)
	return r, sel, err
}

// selector names a proposal and what of it is meant.
func selector(t *folder.Table, r *folder.Folder, named command.Selector) (proposal.Selector, error) {
	files, err := t.Paths(r, named.Files)
	return proposal.Selector{
		Turn: named.TurnID, Proposal: named.ProposalID, Revision: named.Revision, Files: files, Hunks: named.Hunks,
	}, err
}

func (s *server) cmdApply(ctx context.Context, c *commandCall, args command.Selector) (any, error) {
	r, sel, err := s.chosen(c, args)
	if err != nil {
		return nil, err
	}
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		o, err := r.Decisions.Apply(ctx, sel)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return r.Decisions.View(o), nil
	})
}

func (s *server) cmdUndo(ctx context.Context, c *commandCall, args command.TurnArgs) (any, error) {
	return s.turnBack(ctx, c, args.TurnID, (*decide.Decisions).Undo)
}

func (s *server) cmdRedo(ctx context.Context, c *commandCall, args command.TurnArgs) (any, error) {
	return s.turnBack(ctx, c, args.TurnID, (*decide.Decisions).Redo)
}

// turnBack takes a turn back, or does it again.
func (s *server) turnBack(ctx context.Context, c *commandCall, turn string, do func(*decide.Decisions, context.Context, string) (proposal.Outcome, error)) (any, error) {
	r := c.target.root
	if turn != "" {
		if in := s.rootOfTurn(turn); in != nil {
			r = in
		}
	}
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		o, err := do(r.Decisions, ctx, turn)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return r.Decisions.View(o), nil
	})
}

func (s *server) cmdDiscard(_ context.Context, c *commandCall, args command.Selector) (any, error) {
	r, sel, err := s.chosen(c, args)
	if err != nil {
		return nil, err
	}
	p, err := r.Shown.Review().Discard(sel)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	return map[string]any{"status": string(p.State), "turnId": p.Turn, "proposalId": p.ID}, nil
}

func (s *server) cmdShowPending(ctx context.Context, c *commandCall, args command.ShowPendingArgs) (any, error) {
	r, sel, err := s.chosen(c, args.Selector)
	if err != nil {
		return nil, err
	}
	if args.Format == "files" { // only the list, for an editor that draws it itself
		p, err := r.Session.Proposals.Find(sel)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return r.Pending.View(&p), nil
	}
	v, err := r.Pending.Show(ctx, sel)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	return v, nil
}

// refusal turns a refusal of the store into an answer whose data lists what could have been meant.
func refusal(err error, uriOf func(path string) string) error {
	var refused *proposal.Refusal
	if !errors.As(err, &refused) {
		return err
	}
	e := jsonrpc2.NewError(wire.CodeRequestFailed, err.Error())
	data := map[string]any{"pending": []pendingResult{}}
	var list []pendingResult
	for i := range refused.Candidates {
		list = append(list, viewWaiting(&refused.Candidates[i], uriOf))
	}
	if list != nil {
		data["pending"] = list
	}
	if raw, encodeErr := wire.Encode(data); encodeErr == nil {
		e.Data = raw
	}
	return e
}

// rootOfTurn returns the root in which a turn ran or runs; nil when it is unknown here.
func (s *server) rootOfTurn(turn string) *folder.Folder {
	for _, r := range s.folders.Open() {
		if _, err := r.Session.Proposals.Find(proposal.Selector{Turn: turn}); err == nil || errors.Is(err, proposal.ErrAmbiguous) {
			return r
		}
		for _, t := range r.Session.Turns.List() {
			if t.ID == proposal.TurnOf(turn) {
				return r
			}
		}
	}
	if v := s.turns.Find(turn); v != nil {
		return s.folders.With(v.Session())
	}
	return nil
}

// attemptResult is the answer of coauthor.takeAttempt.
type attemptResult struct {
	Status     string             `json:"status"`
	TurnID     string             `json:"turnId"`
	ProposalID string             `json:"proposalId"`
	Revision   int                `json:"revision"`
	Attempt    int                `json:"attempt"`
	Attempts   []event.AttemptRef `json:"attempts"`
}

func viewAttempt(p *proposal.Proposal, status string) attemptResult {
	return attemptResult{Status: status, TurnID: p.Turn, ProposalID: p.ID, Revision: p.Revision, Attempt: p.Attempt, Attempts: review.Attempts(p)}
}

// cmdTakeAttempt makes another attempt of a proposal its content, and shows it. Without a number the user is asked which.
func (s *server) cmdTakeAttempt(ctx context.Context, c *commandCall, args command.TakeAttemptArgs) (any, error) {
	r, sel, err := s.chosen(c, command.Selector{TurnID: args.TurnID, ProposalID: args.ProposalID, Revision: args.Revision})
	if err != nil {
		return nil, err
	}
	p, err := r.Session.Proposals.Find(sel)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	request, preview := ctx, args.Preview
	show := func(p proposal.Proposal) { // beside the answer to the request
		s.tasks.Background(func(ctx context.Context) {
			r.Shown.Review().Preview(keepAsked(request, ctx), p, cmp.Or(preview, s.config.of(r).Preview))
		})
	}
	var n int
	if args.Attempt == "" && len(p.Attempts) > 1 {
		if n, err = r.Decisions.AskAttempt(ctx, &p); err != nil {
			return nil, err
		}
		if n == 0 {
			return viewAttempt(&p, "none"), nil
		}
		sel.Revision = p.Revision // whose attempts the user was shown
	} else if n, err = strconv.Atoi(string(args.Attempt)); err != nil && args.Attempt != "" {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "attempt %q is not a number; use a number from 1 to %d", args.Attempt, len(p.Attempts))
	}
	if n == p.Attempt && n > 0 && p.Pending() { // it is what is there: it is shown
		show(p)
		return viewAttempt(&p, "pending"), nil
	}
	taken, err := r.Session.Proposals.TakeAttempt(sel, n)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	show(taken)
	return viewAttempt(&taken, "pending"), nil
}

// cmdResolve does what the user has chosen to do about a conflict.
func (s *server) cmdResolve(ctx context.Context, c *commandCall, args command.ResolveArgs) (any, error) {
	r, sel, err := s.chosen(c, args.Selector)
	if err != nil {
		return nil, err
	}
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		v, err := r.Decisions.Resolve(ctx, sel, args.Take)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return v, nil
	})
}
