package lsp

import (
	"context"

	"coauthor/agent"
	"coauthor/agent/workspace"
	"coauthor/lsp/chat"
	"coauthor/lsp/folder"
	"coauthor/lsp/others"
)

// A turn is started here: this file hands to what the client sees of it, as values, what that needs of the connection
// and of a root.

// start begins a turn behind the request that asked for it. What it became is known at once. snapshot is what the user saw; nil
// takes it now. from is the document in which the request was run.
func (s *server) start(r *folder.Folder, resolved agent.Resolved, snapshot *workspace.Snapshot, from chat.From) (agent.Started, error) {
	resolved.Request.Problems, resolved.Request.Visible = s.docs.problems(r), s.docs.visible(r)
	v := r.Shown.Turn(resolved, from)
	ports := agent.Ports{Sink: v.Event, Ask: r.Shown.Asker(), Snapshot: snapshot,
		Editor: others.Editor(others.Options{Client: s.client, Encoding: s.docs.encoding, Dir: r.Dir, Open: s.docs.Reads})}
	if s.client.Caps.Draft {
		ports.Draft = v.Drafted
	}
	started, err := r.Session.Start(resolved, ports)
	if err != nil || started.Turn == "" {
		return started, err
	}
	s.turns.Begin(v, started.Turn, func(ctx context.Context) {
		r.Decisions.GoOn(ctx, started.Turn)
		r.Chat.UpdateHeads() // the user may have let files in
		r.Comments.GoOn(ctx)
		s.folders.Leave(r)
	})
	return started, nil
}

// startRequest is start for a request that the server makes.
func (s *server) startRequest(r *folder.Folder, req agent.Request) (agent.Started, error) {
	resolved, err := r.Session.Resolve(req)
	if err != nil {
		return agent.Started{}, err
	}
	return s.start(r, resolved, nil, chat.From{})
}

// visible are the files of a root that the user sees.
func (d *documents) visible(r *folder.Folder) (paths []string) {
	for _, doc := range d.Visible() {
		if doc.Root == r && doc.Path != "" {
			paths = append(paths, doc.Path)
		}
	}
	return paths
}
