package lsp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/proposal"
)

// answerWithin is how long a command may wait for the client before its request is answered and the
// rest happens behind it: some editors stand still meanwhile.
const answerWithin = 800 * time.Millisecond

// commandCall is a command with what it was made against.
type commandCall struct {
	id     string // without the prefix
	args   arguments
	target target
	keys   int // how many keys there had been when it came
	err    error
}

// aboutText are the commands that need the place of the document that the user is in. The others work as well
// while the disk has not told it.
var aboutText = map[string]bool{"edit": true, "ask": true, "followUp": true, "openPrompt": true, "runPrompt": true, "showRepoMap": true}

// captureCommand reads the arguments and fixes the target before later messages can move it.
func (s *server) captureCommand(p *executeParams) *commandCall {
	c := &commandCall{id: strings.TrimPrefix(p.Command, agent.CommandPrefix)}
	c.keys, _ = s.keys.state()
	if c.args, c.err = readArguments(p.Arguments); c.err != nil {
		return c
	}
	switch c.id {
	case "runPrompt":
		if c.args.URI == "" {
			c.args.URI = s.docs.lastPrompt()
		}
	case "edit", "ask", "openPrompt", "showRepoMap":
		if s.ours(c.args.URI) { // what is asked for there is about the code that it was opened from
			c.args.URI, c.args.Range, c.args.Version = "", nil, nil
		}
	}
	c.target, c.err = s.target(&c.args)
	return c
}

