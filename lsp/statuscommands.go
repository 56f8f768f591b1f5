package lsp

import (
	"context"
	"time"

	"coauthor/agent"
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
	return viewStatus(r.session.Status(), s.quirks.Client, s.opts.Clock(), s.uris(r)), nil
}

// viewStatus tells the state of a session at a time; client is the profile in force.
func viewStatus(st agent.Status, client string, now time.Time, uriOf func(path string) string) statusResult {
	out := statusResult{
		Busy: st.Busy, Model: st.Model, LastError: st.LastError, Usage: viewUsage(st.Usage), Client: client,
		Turns: []turnLine{}, Pending: []pendingResult{},
	}
	for _, t := range st.Turns {
		out.Turns = append(out.Turns, turnLine{
			TurnID: t.ID, State: string(t.State), Label: t.Label, Seconds: int(now.Sub(t.Started).Seconds()),
		})
	}
	for _, p := range st.Pending {
		out.Pending = append(out.Pending, viewWaiting(&p, uriOf))
	}
	return out
}

// viewWaiting is one proposal in the list of those that wait.
func viewWaiting(p *proposal.Proposal, uriOf func(path string) string) pendingResult {
	line := pendingResult{
		TurnID: p.Turn, ProposalID: p.ID, Revision: p.Revision, State: string(p.State), Shown: p.Shown == p.Revision,
		Label: p.Label, Files: []string{},
	}
	for i := range p.Files {
		line.Files = append(line.Files, uriOf(p.Files[i].Path()))
	}
	return line
}
