package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/aicomment"
	"coauthor/agent/command"
	"coauthor/agent/workspace"
	"coauthor/lsp/chat"
	"coauthor/lsp/folder"
	"coauthor/lsp/wire"
)

// cmdDoComments starts a turn for the marked comments of a place.
func (s *server) cmdDoComments(ctx context.Context, c *commandCall, args command.DoCommentsArgs) (any, error) {
	r, at := c.target.root, aicomment.Place{Last: -1}
	if c.place.URI != "" {
		if at.Path = c.target.path; at.Path == "" {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is not in an open folder; save it there first", c.place.URI)
		}
	}
	if at.Path != "" && c.place.Range != nil {
		text, err := c.target.snapshot.Within(ctx).Read(at.Path)
		if err != nil {
			return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "read %s: %v", at.Path, err)
		}
		at.First, at.Last = folder.LinesOf(text, min(c.target.start, len(text)), min(c.target.end, len(text)))
	}
	if r.Dir == "" {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "cannot look for comments: no folder is open; open a file or folder first")
	}
	started, err := s.startComments(ctx, r, at, agent.Request{Model: args.Model, Preview: args.Preview}, c)
	if errors.Is(err, aicomment.ErrNone) {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+err.Error()+".")
		return startResult{Status: "none"}, nil
	}
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if started.Status == agent.StatusBusy {
		return startResult{TurnID: started.Busy, Status: started.Status}, nil
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// startComments starts the turn. c is the command that asked for it; nil for none.
func (s *server) startComments(ctx context.Context, r *folder.Folder, at aicomment.Place, req agent.Request, c *commandCall) (agent.Started, error) {
	req.Label = "AI comments" // until the session has read them
	if at.Path != "" {
		req.Label = "AI comments in " + at.Path
	}
	var snapshot *workspace.Snapshot
	if c != nil {
		snapshot = c.target.snapshot
	}
	resolved, err := r.Session.DoComments(ctx, at, req, snapshot)
	if err != nil {
		return agent.Started{}, err
	}
	return s.start(r, resolved, snapshot, chat.From{})
}

// newComments makes what is known of the marked comments of a folder.
func (s *server) newComments(r *folder.Folder) *folder.Comments {
	return folder.NewComments(folder.CommentsOptions{
		Session: r.Session, Dir: r.Dir, Client: s.client, Tasks: s.tasks, Moment: s.opts.within(folder.Moment), Ready: s.config.wait,
		Watch: func() string { return s.config.of(r).WatchComments },
		Start: func(ctx context.Context, path string) (agent.Started, error) {
			return s.startComments(ctx, r, aicomment.Place{Path: path, Last: -1, Saved: true}, agent.Request{}, nil)
		},
	})
}
