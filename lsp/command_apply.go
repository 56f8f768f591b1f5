package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/review"
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
			if _, err := other.session.Proposals.Find(sel); err == nil {
				r = other
			}
		}
	case c.args.URI == "" && len(r.session.Proposals.Pending()) == 0:
		var waiting []*rootState
		for _, other := range s.roots.states() {
			if len(other.session.Proposals.Pending()) > 0 {
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
		p, err := r.session.Proposals.Find(sel)
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
		if _, err := r.session.Proposals.Find(proposal.Selector{Turn: turn}); err == nil || errors.Is(err, proposal.ErrAmbiguous) {
			return r
		}
		for _, t := range r.session.Turns.List() {
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
func (s *server) cmdTakeAttempt(ctx context.Context, c *commandCall) (any, error) {
	r, sel, err := s.chosen(c)
	if err != nil {
		return nil, err
	}
	p, err := r.session.Proposals.Find(sel)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	var n int
	if c.args.Attempt == "" && len(p.Attempts) > 1 {
		if n, err = s.askAttempt(ctx, r, &p); err != nil {
			return nil, err
		}
		if n == 0 {
			return viewAttempt(&p, "none"), nil
		}
		sel.Revision = p.Revision // whose attempts the user was shown
	} else if n, err = strconv.Atoi(c.args.Attempt); err != nil && c.args.Attempt != "" {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "attempt %q is not a number; use a number from 1 to %d", c.args.Attempt, len(p.Attempts))
	}
	if n == p.Attempt && n > 0 && p.Pending() { // it is what is there: it is shown
		s.showTaken(ctx, r, p, c.args.Preview)
		return viewAttempt(&p, "pending"), nil
	}
	taken, err := r.session.Proposals.TakeAttempt(sel, n)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	s.showTaken(ctx, r, taken, c.args.Preview)
	return viewAttempt(&taken, "pending"), nil
}

// showTaken shows what a proposal has become, beside the answer to the request.
func (s *server) showTaken(ctx context.Context, r *rootState, p proposal.Proposal, preview string) {
	request := ctx
	s.tasks.Background(func(ctx context.Context) {
		s.review(r).Preview(keepAsked(request, ctx), p, cmp.Or(preview, s.settings(r).Preview))
	})
}

// askAttempt asks which attempt is meant; 0 is none.
func (s *server) askAttempt(ctx context.Context, r *rootState, p *proposal.Proposal) (int, error) {
	const leave = "keep this attempt"
	q := event.Question{Turn: p.Turn, Default: leave}
	first := max(0, len(p.Attempts)-mostChosen)
	numbers, lines := []int{}, []string{}
	for i, a := range review.Attempts(p) {
		if i < first || i+1 == p.Attempt {
			continue
		}
		line := review.Cut(fmt.Sprintf("attempt %d: %s", i+1, a), 80)
		q.Choices, q.Titles = append(q.Choices, fmt.Sprintf("attempt %d", i+1)), append(q.Titles, "take "+line)
		numbers, lines = append(numbers, i+1), append(lines, line)
	}
	q.Choices, q.Titles = append(q.Choices, leave), append(q.Titles, leave)
	q.Text = fmt.Sprintf("Attempt %d of %d is shown (%s). Which attempt do you want? %s.", p.Attempt, len(p.Attempts),
		display.Message(p.Attempts[p.Attempt-1].Label), strings.Join(lines, "; "))
	a, err := s.asker(r).Ask(ctx, q)
	if err != nil {
		return 0, err
	}
	i := slices.Index(q.Choices, a.Choice)
	if i < 0 || i == len(numbers) {
		return 0, nil
	}
	return numbers[i], nil
}
