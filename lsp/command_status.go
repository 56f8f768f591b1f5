package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/proposal"
	"coauthor/lsp/turnview"
	"coauthor/lsp/wire"
)

// cmdDoctor checks the setup.
func (s *server) cmdDoctor(ctx context.Context, c *commandCall, args command.DoctorArgs) (any, error) {
	if args.Quiet {
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
	_, warnings := s.config.load(c.target.root.Dir)
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
	st, uris := r.Session.Status(), s.docs.uris(r)
	out := viewStatus(st, s.client.Quirks.Client, s.opts.Clock(), uris)
	if s.opts.Lacks != nil {
		out.Lacks = s.opts.Lacks(st.Settings)
	}
	chosen := r.Session.Chosen.Get()
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

// mapResult is the answer of coauthor.showRepoMap.
type mapResult struct {
	Text       string      `json:"text"`
	Tokens     int         `json:"tokens"`
	Budget     int         `json:"budget"`
	Complete   float64     `json:"complete"`
	Generation uint64      `json:"generation"`
	Files      []mapRanked `json:"files"`
}

type mapRanked struct {
	agent.RankedFile
	URI string `json:"uri"`
}

// cmdShowRepoMap draws the map of a request from here and opens it as a document.
func (s *server) cmdShowRepoMap(ctx context.Context, c *commandCall, args command.RepoMapArgs) (any, error) {
	r := c.target.root
	if args.Tokens < 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "tokens is %d; use a number above 0", args.Tokens)
	}
	files, err := s.folders.Paths(r, args.Files)
	if err != nil {
		return nil, err
	}
	req := agent.Request{Instruction: args.Instruction, Target: c.target.request(), Files: files}
	m, budget, err := r.Session.Map(ctx, req, agent.Ports{Snapshot: c.target.snapshot},
		agent.MapOptions{Tokens: args.Tokens, Redraw: args.Refresh})
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	s.tasks.Background(func(ctx context.Context) {
		if elsewhere := r.Shown.Page(ctx, "map.md", mapText(m, budget)); elsewhere != "" {
			s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
		}
	})
	out := mapResult{Text: m.Text, Tokens: m.Tokens, Budget: budget, Complete: m.Complete, Generation: m.Generation, Files: []mapRanked{}}
	for _, f := range m.Files {
		out.Files = append(out.Files, mapRanked{RankedFile: f, URI: s.docs.uriOf(r, f.Path)})
	}
	return out, nil
}

// mapFiles is how many files the document tells the ranks of; the result of the command has more.
const mapFiles = 60

// mapText is the document: the map as the model gets it, and the table of the best files with what
// each signal added to their scores.
func mapText(m agent.RepoMap, budget int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Coauthor: repository map\n\n%d of %d tokens", m.Tokens, budget)
	if m.Complete < 1 {
		fmt.Fprintf(&b, "; indexing, %.0f%% of files done", 100*m.Complete)
	}
	b.WriteString(".\n\n~~~~text\n" + m.Text + "~~~~\n\n## Why\n\n")
	var names []string
	for _, f := range m.Files {
		for _, sig := range f.Signals {
			if !slices.Contains(names, sig.Name) {
				names = append(names, sig.Name)
			}
		}
	}
	b.WriteString("The columns show each signal's share of a file's score. `+` marks files in the map.\n\n| | file | score |")
	for _, name := range names {
		b.WriteString(" " + name + " |")
	}
	b.WriteString("\n|---|---|---:|" + strings.Repeat("---:|", len(names)) + "\n")
	for _, f := range m.Files[:min(len(m.Files), mapFiles)] {
		mark := ""
		if f.Shown {
			mark = "+"
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f |", mark, strings.ReplaceAll(f.Path, "|", "\\|"), f.Score)
		added := map[string]float64{}
		for _, sig := range f.Signals {
			added[sig.Name] = sig.Value * sig.Weight
		}
		for _, name := range names {
			fmt.Fprintf(&b, " %.2f |", added[name])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cmdShowContext puts together what a request from here would send, and opens it as a document.
func (s *server) cmdShowContext(ctx context.Context, c *commandCall, args command.ShowContextArgs) (any, error) {
	r := c.target.root
	req, err := s.request(c, command.EditArgs{Format: args.Format, Start: command.Start{
		Instruction: args.Instruction, Files: args.Files, ReadOnly: args.ReadOnly, Model: args.Model,
	}})
	if err != nil {
		return nil, err
	}
	req.Coder = args.Coder
	p, err := r.Session.Prompt(ctx, req, agent.Ports{Snapshot: c.target.snapshot})
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	report := command.Report(p)
	s.tasks.Background(func(ctx context.Context) {
		if elsewhere := r.Shown.Page(ctx, "context.md", report.Text); elsewhere != "" {
			s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
		}
	})
	return report, nil
}
