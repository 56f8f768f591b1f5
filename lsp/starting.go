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
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// A turn is started here: this file hands to what the client sees of it, as values, what that needs of the connection
// and of a root.

// start begins a turn behind the request that asked for it. What it became is known at once. snapshot is what the user saw; nil
// takes it now. from is the document in which the request was run.
func (s *server) start(r *rootState, resolved agent.Resolved, snapshot *workspace.Snapshot, from chat.From) (agent.Started, error) {
	resolved.Request.Problems, resolved.Request.Visible = s.docs.problems(r), s.docs.visible(r)
	v := s.newTurnView(r, resolved, from)
	ports := agent.Ports{Sink: v.Event, Ask: s.asker(r), Snapshot: snapshot}
	if s.client.Caps.Draft {
		ports.Draft = v.Drafted
	}
	started, err := r.session.Start(resolved, ports)
	if err != nil || started.Turn == "" {
		return started, err
	}
	s.turns.Begin(v, started.Turn, func(ctx context.Context) {
		r.decisions.GoOn(ctx, started.Turn)
		r.chat.UpdateHeads() // the user may have let files in
		s.waitingComments(ctx, r)
		s.roots.leave(r)
	})
	return started, nil
}

// startRequest is start for a request that the server makes.
func (s *server) startRequest(r *rootState, req agent.Request) (agent.Started, error) {
	resolved, err := r.session.Resolve(req)
	if err != nil {
		return agent.Started{}, err
	}
	return s.start(r, resolved, nil, chat.From{})
}

// newTurnView makes what the client sees of a turn in a root.
func (s *server) newTurnView(r *rootState, resolved agent.Resolved, from chat.From) *turnview.View {
	o := turnview.ViewOptions{
		Session: r.session, URI: r.uri(), Marks: r.marks, Request: resolved.Asked, Proposes: resolved.Proposes(), Words: s.words(),
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
	if t := r.chat.NewTurn(resolved.Asked, from); t != nil {
		o.Conversation = t
	}
	return s.turns.NewView(o)
}

// asker returns the way to ask the user about what is done in a root.
func (s *server) asker(r *rootState) *turnview.Asker {
	return &turnview.Asker{
		Session: r.session, URI: r.uri(),
		Client: s.client, Questions: s.questions, Random: s.opts.Random, Over: s.tasks.Context().Done(), Log: s.log, Waiting: s.turns.Asks,
		Write: func(ctx context.Context, q *event.Question) error {
			doc, err := r.chat.ForAnswer(ctx, q)
			if err == nil {
				r.chat.Show(ctx, doc)
			}
			return err
		},
		Tells: r.chat.Ask,
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
func (s *server) showNote(ctx context.Context, r *rootState, name, text string) {
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
func (s *server) showAnswer(ctx context.Context, r *rootState, turn, document string) string {
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
