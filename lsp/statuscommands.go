package lsp

import (
	"context"

	"coauthor/agent/proposal"
)

// cmdDoctor checks the set-up.
func (s *server) cmdDoctor(ctx context.Context, c *commandCall) (any, error) {
	return s.doctor(ctx, c.target.root), nil
}

// statusResult is the answer of coauthor.status.
type statusResult struct {
	Busy      bool            `json:"busy"`
	Turns     []turnLine      `json:"turns"`
	Model     string          `json:"model"`
	LastError string          `json:"lastError,omitzero"`
	Usage     *usageView      `json:"usage"`
	Pending   []pendingResult `json:"pending"`
	Client    string          `json:"client"` // the profile in force
}

type turnLine struct {
	TurnID  string `json:"turnId"`
	State   string `json:"state"`
	Label   string `json:"label"`
	Seconds int    `json:"seconds"`
}

type pendingResult struct {
	TurnID     string   `json:"turnId"`
	ProposalID string   `json:"proposalId"`
	Revision   int      `json:"revision"`
	State      string   `json:"state"`
	Shown      bool     `json:"shown"` // this revision was; until then it is not applied
	Label      string   `json:"label"`
	Files      []string `json:"files"`
}

func (s *server) cmdStatus(_ context.Context, c *commandCall) (any, error) {
	r := c.target.root
	st := r.session.Status()
	out := statusResult{
		Busy: st.Busy, Model: st.Model, LastError: st.LastError, Usage: viewUsage(st.Usage), Client: s.quirks.Client,
		Turns: []turnLine{}, Pending: []pendingResult{},
	}
	for _, t := range st.Turns {
		out.Turns = append(out.Turns, turnLine{
			TurnID: t.ID, State: string(t.State), Label: t.Label, Seconds: int(s.opts.Clock().Sub(t.Started).Seconds()),
		})
	}
	for _, p := range st.Pending {
		out.Pending = append(out.Pending, s.pendingResult(r, &p))
	}
	return out, nil
}

func (s *server) pendingResult(r *rootState, p *proposal.Proposal) pendingResult {
	line := pendingResult{
		TurnID: p.Turn, ProposalID: p.ID, Revision: p.Revision, State: string(p.State), Shown: p.Shown == p.Revision,
		Label: p.Label, Files: []string{},
	}
	for i := range p.Files {
		line.Files = append(line.Files, s.uriOf(r, p.Files[i].Path()))
	}
	return line
}
