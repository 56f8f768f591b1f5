package lsp

import (
	"context"
	"log/slog"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/folder"
)

// getPending is our own request: the proposal with its hunks, for an editor that draws the diff
// itself. What it got counts as shown.
func (s *server) getPending(ctx context.Context, p *getPendingParams, _ struct{}) (any, error) {
	r := s.folders.Default()
	if p.URI != "" {
		var err error
		if r, _, err = s.folders.Find(ctx, p.URI); err != nil {
			return nil, err
		}
	}
	found, err := r.Session.Proposals.Find(proposal.Selector{Turn: p.TurnID, Proposal: p.ProposalID})
	if err != nil {
		return nil, err
	}
	r.Session.Proposals.MarkShown(found.ID, found.Revision)
	return r.Pending.View(&found), nil
}

// decided is told of every change of a proposal, by turns, commands and the check that an edit landed. It calls all that
// follows from one, in this order: what the user is asked and told of what has landed, the views of the client, the
// conversation, the marks, and who waits for the proposal.
func (s *server) decided(r *folder.Folder, e *event.Event) {
	open := s.folders.Of(r.Workspace) == r
	if e.Commit != nil && open {
		s.commitTold(e.Commit)
	}
	if e.Landed != nil && e.Landed.Action == "apply" {
		s.tasks.Background(func(ctx context.Context) { offerChecks(ctx, r, s.log) })
	}
	if e.Landed != nil && r.Session.Problems.Claim() {
		s.tasks.Background(func(ctx context.Context) { s.seeToProblems(ctx, r) })
	}
	p := e.Proposal
	if p == nil || !open {
		return // its folder has left
	}
	now, known := r.Session.Proposals.Get(p.ID)
	if p.State != event.ProposalSuperseded { // what takes its place is told of next
		r.Pending.Announce(p)
	}
	if known {
		r.Decisions.ReportLate(&now)
	}
	s.turns.Became(e.Turn, r.URI(), p)
	if !known || !now.Pending() && now.State != event.ProposalApplying {
		r.Pending.Decided(p.ID)
	}
	r.Chat.Became(p.State)
	if p.State == event.ProposalDiscarded || p.State == event.ProposalUndone {
		r.Marks.Drop(func(one *annotate.Rejected) bool { return one.Proposal == p.ID })
	}
	r.Decisions.Follow(p.ID)
	r.Shown.Follow(p.ID)
	s.hunks.RefreshLenses()
	s.folders.Leave(r) // this may be what it was kept for
}

// offerChecks asks the user of a folder about the linters, formatters and tests that it shows to use, after a change has landed there:
// before that there is nothing to check, and a question would stand in the way.
func offerChecks(ctx context.Context, r *folder.Folder, log *slog.Logger) {
	o := r.Session.Consent.Suggest(ctx)
	if len(o.Tools) == 0 {
		return
	}
	if _, err := r.Session.Consent.Offer(ctx, o, r.Shown.Asker()); err != nil && ctx.Err() == nil {
		log.Warn("answer about linters and tests not saved", "err", err)
	}
}
