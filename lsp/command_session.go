package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/command"
	"coauthor/agent/command/arg"
	"coauthor/agent/pipeline"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// sessionCommand runs a command whose work is the session's: what it says is told, opened as a document, and answered.
func (s *server) sessionCommand(a command.Action) readCommand {
	return func(given []json.RawMessage, _ []command.Arg) (runCommand, error) {
		args, err := a.Read(given)
		return func(ctx context.Context, c *commandCall) (any, error) { return s.runSession(ctx, a, args, c) }, err
	}
}

func (s *server) runSession(ctx context.Context, a command.Action, args any, c *commandCall) (any, error) {
	r := c.target.root
	if err := pathsOf(s.folders, r, args, a.Args); err != nil {
		return nil, err
	}
	call := command.Call{Args: args, Target: c.target.request(), Ports: agent.Ports{Snapshot: c.target.snapshot, Ask: r.Shown.Asker()}, Table: s.table.actions}
	if a.Runs {
		call.Running = s.turns.RunningCommand
	}
	answer, err := a.Run.Do(ctx, r.Session, call)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	r.Chat.UpdateHeads()
	if answer.Text != "" {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+answer.Text)
	}
	if answer.Page.Text != "" {
		s.tasks.Background(func(ctx context.Context) {
			if elsewhere := r.Shown.Page(ctx, answer.Page.Name, answer.Page.Text); elsewhere != "" {
				if answer.Text == "" { // the page is all there is, and this client opens none
					s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
					return
				}
				s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
			}
		})
	}
	if answer.Then == nil {
		return answer.Data, nil
	}
	req := *answer.Then
	req.Diagnostics = append(req.Diagnostics, s.docs.complaints(c)...)
	if pipeline.Lacks(a.ID, r.Session, req) {
		head := review.PromptHead{Coder: a.ID, Arguments: arg.Values(args)}
		head.Files, _ = head.Arguments["files"].([]string)
		for _, own := range []string{"files", "model"} { // fields of the head
			delete(head.Arguments, own)
		}
		return s.needsInput(ctx, c, req, head, a.Title)
	}
	resolved, err := r.Session.Resolve(req)
	if err != nil {
		return nil, err
	}
	return s.beginTurn(r, resolved, c)
}

// cmdSwitch changes what the session uses, and tells once what is in force.
func (s *server) cmdSwitch(_ context.Context, c *commandCall, args command.SwitchArgs) (any, error) {
	r := c.target.root
	choice := r.Session.Chosen.Get()
	if args.Reset {
		choice = chosen.Choice{}
	}
	if err := choose(s.folders, &choice, r, args); err != nil {
		return nil, err
	}
	now, err := r.Session.Choose(choice)
	if err != nil {
		return nil, err
	}
	r.Chat.UpdateHeads()
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Now using: "+now.String()+".")
	return now.Report(), nil
}

// choose puts what the arguments name into a choice.
func choose(folders *folder.Table, choice *chosen.Choice, r *folder.Folder, a command.SwitchArgs) error {
	choice.Coder, choice.Format = cmp.Or(a.Coder, choice.Coder), cmp.Or(a.Format, choice.Format)
	choice.Model = cmp.Or(a.Model, choice.Model)
	choice.WeakModel, choice.EditorModel = cmp.Or(a.WeakModel, choice.WeakModel), cmp.Or(a.EditorModel, choice.EditorModel)
	if a.MapTokens != nil {
		choice.MapTokens = a.MapTokens
	}
	for _, one := range []struct {
		list  *[]string
		named []string
	}{{&choice.Files, a.Files}, {&choice.ReadOnly, a.ReadOnly}} {
		paths, err := folders.Paths(r, one.named)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if !slices.Contains(*one.list, path) {
				*one.list = append(*one.list, path)
			}
		}
	}
	dropped, err := folders.Paths(r, a.Drop)
	gone := func(path string) bool { return slices.Contains(dropped, path) }
	choice.Files, choice.ReadOnly = slices.DeleteFunc(choice.Files, gone), slices.DeleteFunc(choice.ReadOnly, gone)
	return err
}
