package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/lsp/turnview"
)

// cmdDoctor checks the setup.
func (s *server) cmdDoctor(ctx context.Context, c *commandCall) (any, error) {
	if c.args.Quiet {
		checks := s.examine(ctx, c.target.root, false)
		return doctorResult(checks), nil
	}
	return s.doctor(ctx, c.target.root), nil
}

// cmdReloadConfig asks the client for its settings again, and tells what is wrong in those of all places.
func (s *server) cmdReloadConfig(ctx context.Context, c *commandCall) (any, error) {
	checks := []Check{}
	if _, err := s.config.pullConfiguration(ctx); err != nil {
		checks = append(checks, Check{Name: "settings", Message: "the editor did not send its settings: " + err.Error(), Advice: "The earlier settings stay in effect."})
	}
	s.config.sayAgain()
	_, warnings := s.config.load(c.target.root.dir)
	for _, w := range warnings {
		checks = append(checks, Check{Name: "settings", Message: w.String(), Advice: "Fix it there."})
	}
	switch n := len(checks); n {
	case 0:
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Reloaded the settings. No problems found.")
	case 1:
		s.client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: Reloaded the settings. "+checks[0].Message)
	default:
		s.client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: Reloaded the settings. First of %d problems: %s", n, checks[0].Message))
	}
	return map[string]any{"ok": len(checks) == 0, "checks": checks}, nil
}

// statusResult is the answer of coauthor.status.
type statusResult struct {
	Busy      bool            `json:"busy"`
	Turns     []turnLine      `json:"turns"`
	Model     string          `json:"model"`
	Lacks     string          `json:"lacks,omitzero"` // what is missing before that model can be asked
	Files     []string        `json:"files"`          // of the chat, beside those of each request
	ReadOnly  []string        `json:"readOnly"`       // the same, to look at
	LastError string          `json:"lastError,omitzero"`
	Usage     *turnview.Usage `json:"usage"`
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
	st, uris := r.session.Status(), s.docs.uris(r)
	out := viewStatus(st, s.client.Quirks.Client, s.opts.Clock(), uris)
	if s.opts.Lacks != nil {
		out.Lacks = s.opts.Lacks(st.Settings)
	}
	chosen := r.session.Chosen()
	for _, f := range chosen.Files {
		out.Files = append(out.Files, uris(f))
	}
	for _, f := range chosen.ReadOnly {
		out.ReadOnly = append(out.ReadOnly, uris(f))
	}
	return out, nil
}

// viewStatus tells the state of a session at a time; client is the profile in force.
func viewStatus(st agent.Status, client string, now time.Time, uriOf func(path string) string) statusResult {
	out := statusResult{
		Busy: st.Busy, Model: st.Model, LastError: st.LastError, Usage: turnview.UsageOf(st.Usage), Client: client,
		Turns: []turnLine{}, Pending: []pendingResult{}, Files: []string{}, ReadOnly: []string{},
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
