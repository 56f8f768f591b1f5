package lsp

import (
	"cmp"
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/proposal"
	"coauthor/lsp/wire"
)

// chosen finds the root and the selector of a command: by the ids it names, else by the document,
// else the one root in which something waits.
func (s *server) chosen(c *commandCall) (*rootState, proposal.Selector, error) {
	r := c.target.root
	switch {
	case c.args.ProposalID != "" || c.args.TurnID != "":
		for _, other := range s.roots.states() {
			sel := proposal.Selector{Turn: c.args.TurnID, Proposal: c.args.ProposalID}
			if _, err := other.session.Proposals().Find(sel); err == nil {
				r = other
			}
		}
	case c.args.URI == "" && len(r.session.Proposals().Pending()) == 0:
		var waiting []*rootState
		for _, other := range s.roots.states() {
			if len(other.session.Proposals().Pending()) > 0 {
				waiting = append(waiting, other)
			}
		}
		if len(waiting) == 1 {
			r = waiting[0]
		}
	}
	sel, err := s.roots.selector(r, &c.args)
	return r, sel, err
}

func (s *server) cmdApply(ctx context.Context, c *commandCall) (any, error) {
	r, sel, err := s.chosen(c)
	if err != nil {
		return nil, err
	}
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		o, err := s.applyPending(ctx, r, sel)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return viewOutcome(o, s.docs.uris(r)), nil
	})
}

func (s *server) cmdUndo(ctx context.Context, c *commandCall) (any, error) {
	return s.turnBack(ctx, c, s.undoTurn)
}

func (s *server) cmdRedo(ctx context.Context, c *commandCall) (any, error) {
	return s.turnBack(ctx, c, s.redoTurn)
}

// turnBack takes a turn back, or does it again.
func (s *server) turnBack(ctx context.Context, c *commandCall, do func(context.Context, *rootState, string) (proposal.Outcome, error)) (any, error) {
	r := c.target.root
	if c.args.TurnID != "" {
		if in := s.rootOfTurn(c.args.TurnID); in != nil {
			r = in
		}
	}
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		o, err := do(ctx, r, c.args.TurnID)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return viewOutcome(o, s.docs.uris(r)), nil
	})
}

func (s *server) cmdDiscard(_ context.Context, c *commandCall) (any, error) {
	r, sel, err := s.chosen(c)
	if err != nil {
		return nil, err
	}
	p, err := s.review(r).Discard(sel)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	return map[string]any{"status": string(p.State), "turnId": p.Turn, "proposalId": p.ID}, nil
}

func (s *server) cmdShowPending(ctx context.Context, c *commandCall) (any, error) {
	r, sel, err := s.chosen(c)
	if err != nil {
		return nil, err
	}
	if c.args.Format == "files" { // only the list, for an editor that draws it itself
		p, err := r.session.Proposals().Find(sel)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return s.viewPending(r, &p), nil
	}
	v, err := s.showPending(ctx, r, sel)
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
func (s *server) rootOfTurn(turn string) *rootState {
	for _, r := range s.roots.states() {
		if _, err := r.session.Proposals().Find(proposal.Selector{Turn: turn}); err == nil || errors.Is(err, proposal.ErrAmbiguous) {
			return r
		}
		for _, t := range r.session.Turns() {
			if t.ID == proposal.TurnOf(turn) {
				return r
			}
		}
	}
	if v := s.turns.Find(turn); v != nil {
		return s.roots.with(v.Session())
	}
	return nil
}

// outcome is the answer of apply, undoTurn and redoTurn.
type outcome struct {
	TurnID     string        `json:"turnId,omitzero"`
	ProposalID string        `json:"proposalId,omitzero"`
	Status     string        `json:"status"`
	Reason     string        `json:"reason,omitzero"`
	NewestOf   int           `json:"newestOf,omitzero"` // how many were pending where none was named
	Files      []fileOutcome `json:"files"`
}

type fileOutcome struct {
	URI    string `json:"uri"`
	Op     string `json:"op"`
	State  string `json:"state"`
	Reason string `json:"reason,omitzero"`
}

func viewOutcome(o proposal.Outcome, uriOf func(path string) string) outcome {
	v := outcome{TurnID: o.Turn, ProposalID: o.Proposal, Status: string(o.Status), Reason: o.Reason, NewestOf: o.Among, Files: []fileOutcome{}}
	for _, f := range o.Files {
		path := f.Path
		if f.To != "" {
			path = f.To
		}
		v.Files = append(v.Files, fileOutcome{URI: uriOf(path), Op: string(f.Op), State: string(f.State), Reason: cmp.Or(f.Reason, f.Remark)})
	}
	return v
}
