package lsp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/lsp/wire"
)

// answerWithin is how long a command may wait for the client before its request is answered and the
// rest happens behind it: some editors stand still meanwhile.
const answerWithin = 800 * time.Millisecond

// commandCall is a command with what it was made against.
type commandCall struct {
	row    commandRow
	args   arguments
	target target
	keys   int // how many keys there had been when it came
	err    error
}

// captureCommand reads the arguments and fixes the target before later messages can move it.
func (s *server) captureCommand(p *executeParams) *commandCall {
	c := &commandCall{}
	c.keys, _ = s.keys.state()
	action, known := agent.ActionOf(p.Command)
	if c.row = commandRows()[action.ID]; !known || c.row.run == nil {
		c.err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %q", p.Command)
		return c
	}
	if c.args, c.err = readArguments(p.Arguments, action.Args); c.err != nil {
		return c
	}
	switch {
	case c.row.prompt && c.args.URI == "":
		c.args.URI = s.docs.LastPrompt()
	case c.row.elsewhere && s.ours(c.args.URI):
		c.args.URI, c.args.Range, c.args.Version = "", nil, nil
	}
	c.target, c.err = s.target(&c.args)
	return c
}

// executeCommand answers within a second; turns run behind it.
func (s *server) executeCommand(ctx context.Context, _ *executeParams, c *commandCall) (any, error) {
	ctx = wished(ctx, c.keys)
	if c.err == nil && (c.args.URI != "" || c.row.place) {
		c.err = s.find(ctx, &c.target)
	}
	if c.err != nil {
		return nil, c.err
	}
	if c.row.settings {
		s.config.wait(ctx)
	}
	if c.row.soon {
		return s.soon(ctx, func(ctx context.Context) (any, error) { return c.row.run(s, ctx, c) })
	}
	return c.row.run(s, ctx, c)
}

// soon runs f on the connection's context and returns its result, or {status: "started"} when it
// takes too long for a request. What goes wrong after that is told in a message.
func (s *server) soon(ctx context.Context, f func(context.Context) (any, error)) (any, error) {
	return s.soonElse(ctx, map[string]any{"status": "started"}, f)
}

// soonElse is soon with what to return when it takes too long.
func (s *server) soonElse(ctx context.Context, started any, f func(context.Context) (any, error)) (any, error) {
	type outcome struct {
		result any
		err    error
	}
	done := make(chan outcome) // taken by this call, or by nobody
	late := make(chan struct{})
	request := ctx
	s.background(func(ctx context.Context) {
		ctx = wish(request, ctx)
		var o outcome
		if err := s.router.Guard("command", func() error { o.result, o.err = f(ctx); return nil }); err != nil {
			o.err = err
		}
		select {
		case done <- o:
		case <-late:
			if o.err != nil && ctx.Err() == nil {
				s.client.showMessage(protocol.MessageTypeError, "Coauthor: "+o.err.Error())
			}
		}
	})
	defer close(late)
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(s.opts.within(answerWithin)):
		return started, nil
	}
}

// startResult is the answer of every command that starts a turn.
type startResult struct {
	TurnID string `json:"turnId,omitzero"`
	Status string `json:"status"`
	URI    string `json:"uri,omitzero"` // of the document to write the instruction in
}

const statusNeedsInput = "needsInput"

// request makes the request of a command's arguments.
func (s *server) request(c *commandCall) (agent.Request, error) {
	r := c.target.root
	files, err := s.pathsIn(r, c.args.Files)
	if err != nil {
		return agent.Request{}, err
	}
	readOnly, err := s.pathsIn(r, c.args.ReadOnly)
	if err != nil {
		return agent.Request{}, err
	}
	req := agent.Request{
		Instruction: c.args.Instruction,
		Target:      c.target.request(),
		Files:       files,
		ReadOnly:    readOnly,
		Format:      c.args.Format,
		Model:       c.args.Model,
		Preview:     c.args.Preview,
		Coder:       c.row.coder,
	}
	diagnostics := c.args.Diagnostics.list
	if c.args.Diagnostics.known {
		diagnostics = s.docs.DiagnosticsIn(c.target.uri, c.target.rng)
	}
	for _, d := range diagnostics {
		req.Diagnostics = append(req.Diagnostics, agent.Diagnostic{
			Path: c.target.path, Line: int(d.Range.Start.Line) + 1, Message: d.Text(), Source: d.Source,
		})
	}
	return req, nil
}

// cmdEdit starts a turn that changes something. Without an instruction the user is asked for one: in
// the client's input box, else in a prompt document.
func (s *server) cmdEdit(ctx context.Context, c *commandCall) (any, error) {
	if c.args.URI != "" && c.target.path == "" && c.target.root.dir != "" {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is no file of a folder that is open; save it as one first", c.args.URI)
	}
	req, err := s.request(c)
	if err != nil {
		return nil, err
	}
	title := "Change " + c.target.path
	if !c.target.whole() {
		title = "Change selection"
	}
	return s.beginOrAsk(ctx, c, req, kindEdit, title)
}

// cmdAsk starts a turn that answers.
func (s *server) cmdAsk(ctx context.Context, c *commandCall) (any, error) {
	req, err := s.request(c)
	if err != nil {
		return nil, err
	}
	return s.beginOrAsk(ctx, c, req, kindAsk, "Ask")
}

// beginOrAsk starts a turn, or asks for the instruction that it lacks: in an input box of that title,
// or in a prompt document of that kind.
func (s *server) beginOrAsk(ctx context.Context, c *commandCall, req agent.Request, kind, title string) (any, error) {
	if req.Instruction != "" {
		return s.begin(c.target.root, req, c)
	}
	return s.needsInput(ctx, c, req, kind, title)
}

