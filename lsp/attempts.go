package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/review"
)

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
	p, err := r.session.Proposals().Find(sel)
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
	taken, err := r.session.Proposals().TakeAttempt(sel, n)
	if err != nil {
		return nil, refusal(err, s.docs.uris(r))
	}
	s.showTaken(ctx, r, taken, c.args.Preview)
	return viewAttempt(&taken, "pending"), nil
}

// showTaken shows what a proposal has become, beside the answer to the request.
func (s *server) showTaken(ctx context.Context, r *rootState, p proposal.Proposal, preview string) {
	request := ctx
	s.tasks.background(func(ctx context.Context) {
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
