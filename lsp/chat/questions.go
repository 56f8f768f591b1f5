package chat

import (
	"context"

	"coauthor/agent/event"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
)

// What a turn asks stands in the conversation too, where its document is open: with the choices as lines to tick.

// Ask has the conversation ask a question, until over is called with the answer; stands says whether it does.
func (c *Chat) Ask(ctx context.Context, q event.Question) (over func(event.Answer), stands bool) {
	name := c.open(ctx)
	if name == "" {
		return func(event.Answer) {}, false
	}
	asked := make(chan struct{})
	if !c.o.Tasks.Background(func(ctx context.Context) {
		defer close(asked)
		c.Write(ctx, name, func(doc string) string { return review.WithSection(doc, review.QuestionSection(&q)) })
	}) {
		close(asked)
	}
	return func(a event.Answer) {
		c.o.Tasks.Background(func(ctx context.Context) {
			<-asked
			one := review.QuestionSection(&q)
			one.Title, one.Text = "Coauthor asked", review.AnsweredText(&q, a)
			c.Write(ctx, name, func(doc string) string {
				if !review.HasSection(doc, one) {
					return doc
				}
				return review.WithSection(doc, one)
			})
		})
	}, true
}

// Tick answers a question with the choice that the user has ticked in a document. It waits until they do not type: who
// is about to correct themselves is given the time. It returns at once.
func (c *Chat) Tick(doc deliver.Document) {
	if !review.IsPrompt(doc.Path) {
		return
	}
	for _, q := range c.o.Questions.In(c.o.Session) {
		if review.Ticked(doc.Text, &q) == "" {
			continue
		}
		c.o.Tasks.Background(func(ctx context.Context) {
			if c.o.Quiet(ctx) != nil {
				return
			}
			now, open := c.o.Open(doc.Path)
			if !open {
				return
			}
			if choice := review.Ticked(now.Text, &q); choice != "" {
				if _, err := c.o.Questions.Answer(q.ID, choice, ""); err != nil {
					c.o.Log.Info("ticked answer not accepted", "err", err)
				}
			}
		})
	}
}

// ForAnswer returns a document for the answer to a question: that of the conversation where there is one.
func (c *Chat) ForAnswer(ctx context.Context, q *event.Question) (doc review.PromptDocument, err error) {
	if name, writable := c.document(ctx); name != "" && writable {
		if doc, err = c.Prompts.WithQuestion(ctx, name, q); err == nil {
			return doc, nil
		}
		c.o.Log.Info("creating a new document for an answer", "instead of", name, "err", err)
	}
	if doc, err = c.Prompts.ForAnswer(q); err == nil {
		c.used.use(doc.Path, "")
	}
	return doc, err
}
