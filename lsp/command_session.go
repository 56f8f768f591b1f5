package lsp

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/command"
	"coauthor/agent/pipeline"
	"coauthor/agent/web"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// sessionCommand runs a command whose work is the session's: it is given the words of its row, and what it says is told,
// opened as a document, and answered.
func (s *server) sessionCommand(a command.Action) func(ctx context.Context, c *commandCall) (any, error) {
	return func(ctx context.Context, c *commandCall) (any, error) {
		r := c.target.root
		call, err := s.sessionCall(a, c)
		if err != nil {
			return nil, err
		}
		if a.Runs {
			call.Running = s.turns.RunningCommand
		}
		answer, err := a.Run(ctx, r.Session, call)
		if err != nil {
			return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
		}
		r.Chat.UpdateHeads()
		if answer.Text != "" {
			s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+answer.Text)
		}
		if answer.Page.Text != "" {
			s.tasks.Background(func(ctx context.Context) {
				if elsewhere := s.showMarkdown(ctx, r, answer.Page.Name, answer.Page.Text); elsewhere != "" {
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
		if c.args.Format != "" {
			req.Format = c.args.Format
		}
		req.Diagnostics = append(req.Diagnostics, s.docs.complaints(c)...)
		if pipeline.Lacks(a.ID, r.Session, req) {
			return s.needsInput(ctx, c, req, review.PromptHead{Coder: a.ID, Files: call.Files, Arguments: givenOf(call)}, a.Title)
		}
		resolved, err := r.Session.Resolve(req)
		if err != nil {
			return nil, err
		}
		return s.beginTurn(r, resolved, c)
	}
}

// givenOf are the arguments of a call that say something, but for those that the head of a prompt document has a field for.
func givenOf(call command.Call) map[string]any {
	given := map[string]any{}
	for name, value := range call.More {
		if name != "files" && name != "model" && name != "uri" && !reflect.ValueOf(value).IsZero() {
			given[name] = value
		}
	}
	return given
}

// sessionCall is what a session is told of a call.
func (s *server) sessionCall(a command.Action, c *commandCall) (command.Call, error) {
	r := c.target.root
	call := command.Call{Target: c.target.request(), Ports: agent.Ports{Snapshot: c.target.snapshot, Ask: s.asker(r)}, Table: s.table.actions}
	for _, arg := range a.Args {
		if !arg.Bare {
			if err := s.moreOf(r, c, arg, &call); err != nil {
				return call, err
			}
			continue
		}
		switch field := c.args.field(arg.Name).(type) {
		case *string:
			call.Text = *field
		case *names:
			pages, files := web.Among(*field)
			paths, err := s.folders.Paths(r, files)
			if err != nil {
				return call, err
			}
			call.Files = append(paths, pages...)
		}
	}
	return call, nil
}

// moreOf puts an argument of a call that is not its words into what the session is told.
func (s *server) moreOf(r *folder.Folder, c *commandCall, arg command.Arg, call *command.Call) error {
	if call.More == nil {
		call.More = map[string]any{}
	}
	switch field := c.args.field(arg.Name).(type) {
	case *string:
		call.More[arg.Name] = *field
	case *bool:
		call.More[arg.Name] = *field
	case *names:
		paths, err := s.folders.Paths(r, *field)
		if err != nil {
			return err
		}
		if arg.Name == "files" {
			call.Files = paths
		}
		call.More[arg.Name] = paths
	}
	return nil
}

// cmdSwitch changes what the session uses, and tells once what is in force.
func (s *server) cmdSwitch(_ context.Context, c *commandCall) (any, error) {
	r := c.target.root
	choice := r.Session.Chosen.Get()
	if c.args.Reset {
		choice = chosen.Choice{}
	}
	if err := s.choose(&choice, r, &c.args); err != nil {
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
func (s *server) choose(choice *chosen.Choice, r *folder.Folder, a *arguments) error {
	choice.Coder, choice.Format = cmp.Or(a.Coder, choice.Coder), cmp.Or(a.Format, choice.Format)
	choice.Model = cmp.Or(a.Model, choice.Model)
	choice.WeakModel, choice.EditorModel = cmp.Or(a.WeakModel, choice.WeakModel), cmp.Or(a.EditorModel, choice.EditorModel)
	if a.MapTokens != nil {
		choice.MapTokens = a.MapTokens
	}
	for _, one := range []struct {
		list  *[]string
		named names
	}{{&choice.Files, a.Files}, {&choice.ReadOnly, a.ReadOnly}} {
		paths, err := s.folders.Paths(r, one.named)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if !slices.Contains(*one.list, path) {
				*one.list = append(*one.list, path)
			}
		}
	}
	dropped, err := s.folders.Paths(r, a.Drop)
	gone := func(path string) bool { return slices.Contains(dropped, path) }
	choice.Files, choice.ReadOnly = slices.DeleteFunc(choice.Files, gone), slices.DeleteFunc(choice.ReadOnly, gone)
	return err
}
