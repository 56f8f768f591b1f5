package lsp

import (
	"context"

	"coauthor/agent/event"
	"coauthor/lsp/review"
)

// tellsBecame has the conversation say what became of a change since its answer was written there. It returns at once.
func (s *server) tellsBecame(r *rootState, state event.ProposalState) {
	if path, _ := r.talk.now(); path != "" && state != event.ProposalApplying {
		s.tasks.Background(func(ctx context.Context) { s.writeBecame(ctx, r) })
	}
}

// writeBecame writes what has become of changes by now. A document that has nothing unsaved is left so where its user would
// be asked about it: it is brought up to date with what is written there next.
func (s *server) writeBecame(ctx context.Context, r *rootState) {
	path, _ := r.talk.now()
	if path == "" || !s.docs.hasPrompt(r, path) || s.leavesClean(ctx, r, path) {
		return
	}
	if doc, open := s.docs.document(r, path); open {
		if withBecame(r, doc.Text) == doc.Text {
			return
		}
		s.awaitCalm(ctx, r, path)
	}
	s.writeTalk(ctx, r, path, func(doc string) string { return doc })
}

// withBecame is a document of a conversation that says what became of the changes in it.
func withBecame(r *rootState, doc string) string {
	for _, one := range review.Sections(doc) {
		if one.Kind != review.SectionAnswer {
			continue
		}
		if state := r.session.Proposals.BecameOf(one.ID); state != "" {
			doc = review.WithBecame(doc, one.ID, state)
		}
		if rounds := r.session.Proposals.BecameOfRounds(one.ID); len(rounds) > 0 {
			doc = review.WithRounds(doc, one.ID, rounds)
		}
	}
	return doc
}
