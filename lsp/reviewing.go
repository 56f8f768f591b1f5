package lsp

import (
	"context"
	"net/url"
	"path"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/lsp/chat"
	"coauthor/lsp/decide"
	"coauthor/lsp/deliver"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
)

// The server as a review sees it: this file gives package review what it needs of the connection and of
// a root, as values.

// review returns how the proposals of a root are shown and decided here.
func (s *server) review(r *folder.Folder) *review.Review {
	return &review.Review{
		Editor: s.client,
		Root: review.Root{
			Dir: r.Dir, Workspace: r.Workspace, Proposals: r.Session.Proposals,
			Open: func(path string) bool { _, open := s.docs.document(r, path); return open },
		},
		Views: s.views(), Words: s.words(), AsksItself: s.client.Quirks.AsksItself, DialogBlocks: s.client.Quirks.DialogBlocks,
		DialogTime: s.landings.Scaled(review.DialogTime), Diffs: &s.own.diffs, Log: s.log,
		Quiet: s.quiet, Asked: s.docs.askedNow,
		Deliver: r.Decisions.ForReview,
		Origin:  func(turn string) string { return s.originOf(r, turn) },
		Refused: s.turns.Refused,
		Name: func(p *proposal.Proposal, about string) string {
			return s.own.names.Of(docKey{Root: r, Turn: p.Turn, Proposal: p.ID, Attempt: p.Attempt}, freeName(r), "", s.opts.Clock(), about, ".diff")
		},
	}
}

// editor is the client as a delivery sees it.
func (s *server) editor() deliver.Editor {
	return deliver.Editor{
		Capabilities: *s.client.Caps, Quirks: *s.client.Quirks, Encoding: s.docs.encoding,
		Client: s.client, Open: s.docs.openText, Quiet: s.quiet, Expect: s.docs.keys.expect,
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

// shown is an open document as a delivery and the conversation see it.
func shown(doc *folder.Document) deliver.Document {
	return deliver.Document{Document: doc.Document, URI: doc.URI, Uncertain: doc.Uncertain()}
}

// newDecisions makes the decisions of a root.
func (s *server) newDecisions(r *folder.Folder) *decide.Decisions {
	return decide.New(decide.Options{
		Client: s.client, Dir: r.Dir, Workspace: r.Workspace, Session: r.Session, Asker: s.asker(r), Tasks: s.tasks, Landings: &s.landings,
		Answers: &s.own.answers, Log: s.log, Editor: s.editor, URI: s.docs.uris(r),
		Review: func() *review.Review { return s.review(r) },
		Start:  func(req agent.Request) (agent.Started, error) { return s.startRequest(r, req) },
	})
}

// fill sets the parts of a folder that is opened.
func (s *server) fill(r *folder.Folder) {
	r.Marks, r.Chat, r.Comments = s.newMarks(r), s.newChat(r), s.newComments(r)
	r.Decisions = s.newDecisions(r)
	r.Session.Proposals.WatchReview(func() { s.reviewChanged(r) })
}

// newChat makes the conversation of a root.
func (s *server) newChat(r *folder.Folder) *chat.Chat {
	return chat.New(chat.Options{
		Client: s.client, Dir: r.Dir, Workspace: r.Workspace, Session: r.Session, Questions: s.questions, Origins: &s.own.origins,
		Coders: s.opts.Coders.Names(), Tasks: s.tasks, Landings: &s.landings, Quiet: s.quiet, Clock: s.opts.Clock,
		Sleep: s.opts.Sleep, Log: s.log,
		Open: func(path string) (deliver.Document, bool) {
			doc, open := s.docs.document(r, path)
			if !open {
				return deliver.Document{}, false
			}
			return shown(doc), true
		},
		Documents: func() (list []deliver.Document) {
			for _, doc := range s.docs.All() {
				if doc.Root == r {
					list = append(list, shown(doc))
				}
			}
			return list
		},
		Deliver: func(ctx context.Context, step proposal.Step) ([]proposal.Landed, error) {
			return r.Decisions.Applier(deliver.Options{Own: true}).Deliver(ctx, "", []proposal.Step{step})
		},
		Link: func(p *proposal.Proposal) string { return s.linkOf(r, p) },
	})
}

// views is what the client can show of a proposal.
func (s *server) views() review.Views {
	return review.Views{
		Native:  s.client.Quirks.NativePreview && s.client.Caps.Annotations && s.client.Caps.DocumentChanges,
		Pending: s.client.Caps.Pending, Plugin: s.client.Plugin != "", NoActions: !s.client.Caps.CodeActions && !s.client.Caps.Review,
	}
}

// words is what messages have to know of the client.
func (s *server) words() review.Words {
	return review.Words{Plugin: s.client.Plugin, Menu: s.client.Quirks.Menu, Titles: s.table.offered.Titles(), SavesHidden: s.client.Quirks.SavesHidden}
}

// originOf is the path of the file that a turn came from: that of its request, else the one that the
// user is in; "" for none.
func (s *server) originOf(r *folder.Folder, turn string) string {
	if v := s.turns.Find(turn); v != nil && v.Request().Target != nil {
		return v.Request().Target.Path
	}
	if doc, _ := s.docs.LastFocused(); doc != nil && doc.Root == r {
		return doc.Path
	}
	return ""
}

// docKey is what a document that the server writes is about.
type docKey = review.Key[*folder.Folder]

// freeName reports whether a name of a document can be had in a root.
func freeName(r *folder.Folder) func(string) bool {
	return func(name string) bool { return !r.Workspace.Door().OnDisk(path.Join(review.OwnFolder, name)) }
}

// showPending opens the diff of a proposal again.
func (s *server) showPending(ctx context.Context, r *folder.Folder, sel proposal.Selector) (pendingView, error) {
	p, uri, err := s.review(r).Show(ctx, sel)
	if err != nil {
		return pendingView{}, err
	}
	v := s.viewPending(r, &p)
	v.URI = uri
	return v, nil
}

// showMarkdown opens a document that the user only reads: see review.Review.ShowMarkdown.
func (s *server) showMarkdown(ctx context.Context, r *folder.Folder, name, text string) string {
	return s.review(r).ShowMarkdown(ctx, &s.own.answers, name, text)
}

// linkOf is the document with the diff of a proposal, as a link from another document of ours; "" where there is none.
func (s *server) linkOf(r *folder.Folder, p *proposal.Proposal) string {
	views := s.views()
	if p == nil || s.client.CanShowVirtual() || views.Choose(s.settings(r).Preview, len(p.Warnings) > 0) != review.ViewDiff {
		return ""
	}
	return url.PathEscape(s.review(r).DiffName(p))
}
