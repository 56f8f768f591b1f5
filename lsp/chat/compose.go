package chat

import (
	"context"

	"coauthor/lsp/review"
)

// Compose makes the document of the conversation ready for what the user writes next, or a new one where there is none that
// can be written. said is the beginning of the instruction.
func (c *Chat) Compose(ctx context.Context, o review.Origin, said string) (doc review.PromptDocument, err error) {
	hint := review.PromptHint(c.o.Coders, c.o.Session.Chosen.Get().String())
	if name, writable := c.document(ctx); name != "" && writable {
		if doc, err = c.Prompts.GoOn(ctx, name, o, hint, said); err == nil {
			c.used.use(name, "")
			return doc, nil
		}
		c.o.Log.Info("creating a new prompt document", "instead of", name, "err", err)
	}
	if doc, err = c.Prompts.Make(o, hint, said); err == nil {
		c.used.use(doc.Path, "")
	}
	return doc, err
}

// Show makes what is still to become of a document, and opens it where the user goes on.
func (c *Chat) Show(ctx context.Context, doc review.PromptDocument) {
	if doc.Change != nil {
		c.Write(ctx, doc.Path, doc.Change)
		if open, is := c.o.Open(doc.Path); is {
			doc.Line, doc.Column = review.DraftEnd(open.Text)
		}
	}
	c.Prompts.Show(ctx, doc)
}
