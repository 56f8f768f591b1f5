package lsp

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/pipeline"
	"coauthor/lsp/chat"
	"coauthor/lsp/client"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// startResult is the answer of every command that starts a turn.
type startResult struct {
	TurnID string `json:"turnId,omitzero"`
	Status string `json:"status"`
	URI    string `json:"uri,omitzero"` // of the document to write the instruction in
}

// request makes the request of a command's arguments.
func (s *server) request(c *commandCall, args command.EditArgs) (agent.Request, error) {
	r := c.target.root
	files, err := s.folders.Paths(r, args.Files)
	if err != nil {
		return agent.Request{}, err
	}
	readOnly, err := s.folders.Paths(r, args.ReadOnly)
	if err != nil {
		return agent.Request{}, err
	}
	req := agent.Request{
		Instruction: args.Instruction,
		Target:      c.target.request(),
		Files:       files,
		ReadOnly:    readOnly,
		Pictures:    args.Pictures.Asked(),
		Format:      args.Format,
		Model:       args.Model,
		Preview:     args.Preview,
		Coder:       c.row.coder,
	}
	req.Diagnostics = s.docs.complaints(c)
	return req, nil
}

// complaints are the diagnostics that a command names, or has looked up.
func (d *documents) complaints(c *commandCall) []agent.Diagnostic {
	list := c.place.Diagnostics.list
	if c.place.Diagnostics.known {
		list = withoutMarks(d.DiagnosticsIn(c.target.uri, c.target.rng))
	}
	return told(c.target.path, list)
}

// cmdEdit starts a turn of the row's coder. Without an instruction the user is asked for one: in the
// client's input box, else in a prompt document.
func (s *server) cmdEdit(ctx context.Context, c *commandCall, args command.EditArgs) (any, error) {
	req, err := s.request(c, args)
	if err != nil {
		return nil, err
	}
	resolved, err := c.target.root.Session.Resolve(req)
	if err != nil {
		return nil, err
	}
	if resolved.Coder.Proposes() && c.place.URI != "" && c.target.path == "" && c.target.root.Dir != "" {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is not in an open folder; save it there first", c.place.URI)
	}
	if req.Instruction != "" {
		return s.beginResolved(ctx, c.target.root, resolved, c)
	}
	kind, title := c.row.coder, c.row.title
	if kind == "" {
		kind, title = kindEdit, "Change "+c.target.path
		if !c.target.whole() {
			title = "Change selection"
		}
	}
	return s.needsInput(ctx, c, req, review.PromptHead{Coder: kind}, title)
}

// begin starts a turn, or runs the command that the words of the request begin with.
func (s *server) begin(ctx context.Context, r *folder.Folder, req agent.Request, c *commandCall) (any, error) {
	if result, is, err := s.commandIn(ctx, req, c); is {
		return result, err
	}
	resolved, err := r.Session.Resolve(req)
	if err != nil {
		return nil, err
	}
	return s.beginTurn(r, resolved, c)
}

// beginResolved is begin for a request of which it is known who answers it.
func (s *server) beginResolved(ctx context.Context, r *folder.Folder, resolved agent.Resolved, c *commandCall) (any, error) {
	if result, is, err := s.commandIn(ctx, resolved.Asked, c); is {
		return result, err
	}
	return s.beginTurn(r, resolved, c)
}

// commandIn runs the command that a request is, by its coder or by the first of the user's own words; is says whether there is one.
func (s *server) commandIn(ctx context.Context, req agent.Request, c *commandCall) (result any, is bool, err error) {
	if req.Job != nil {
		return nil, false, nil
	}
	if action, ok := pipeline.Named(s.table.actions, req.Coder); ok { // of a prompt document
		result, err = s.slash(ctx, action, req.Instruction, c.given, c)
		return result, true, err
	}
	if action, rest, ok := command.CommandOf(s.table.actions, req.Instruction); ok {
		result, err = s.slash(ctx, action, rest, nil, c)
		return result, true, err
	}
	return nil, false, nil
}