// executeCommand answers within a second; turns run behind it.
func (s *server) executeCommand(ctx context.Context, p *executeParams, c *commandCall) (any, error) {
	if !strings.HasPrefix(p.Command, agent.CommandPrefix) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %q", p.Command)
	}
	ctx = wished(ctx, c.keys)
	if c.err == nil && (c.args.URI != "" || aboutText[c.id]) {
		c.err = s.find(ctx, &c.target)
	}
	if c.err != nil {
		return nil, c.err
	}
	switch c.id {
	case "edit", "ask", "followUp", "runPrompt", "status", "doctor", "showRepoMap":
		s.config.wait(ctx) // a client may send its first command before it was asked for its settings
	}
	switch c.id {
	case "edit", "ask":
		return s.cmdStart(ctx, c)
	case "followUp":
		return s.cmdFollowUp(ctx, c)
	case "openPrompt":
		return s.cmdOpenPrompt(ctx, c)
	case "runPrompt":
		return s.cmdRunPrompt(c)
	case "apply":
		return s.cmdApply(ctx, c)
	case "discard":
		return s.cmdDiscard(c)
	case "showPending":
		return s.soon(ctx, func(ctx context.Context) (any, error) { return s.cmdShowPending(ctx, c) })
	case "undoTurn", "redoTurn":
		return s.cmdUndo(ctx, c)
	case "cancel":
		return s.cmdCancel(c)
	case "answer":
		status, err := s.answer(c.args.QuestionID, c.args.Choice, cmp.Or(c.args.Text, c.args.Instruction))
		if status == "none" {
			s.client.showMessage(protocol.MessageTypeInfo, "Coauthor: No question is open.")
		}
		return map[string]any{"status": status}, err
	case "showRepoMap":
		return s.soon(ctx, func(ctx context.Context) (any, error) { return s.cmdShowRepoMap(ctx, c) })
	case "status":
		return s.cmdStatus(c)
	case "doctor":
		return s.soon(ctx, func(ctx context.Context) (any, error) { return s.doctor(ctx, c.target.root), nil })
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %q", p.Command)
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
		if err := s.router.guard("command", func() error { o.result, o.err = f(ctx); return nil }); err != nil {
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
	if c.id == "edit" && c.args.URI != "" && c.target.path == "" && r.dir != "" {
		return agent.Request{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is no file of a folder that is open; save it as one first", c.args.URI)
	}
	if err := oneOfSetting("preview", c.args.Preview); err != nil {
		return agent.Request{}, err
	}
	files, err := s.pathsIn(r, c.args.Files)
	if err != nil {
		return agent.Request{}, err
	}
	readOnly, err := s.pathsIn(r, c.args.ReadOnly)
	if err != nil {
		return agent.Request{}, err
	}
	format := c.args.EditFormat
	if format == "" {
		format = c.args.Format
	}
	req := agent.Request{
		Instruction: c.args.Instruction,
		Target:      c.target.request(),
		Files:       files,
		ReadOnly:    readOnly,
		Format:      format,
		Model:       c.args.Model,
		Preview:     c.args.Preview,
	}
	if c.id == "ask" {
		req.Coder = "ask"
	}
	diagnostics := c.args.Diagnostics.list
	if c.args.Diagnostics.known {
		diagnostics = s.docs.complaintsIn(c.target.uri, c.target.rng)
	}
	for _, d := range diagnostics {
		req.Diagnostics = append(req.Diagnostics, agent.Diagnostic{
			Path: c.target.path, Line: int(d.Range.Start.Line) + 1, Message: d.message(), Source: d.Source,
		})
	}
	return req, nil
}

// cmdStart is edit and ask. Without an instruction the user is asked for one: in the client's input
// box, else in a prompt document.
func (s *server) cmdStart(ctx context.Context, c *commandCall) (any, error) {
	req, err := s.request(c)
	if err != nil {
		return nil, err
	}
	if req.Instruction == "" {
		return s.needsInput(ctx, c, req)
	}
	return s.begin(c.target.root, req, c)
}

func (s *server) begin(r *rootState, req agent.Request, c *commandCall) (any, error) {
	if r.dir == "" && req.Coder != "ask" {
		return nil, jsonrpc2.Errorf(codeRequestFailed, "no folder is open in which files could be changed; open a file or a folder first")
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

func (s *server) needsInput(ctx context.Context, c *commandCall, req agent.Request) (any, error) {
	if !s.caps.InputRequest {
		kind := c.args.Kind
		if kind == "" {
			kind = c.id
		}
		doc, err := s.openPrompt(c.target.root, c.target, kind)
		if err != nil {
			return nil, err
		}
		return s.soonShow(ctx, doc, startResult{Status: statusNeedsInput, URI: doc.uri})
	}
	prompt := "Change " + c.target.path
	switch {
	case c.id == "ask":
		prompt = "Ask"
	case c.id == "followUp":
		prompt = "Answer or refine"
	case !c.target.whole():
		prompt = "Change selection"
	}
	request := ctx
	s.background(func(ctx context.Context) {
		ctx = wish(request, ctx)
		text, ok, err := s.client.inputBox(ctx, inputBoxParams{Prompt: prompt, Multiline: true})
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
	if kind := c.args.kind(); kind == kindAnswer {
		doc, err = s.answerDocument(c.args.QuestionID)
	} else {
		doc, err = s.openPrompt(c.target.root, c.target, kind)
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
		return nil, jsonrpc2.Errorf(codeRequestFailed, "there is no turn to go on with; start one with coauthor.edit or coauthor.ask")
	}
	req := agent.Request{Instruction: c.args.Instruction, FollowUp: turn, Preview: c.args.Preview, Model: c.args.Model}
	c.target.root = r
	if req.Instruction == "" {
		return s.needsInput(ctx, c, req)
	}
	// A follow-up that waits works on what is there when its time comes.
	c.target.snapshot = nil
	return s.begin(r, req, c)
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
func (s *server) cmdRunPrompt(c *commandCall) (any, error) {
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
			err = jsonrpc2.Errorf(codeRequestFailed, "this question is no longer open")
		}
		return startResult{Status: status}, err
	}
	if req.Instruction == "" {
		return startResult{Status: statusNeedsInput, URI: c.target.uri}, nil
	}
	return s.begin(c.target.root, req, c)
}

// cmdCancel stops the turn that is named, in whichever root it runs, else all of them.
func (s *server) cmdCancel(c *commandCall) (any, error) {
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

func (s *server) cmdStatus(c *commandCall) (any, error) {
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
