package lsp

import (
	"cmp"
	"context"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/chat"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// A turn is started here: this file hands to what the client sees of it, as values, what that needs of the connection
// and of a root.

// start begins a turn behind the request that asked for it. What it became is known at once. snapshot is what the user saw; nil
// takes it now. from is the document in which the request was run.
func (s *server) start(r *folder.Folder, resolved agent.Resolved, snapshot *workspace.Snapshot, from chat.From) (agent.Started, error) {
	resolved.Request.Problems, resolved.Request.Visible = s.docs.problems(r), s.docs.visible(r)
	v := s.newTurnView(r, resolved, from)
	ports := agent.Ports{Sink: v.Event, Ask: s.asker(r), Snapshot: snapshot}
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

// newTurnView makes what the client sees of a turn in a root.
func (s *server) newTurnView(r *folder.Folder, resolved agent.Resolved, from chat.From) *turnview.View {
	o := turnview.ViewOptions{
		Session: r.Session, URI: r.URI(), Marks: r.Marks, Request: resolved.Asked, Proposes: resolved.Proposes(), Words: s.words(),
		HidesThinking: !r.Session.Settings().ShowThinking,
		Answer: func(ctx context.Context, turn, text string) string {
			return s.showAnswer(ctx, r, turn, review.AnswerDocument(resolved.Asked.Instruction, text))
		},
		Note:    func(ctx context.Context, name, text string) { s.showNote(ctx, r, name, text) },
		Decided: func(e *event.Event) { s.decided(r, e) },
		Draft:   func(turn string, changes []edits.Change) { s.sendDraft(r, turn, changes) },
		Preview: func(p proposal.Proposal, asked string) (show func(ctx context.Context)) {
			asked = cmp.Or(asked, s.settings(r).Preview)
			return func(ctx context.Context) { s.review(r).Preview(ctx, p, asked) }
		},
	}
	if t := r.Chat.NewTurn(resolved.Asked, from); t != nil {
		o.Conversation = t
	}
	return s.turns.NewView(o)
}

// asker returns the way to ask the user about what is done in a root.
func (s *server) asker(r *folder.Folder) *turnview.Asker {
	return &turnview.Asker{
		Session: r.Session, URI: r.URI(),
		Client: s.client, Questions: s.questions, Random: s.opts.Random, Over: s.tasks.Context().Done(), Log: s.log, Waiting: s.turns.Asks,
		Write: func(ctx context.Context, q *event.Question) error {
			doc, err := r.Chat.ForAnswer(ctx, q)
			if err == nil {
				r.Chat.Show(ctx, doc)
			}
			return err
		},
		Tells: r.Chat.Ask,
		Limit: func(q event.Question) time.Duration {
			if q.Slow() {
				return s.landings.Scaled(turnview.AskSlowTime)
			}
			return s.landings.Scaled(turnview.AskTime)
		},
		Page: func(ctx context.Context, name, text string) string {
			return s.showMarkdown(ctx, r, name, text)
		},
	}
}

// showNote opens a note of several lines as a document; where none can be opened it is a message.
func (s *server) showNote(ctx context.Context, r *folder.Folder, name, text string) {
	ctx, release := s.tasks.WhileAnswered(ctx)
	defer release()
	ctx, cancel := context.WithTimeout(ctx, chat.ShowWithin)
	defer cancel()
	title, rest, _ := strings.Cut(text, "\n")
	if s.showMarkdown(ctx, r, review.AnswerPrefix+name+".md", review.AnswerDocument(title, rest)) != "" {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+text)
	}
}

// showAnswer opens the answer of a turn as a markdown document. A client that announced
// coauthor/stream has shown it while it came. It returns what to tell the user where no document
// could be opened.
func (s *server) showAnswer(ctx context.Context, r *folder.Folder, turn, document string) string {
	if s.client.Caps.Stream {
		return ""
	}
	ctx, release := s.tasks.WhileAnswered(ctx)
	defer release()
	ctx, cancel := context.WithTimeout(ctx, chat.ShowWithin)
	defer cancel()
	name := s.own.names.Of(docKey{Root: r, Turn: turn}, freeName(r), review.AnswerPrefix, s.opts.Clock(), "", ".md")
	return s.showMarkdown(ctx, r, name, document)
}
