package present

import (
	"cmp"
	"context"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/chat"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// Turn makes what the client sees of a turn. from is the document in which its request was run.
func (p *Presenter) Turn(resolved agent.Resolved, from chat.From) *turnview.View {
	o := turnview.ViewOptions{
		Session: p.o.Session, URI: p.o.URI, Marks: p.o.Marks, Request: resolved.Asked, Proposes: resolved.Proposes(), Words: p.Words(),
		HidesThinking: !p.o.Session.Settings().ShowThinking,
		Answer: func(ctx context.Context, turn, text string) string {
			return p.answer(ctx, turn, review.AnswerDocument(resolved.Asked.Instruction, text))
		},
		Note:    p.note,
		Decided: p.o.Decided,
		Draft:   p.o.Draft,
		Preview: func(one proposal.Proposal, asked string) (show func(ctx context.Context)) {
			asked = cmp.Or(asked, p.o.Mode())
			return func(ctx context.Context) { p.Review().Preview(ctx, one, asked) }
		},
	}
	if t := p.o.Chat().NewTurn(resolved.Asked, from); t != nil {
		o.Conversation = t
	}
	return p.o.Turns.NewView(o)
}

// Asker returns the way to ask the user about what is done in the folder.
func (p *Presenter) Asker() *turnview.Asker {
	return &turnview.Asker{
		Session: p.o.Session, URI: p.o.URI,
		Client: p.o.Client, Questions: p.o.Questions, Random: p.o.Random, Over: p.o.Tasks.Context().Done(), Log: p.o.Log, Waiting: p.o.Turns.Asks,
		Write: func(ctx context.Context, q *event.Question) error {
			doc, err := p.o.Chat().ForAnswer(ctx, q)
			if err == nil {
				p.o.Chat().Show(ctx, doc)
			}
			return err
		},
		Tells: p.o.Chat().Ask,
		Limit: func(q event.Question) time.Duration {
			if q.Slow() {
				return p.o.Landings.Scaled(turnview.AskSlowTime)
			}
			return p.o.Landings.Scaled(turnview.AskTime)
		},
		Page: p.Page,
	}
}

// note opens a note of several lines as a document; where none can be opened it is a message.
func (p *Presenter) note(ctx context.Context, name, text string) {
	ctx, release := p.o.Tasks.WhileAnswered(ctx)
	defer release()
	ctx, cancel := context.WithTimeout(ctx, chat.ShowWithin)
	defer cancel()
	title, rest, _ := strings.Cut(text, "\n")
	if p.Page(ctx, review.AnswerPrefix+name+".md", review.AnswerDocument(title, rest)) != "" {
		p.o.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+text)
	}
}

// answer opens the answer of a turn as a markdown document. A client that announced coauthor/stream has shown it while it
// came. It returns what to tell the user where no document could be opened.
func (p *Presenter) answer(ctx context.Context, turn, document string) string {
	if p.o.Client.Caps.Stream {
		return ""
	}
	ctx, release := p.o.Tasks.WhileAnswered(ctx)
	defer release()
	ctx, cancel := context.WithTimeout(ctx, chat.ShowWithin)
	defer cancel()
	name := p.o.Documents.names.Of(key{Root: p, Turn: turn}, p.free, review.AnswerPrefix, p.o.Clock(), "", ".md")
	return p.Page(ctx, name, document)
}
