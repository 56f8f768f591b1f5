package lsp

import (
	"context"
	"path/filepath"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
)

// announce sends coauthor/pending with the present state of a proposal, where the client knows it.
func (s *server) announce(r *folder.Folder, id string) {
	if !s.client.Caps.Pending {
		return
	}
	if p, ok := r.Session.Proposals.Get(id); ok {
		s.client.Notify(methodPending, s.viewPending(r, &p))
	}
}

// announceInOrder announces what became of a proposal. Of a turn that proposes after each of its rounds the client
// draws one change at a time: the next one when that before it is decided on.
func (s *server) announceInOrder(r *folder.Folder, p *event.ProposalRef) {
	now, ok := r.Session.Proposals.Get(p.ID)
	if !ok || p.Round == 0 {
		s.announce(r, p.ID)
		return
	}
	first := "" // of the rounds that wait
	for _, other := range r.Session.Proposals.Pending() {
		if first == "" && proposal.RoundOf(other.Turn) > 0 && proposal.TurnOf(other.Turn) == proposal.TurnOf(now.Turn) {
			first = other.ID
		}
	}
	if !now.Pending() || first == p.ID {
		s.announce(r, p.ID)
	}
	if !now.Pending() && now.State != event.ProposalApplying && first != "" {
		s.announce(r, first)
	}
}

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
	return s.viewPending(r, &found), nil
}

// viewPending describes a proposal with its hunks in the client's positions.
func (s *server) viewPending(r *folder.Folder, p *proposal.Proposal) pendingView {
	v := pendingView{
		TurnID: p.Turn, ProposalID: p.ID, Revision: p.Revision, State: string(p.State), Label: display.Message(p.Label), Warnings: review.Warnings(p),
		Verdict: display.Message(p.Verdict), Attempts: review.Attempts(p),
		Files: make([]pendingFile, 0, len(p.Files)),
	}
	if v.Attempts != nil {
		v.Attempt = p.Attempt
	}
	files := review.InOrder(p, r.Shown.Origin(p.Turn))
	for i := range files {
		v.Files = append(v.Files, s.viewFile(r, &files[i]))
	}
	return v
}

func (s *server) viewFile(r *folder.Folder, f *proposal.File) pendingFile {
	added, removed := f.Open()
	v := pendingFile{
		URI: s.docs.uriOf(r, f.Change.Path), Op: string(f.Change.Op), Added: added, Removed: removed,
		Hunks: make([]pendingHunk, 0, len(f.Hunks)),
	}
	if f.Change.Op == edits.OpRename {
		v.NewURI = document.URIOfPath(filepath.Join(r.Dir, filepath.FromSlash(f.Change.To)))
	}
	if len(f.Hunks) == 0 {
		v.State = string(f.Done[0])
	}
	if f.Base.Open {
		v.Version = &f.Base.Version
	}
	before := s.lines(f.Change.Before)
	for _, h := range f.Hunks {
		at := before.RangeOf(h.OldStart, h.OldEnd, s.docs.encoding)
		v.Hunks = append(v.Hunks, pendingHunk{
			Number: h.Number, OldRange: document.FromProtocol(at), OldText: h.Old, NewText: h.New, State: string(f.Done[h.Number]),
		})
	}
	return v
}

// left is told of the proposals that wait here since an earlier session of their folder.
func (s *server) left(ws *workspace.Workspace, e event.Event) {
	if r := s.folders.Of(ws); r != nil {
		s.decided(r, &e)
	}
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
		s.tasks.Background(func(ctx context.Context) { s.offerChecks(ctx, r) })
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
		s.announceInOrder(r, p)
	}
	if known {
		r.Decisions.ReportLate(&now)
	}
	s.turns.Became(e.Turn, r.URI(), p)
	if !known || !now.Pending() && now.State != event.ProposalApplying {
		s.hunks.fetched.forget(p.ID)
	}
	r.Chat.Became(p.State)
	if p.State == event.ProposalDiscarded || p.State == event.ProposalUndone {
		r.Marks.Drop(func(one *annotate.Rejected) bool { return one.Proposal == p.ID })
	}
	r.Decisions.Follow(p.ID)
	r.Shown.Follow(p.ID)
	s.refreshLenses()
	s.folders.Leave(r) // this may be what it was kept for
}

// sendDraft sends coauthor/draft: what a turn has changed as far as the model has written it.
func (s *server) sendDraft(r *folder.Folder, turn string, changes []edits.Change) {
	v := draftView{TurnID: turn, URI: r.URI(), Files: make([]pendingFile, 0, len(changes))}
	for _, c := range changes {
		f := proposal.File{Change: c, Hunks: edits.Diff(c.Before, c.After)}
		if doc, open := s.docs.document(r, c.Path); open && doc.Text == c.Before {
			f.Base = proposal.Base{Open: true, Version: doc.Version}
		}
		v.Files = append(v.Files, s.viewFile(r, &f))
	}
	s.client.Notify(methodDraft, &v)
}
