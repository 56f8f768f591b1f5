package lsp

import (
	"context"

	"coauthor/lsp/review"
)

// The head of a prompt document says what is in the session. Where a command changes that while the document is open, the
// line is changed there too: by an edit of that one line, made of the version that the client has, so that what the user
// types goes before it. It is a courtesy: what cannot be changed so stays, and each command has told the new state anyway.

// updateHeads has the open prompt documents of a root say what is in the session now. It returns at once.
func (s *server) updateHeads(r *rootState) {
	q := *s.client.Quirks
	if r.dir == "" || !s.client.Caps.ApplyEdit || q.AsksItself || q.ChangesLate || q.HiddenUntold || q.RebasesEdits || q.IgnoresVersions {
		return // the client would ask the user, or could put the line into what they type meanwhile
	}
	if !r.heads.begin() {
		return
	}
	if !s.tasks.Background(func(ctx context.Context) {
		for more := true; more; more = ctx.Err() == nil && r.heads.more() {
			s.writeHeads(ctx, r)
		}
	}) {
		r.heads.more()
	}
}

func (s *server) writeHeads(ctx context.Context, r *rootState) {
	now := r.session.Chosen.Get().String()
	for _, doc := range s.docs.All() {
		if doc.Root != r || !review.IsPrompt(doc.Path) || ctx.Err() != nil || s.leavesClean(ctx, r, doc.Path) {
			continue
		}
		if !s.writeTalk(ctx, r, doc.Path, func(text string) string { text, _ = review.WithNow(text, now); return text }) {
			s.log.Info("head of a prompt document not updated", "path", doc.Path)
		}
	}
}