// beginTurn starts the turn, whatever the words of the request begin with.
func (s *server) beginTurn(r *folder.Folder, resolved agent.Resolved, c *commandCall) (any, error) {
	if r.Dir == "" && resolved.Coder.Proposes() {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "cannot change files: no folder is open; open a file or folder first")
	}
	started, err := s.start(r, resolved, c.target.snapshot, c.from)
	if err != nil {
		return nil, err
	}
	switch started.Status {
	case agent.StatusBusy:
		return startResult{TurnID: started.Busy, Status: started.Status}, nil
	case agent.StatusSwitched:
		r.Chat.UpdateHeads()
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Now using: "+started.InForce.String()+".")
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// needsInput asks for the instruction of a request: in an input box of that title, or in a prompt document with that head.
func (s *server) needsInput(ctx context.Context, c *commandCall, req agent.Request, head review.PromptHead, title string) (any, error) {
	if !s.client.Caps.InputRequest {
		if head.Model = req.Model; head.Files == nil {
			head.Files = req.Files
		}
		doc, err := s.openPrompt(ctx, c.target.root, c.target, head, "")
		if err != nil {
			return nil, err
		}
		return s.soonShow(ctx, c.target.root, doc, startResult{Status: statusNeedsInput, URI: doc.URI})
	}
	return s.inputBox(ctx, c, req, "", title)
}

// inputBox asks for an instruction behind the command's answer, and starts the turn: said stands before it.
func (s *server) inputBox(ctx context.Context, c *commandCall, req agent.Request, said, title string) (any, error) {
	request := ctx
	s.tasks.Background(func(ctx context.Context) {
		ctx = keepAsked(request, ctx)
		text, ok, err := s.client.InputBox(ctx, client.InputBoxParams{Prompt: title, Multiline: true})
		text = strings.TrimSpace(text)
		if err == nil && (!ok || text == "") {
			return // the user thought better of it
		}
		req.Instruction = said + text
		if err == nil {
			var result any
			if result, err = s.begin(ctx, c.target.root, req, c); err == nil {
				if r, _ := result.(startResult); r.Status == agent.StatusBusy {
					err = fmt.Errorf("another request is running in this folder; stop it or wait until it ends")
				}
			}
		}
		if err != nil && ctx.Err() == nil {
			s.client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
		}
	})
	return startResult{Status: statusNeedsInput}, nil
}

// cmdOpenPrompt makes a document to write an instruction or an answer in, and opens it.
func (s *server) cmdOpenPrompt(ctx context.Context, c *commandCall, args command.OpenPromptArgs) (any, error) {
	var doc review.PromptDocument
	var err error
	if args.Kind == kindAnswer {
		doc, err = s.openAnswer(ctx, args.QuestionID)
	} else {
		doc, err = s.openPrompt(ctx, c.target.root, c.target, review.PromptHead{Coder: args.Kind}, "")
	}
	if err != nil {
		return nil, err
	}
	return s.soonShow(ctx, c.target.root, doc, map[string]any{"uri": doc.URI})
}

// soonShow opens a document and answers with the result, which is known before: also where the client
// takes long to open it, or the user types.
func (s *server) soonShow(ctx context.Context, r *folder.Folder, doc review.PromptDocument, result any) (any, error) {
	return s.soonElse(ctx, result, func(ctx context.Context) (any, error) {
		r.Chat.Show(ctx, doc)
		return result, nil
	})
}

// cmdFollowUp goes on with the turn that is named, else with the one that runs, else with the one
// whose proposal is pending, else with the last one.
func (s *server) cmdFollowUp(ctx context.Context, c *commandCall, args command.FollowUpArgs) (any, error) {
	r := c.target.root
	turn := args.TurnID
	if turn != "" {
		if in := s.rootOfTurn(turn); in != nil {
			r = in
		}
	} else {
		turn = s.turns.ToFollow(r.Session)
	}
	if turn == "" {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "no request to follow up on; send a request first")
	}
	req := agent.Request{Instruction: args.Instruction, FollowUp: turn, Preview: args.Preview, Model: args.Model}
	c.target.root = r
	if req.Instruction != "" { // a follow-up that waits works on what is there when its time comes
		c.target.snapshot = nil
		return s.begin(ctx, r, req, c)
	}
	return s.needsInput(ctx, c, req, review.PromptHead{Coder: kindFollowUp}, "Continue the request")
}

// cmdRunPrompt starts the turn that a prompt document describes.
func (s *server) cmdRunPrompt(ctx context.Context, c *commandCall) (any, error) {
	if c.target.path == "" || !review.IsPrompt(c.target.path) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is not a prompt document; choose \"Write an instruction…\" to create one", c.target.uri)
	}
	req, err := c.target.root.Chat.Prompts.Request(ctx, c.target.path)
	if err != nil {
		return nil, err
	}
	if o, known := s.own.Origins.Get(c.target.root.Dir, c.target.path); known && o.Question != "" {
		status, err := s.questions.Answer(o.Question, "", req.Instruction)
		if status == "none" {
			err = jsonrpc2.Errorf(wire.CodeRequestFailed, "this question is no longer open; run the document again to send your text as a request")
		}
		if status != "" { // what is written next is no answer to it
			s.own.Origins.Put(c.target.root.Dir, c.target.path, review.Origin{Head: o.Head})
		}
		if err == nil {
			c.target.root.Chat.Said(chat.From{Name: c.target.path, Said: req.Instruction})
		}
		return startResult{Status: status}, err
	}
	if req.Instruction == "" {
		return startResult{Status: statusNeedsInput, URI: c.target.uri}, nil
	}
	if _, ok := pipeline.Named(s.table.actions, req.Coder); ok {
		c.given = argumentsOf(req)
	} else if len(req.Arguments) > 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: coders do not accept arguments; remove them from the front matter", c.target.path)
	}
	return s.runTalk(ctx, c, req.Request)
}

// argumentsOf are the arguments of a command that a prompt document is for.
func argumentsOf(w review.Written) map[string]any {
	all := maps.Clone(w.Arguments)
	if all == nil {
		all = map[string]any{}
	}
	if len(w.Files) > 0 {
		all["files"] = w.Files
	}
	if w.Model != "" {
		all["model"] = w.Model
	}
	return all
}

// cmdAnswer answers a question that is open.
func (s *server) cmdAnswer(_ context.Context, c *commandCall, args command.AnswerArgs) (any, error) {
	status, err := s.questions.Answer(args.QuestionID, args.Choice, args.Text)
	if status == "none" {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: No question is open.")
	}
	return map[string]any{"status": status}, err
}

// cmdCancel stops the turn that is named, in whichever root it runs, else all of them.
func (s *server) cmdCancel(_ context.Context, c *commandCall, args command.CancelArgs) (any, error) {
	cancelled := []string{}
	for _, r := range s.folders.Open() {
		cancelled = append(cancelled, r.Session.Turns.Cancel(args.TurnID)...)
	}
	return map[string]any{"cancelled": cancelled}, nil
}
