package lsp

import (
	"context"

	"coauthor/agent/event"
	"coauthor/lsp/review"
)

// What a turn asks stands in the conversation too, where its document is open: with the choices as lines to tick.

// asksInTalk has the conversation of a root ask a question, until over is called with the answer; stands says whether it does.
func (s *server) asksInTalk(ctx context.Context, r *rootState, q event.Question) (over func(event.Answer), stands bool) {
	name := s.openTalk(ctx, r)
	if name == "" {
		return func(event.Answer) {}, false
	}
	asked := make(chan struct{})
	if !s.tasks.Background(func(ctx context.Context) {
		defer close(asked)
		s.writeTalk(ctx, r, name, func(doc string) string { return review.WithSection(doc, review.QuestionSection(&q)) })
	}) {
		close(asked)
	}
	return func(a event.Answer) {
		s.tasks.Background(func(ctx context.Context) {
			<-asked
			one := review.QuestionSection(&q)
			one.Title, one.Text = "Coauthor asked", review.AnsweredText(&q, a)
			s.writeTalk(ctx, r, name, func(doc string) string {
				if !review.HasSection(doc, one) {
					return doc
				}
				return review.WithSection(doc, one)
			})
		})
	}, true
}

// openTalk is the document of a root's conversation where it is open and can be written; "" where it is not.
func (s *server) openTalk(ctx context.Context, r *rootState) string {
	if r == nil || r.dir == "" || !s.editsTalk() {
		return ""
	}
	name, writable := s.talkDocument(ctx, r)
	if _, open := s.docs.document(r, name); !open || !writable {
		return ""
	}
	return name
}

// tick answers a question with the choice that the user has ticked in a prompt document. It waits until they do not type: who
// is about to correct themselves is given the time. It returns at once.
func (s *server) tick(doc *openDocument) {
	r := doc.Root
	if !review.IsPrompt(doc.Path) {
		return
	}
	for _, q := range s.questions.In(r.session) {
		if review.Ticked(doc.Text, &q) == "" {
			continue
		}
		s.tasks.Background(func(ctx context.Context) {
			if s.quiet(ctx) != nil {
				return
			}
			now, open := s.docs.document(r, doc.Path)
			if !open {
				return
			}
			if choice := review.Ticked(now.Text, &q); choice != "" {
				if _, err := s.questions.Answer(q.ID, choice, ""); err != nil {
					s.log.Info("ticked answer not accepted", "err", err)
				}
			}
		})
	}
}