func (s *server) begin(r *rootState, req agent.Request, c *commandCall) (any, error) {
	if r.dir == "" && req.Coder != "ask" {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "no folder is open in which files could be changed; open a file or a folder first")
	}
	started, err := s.start(r, req, c.target.snapshot)
	if err != nil {
		return nil, err
	}
	if started.Status == agent.StatusBusy {
		return startResult{TurnID: started.Busy, Status: started.Status}, nil
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

func (s *server) needsInput(ctx context.Context, c *commandCall, req agent.Request, kind, title string) (any, error) {
	if !s.caps.InputRequest {
		doc, err := s.openPrompt(c.target.root, c.target, kind)
		if err != nil {
			return nil, err
		}
		return s.soonShow(ctx, doc, startResult{Status: statusNeedsInput, URI: doc.uri})
	}
	request := ctx
	s.background(func(ctx context.Context) {
		ctx = wish(request, ctx)
		text, ok, err := s.client.inputBox(ctx, inputBoxParams{Prompt: title, Multiline: true})
		req.Instruction = strings.TrimSpace(text)
		if err == nil && (!ok || req.Instruction == "") {
			return // the user thought better of it
		}
		if err == nil {
			var result any
			if result, err = s.begin(c.target.root, req, c); err == nil {
				if r, _ := result.(startResult); r.Status == agent.StatusBusy {
					err = fmt.Errorf("another turn is running in this folder; stop it or wait for its end")
				}
			}
		}
		if err != nil && ctx.Err() == nil {
			s.client.showMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
		}
	})
	return startResult{Status: statusNeedsInput}, nil
}

// cmdOpenPrompt makes a document to write an instruction or an answer in, and opens it.
func (s *server) cmdOpenPrompt(ctx context.Context, c *commandCall) (any, error) {
	var doc promptDocument
	var err error
	if c.args.Kind == kindAnswer {
		doc, err = s.answerDocument(c.args.QuestionID)
	} else {
		doc, err = s.openPrompt(c.target.root, c.target, c.args.Kind)
	}
	if err != nil {
		return nil, err
	}
	return s.soonShow(ctx, doc, map[string]any{"uri": doc.uri})
}

// soonShow opens a document and answers with the result, which is known before: also where the client
// takes long to open it, or the user types.
func (s *server) soonShow(ctx context.Context, doc promptDocument, result any) (any, error) {
	return s.soonElse(ctx, result, func(ctx context.Context) (any, error) {
		s.showPrompt(ctx, doc)
		return result, nil
	})
}

// cmdFollowUp goes on with the turn that is named, else with the one that runs, else with the one
// whose proposal is pending, else with the last one.
func (s *server) cmdFollowUp(ctx context.Context, c *commandCall) (any, error) {
	r := c.target.root
	turn := c.args.TurnID
	if turn != "" {
		if in := s.rootOfTurn(turn); in != nil {
			r = in
		}
	} else {
		turn = s.turnToFollow(r)
	}
	if turn == "" {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "there is no turn to go on with; start one with coauthor.edit or coauthor.ask")
	}
	req := agent.Request{Instruction: c.args.Instruction, FollowUp: turn, Preview: c.args.Preview, Model: c.args.Model}
	c.target.root = r
	if req.Instruction != "" { // a follow-up that waits works on what is there when its time comes
		c.target.snapshot = nil
	}
	return s.beginOrAsk(ctx, c, req, kindFollowUp, "Answer or refine")
}

func (s *server) turnToFollow(r *rootState) string {
	if running := s.turns.running(r); len(running) > 0 {
		return running[len(running)-1].turn()
	}
	if pending := r.session.Proposals().Pending(); len(pending) > 0 {
		return pending[len(pending)-1].Turn
	}
	return s.turns.last(r)
}

// cmdRunPrompt starts the turn that a prompt document describes.
func (s *server) cmdRunPrompt(_ context.Context, c *commandCall) (any, error) {
	if c.target.path == "" || !isPromptDocument(c.target.path) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is no prompt document; coauthor.openPrompt makes one", c.target.uri)
	}
	req, err := s.readPrompt(c.target.root, c.target.path)
	if err != nil {
		return nil, err
	}
	if o, known := s.prompts.get(c.target.root, c.target.path); known && o.question != "" {
		status, err := s.answer(o.question, "", req.Instruction)
		if status == "none" {
			err = jsonrpc2.Errorf(wire.CodeRequestFailed, "this question is no longer open")
		}
		return startResult{Status: status}, err
	}
	if req.Instruction == "" {
		return startResult{Status: statusNeedsInput, URI: c.target.uri}, nil
	}
	return s.begin(c.target.root, req, c)
}

// cmdAnswer answers a question that is open.
func (s *server) cmdAnswer(_ context.Context, c *commandCall) (any, error) {
	status, err := s.answer(c.args.QuestionID, c.args.Choice, c.args.Text)
	if status == "none" {
		s.client.showMessage(protocol.MessageTypeInfo, "Coauthor: No question is open.")
	}
	return map[string]any{"status": status}, err
}

// cmdDoctor checks the set-up.
func (s *server) cmdDoctor(ctx context.Context, c *commandCall) (any, error) {
	return s.doctor(ctx, c.target.root), nil
}

// cmdCancel stops the turn that is named, in whichever root it runs, else all of them.
func (s *server) cmdCancel(_ context.Context, c *commandCall) (any, error) {
	cancelled := []string{}
	for _, r := range s.roots.states() {
		cancelled = append(cancelled, r.session.Cancel(c.args.TurnID)...)
	}
	return map[string]any{"cancelled": cancelled}, nil
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
