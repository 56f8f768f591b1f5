package lsp

import (
	"context"

	"coauthor/agent"
	"coauthor/agent/custom"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/chat"
	"coauthor/lsp/decide"
	"coauthor/lsp/deliver"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/pending"
	"coauthor/lsp/present"
	"coauthor/lsp/review"
)

// What the parts of a folder need of the connection and of each other is given to them here, as values.

// editor is the client as a delivery sees it.
func (s *server) editor() deliver.Editor {
	return deliver.Editor{
		Capabilities: *s.client.Caps, Quirks: *s.client.Quirks, Encoding: s.docs.encoding,
		Client: s.client, Open: s.docs.openText, Quiet: s.docs.keys.quiet, Expect: s.docs.keys.expect,
		Landings: &s.landings, Echoes: &s.docs.echoes, Log: s.log,
	}
}

// openText is an open document as a delivery sees it.
func (d *documents) openText(uri string) (deliver.Document, bool) {
	doc, open := d.Get(uri)
	if !open {
		return deliver.Document{}, false
	}
	return shown(doc), true
}

// openIn finds the open documents of a folder by their paths.
func (d *documents) openIn(r *folder.Folder) func(path string) (deliver.Document, bool) {
	return func(path string) (deliver.Document, bool) {
		doc, open := d.document(r, path)
		if !open {
			return deliver.Document{}, false
		}
		return shown(doc), true
	}
}

// shown is an open document as a delivery and the conversation see it.
func shown(doc *folder.Document) deliver.Document {
	return deliver.Document{Document: doc.Document, URI: doc.URI, Uncertain: doc.Uncertain()}
}

// newPending makes what the client is told of the changes of a root that wait.
func (s *server) newPending(r *folder.Folder) *pending.Changes {
	return pending.New(pending.Options{
		Client: s.client, Dir: r.Dir, Workspace: r.Workspace, Session: r.Session, Tasks: s.tasks, Sleep: s.opts.Sleep, Open: s.docs.openIn(r),
		Encoding: func() document.Encoding { return s.docs.encoding },
		Review:   r.Shown.Review,
	})
}

// newDecisions makes the decisions of a root.
func (s *server) newDecisions(r *folder.Folder) *decide.Decisions {
	return decide.New(decide.Options{
		Client: s.client, Dir: r.Dir, Workspace: r.Workspace, Session: r.Session, Asker: r.Shown.Asker(), Tasks: s.tasks, Landings: &s.landings,
		Answers: &s.own.Answers, Log: s.log, Editor: s.editor, URI: s.docs.uris(r),
		Review: r.Shown.Review,
		Start:  func(req agent.Request) (agent.Started, error) { return s.startRequest(r, req) },
	})
}

// fill sets the parts of a folder that is opened.
func (s *server) fill(r *folder.Folder) {
	r.Marks, r.Hunks = s.newHunks(r)
	r.Comments = s.newComments(r)
	r.Custom = &folder.Custom{Sources: func() custom.Sources { return r.Session.Engine.CustomCommands(r.Workspace, r.Session.Settings()) }, Tasks: s.tasks, Moment: s.opts.within(folder.Moment), Loaded: s.config.logOwn, Log: s.log}
	r.Shown = s.newPresenter(r)
	r.Chat = s.newChat(r)
	r.Decisions = s.newDecisions(r)
	r.Pending = s.newPending(r)
	r.Session.Proposals.Reviews.Watch(r.Hunks.Changed)
}

// newPresenter makes what shows the user what happens in a folder.
func (s *server) newPresenter(r *folder.Folder) *present.Presenter {
	return present.New(present.Options{
		Client: s.client, Dir: r.Dir, URI: r.URI(), Workspace: r.Workspace, Session: r.Session, Marks: r.Marks, Documents: &s.own,
		Turns: s.turns, Questions: s.questions, Tasks: s.tasks, Landings: &s.landings, Clock: s.opts.Clock, Random: s.opts.Random,
		Log: s.log, Titles: s.table.offered.Titles(), Quiet: s.docs.keys.quiet, Asked: s.docs.askedNow,
		Chat: func() *chat.Chat { return r.Chat },
		Open: s.docs.openIn(r),
		InFront: func() string {
			if doc, _ := s.docs.LastFocused(); doc != nil && doc.Root == r {
				return doc.Path
			}
			return ""
		},
		Mode:   func() string { return s.config.of(r).Preview },
		Review: func(native bool) review.Delivery { return r.Decisions.ForReview(native) },
		Deliver: func(ctx context.Context, step proposal.Step) ([]proposal.Landed, error) {
			return r.Decisions.DeliverOwn(ctx, step)
		},
		Decided: func(e *event.Event) { s.decided(r, e) },
		Draft:   func(turn string, changes []edits.Change) { r.Pending.Draft(turn, changes) },
	})
}

// newChat makes the conversation of a root.
func (s *server) newChat(r *folder.Folder) *chat.Chat {
	return chat.New(chat.Options{
		Client: s.client, Dir: r.Dir, Workspace: r.Workspace, Session: r.Session, Questions: s.questions, Origins: &s.own.Origins,
		Coders: s.opts.Coders.Names(), Tasks: s.tasks, Landings: &s.landings, Quiet: s.docs.keys.quiet, Clock: s.opts.Clock,
		Sleep: s.opts.Sleep, Log: s.log,
		Open: s.docs.openIn(r),
		Documents: func() (list []deliver.Document) {
			for _, doc := range s.docs.All() {
				if doc.Root == r {
					list = append(list, shown(doc))
				}
			}
			return list
		},
		Deliver: func(ctx context.Context, step proposal.Step) ([]proposal.Landed, error) {
			return r.Decisions.DeliverOwn(ctx, step)
		},
		Link: r.Shown.Link,
	})
}
