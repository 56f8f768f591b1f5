package lsp

import (
	"context"
	"path"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/deliver"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
)

// followDiffs has the documents with the diff of a proposal show what is left of it. It returns at once.
func (s *server) followDiffs(r *folder.Folder, id string) {
	if len(s.own.diffsOf(r, id)) == 0 || !r.Diffs.Put(id) {
		return
	}
	s.tasks.Background(func(ctx context.Context) {
		for list := r.Diffs.Take(); len(list) > 0 && ctx.Err() == nil; list = r.Diffs.Take() {
			for _, id := range list {
				for _, name := range s.own.diffsOf(r, id) {
					s.followDiff(ctx, r, id, name)
				}
			}
		}
	})
}

// diffsOf are the names of the documents with the diff of a proposal.
func (o *ownDocuments) diffsOf(r *folder.Folder, id string) []string {
	return o.names.Which(func(key docKey) bool { return key.Root == r && key.Proposal == id })
}

// followDiff brings one of these documents up to date, as far as it is of what the proposal is now.
func (s *server) followDiff(ctx context.Context, r *folder.Folder, id, name string) {
	p, known := r.Session.Proposals.Get(id)
	key, _ := s.own.names.Owner(name)
	if !known || p.State == event.ProposalApplying || key.Turn != p.Turn || key.Attempt != p.Attempt {
		return
	}
	if s.client.CanShowVirtual() {
		s.client.RefreshContent(ctx, review.VirtualURI(name))
		return
	}
	var open *string
	if doc, is := s.docs.document(r, path.Join(review.OwnFolder, name)); is && !doc.Uncertain() {
		open = &doc.Text
	} else if is {
		return
	}
	s.review(r).FollowDiff(ctx, &p, name, open, s.rewriter(r))
}

// rewriter changes documents of ours that the client has open; nil for a client that asks the user each time, or may put
// the text into another one than it is for.
func (s *server) rewriter(r *folder.Folder) review.Rewrite {
	q := *s.client.Quirks
	if !s.client.Caps.ApplyEdit || q.AsksItself || q.ChangesLate || q.IgnoresVersions {
		return nil
	}
	return func(ctx context.Context, path, before, after string) bool {
		doc, open := s.docs.document(r, path)
		if !open || doc.Text != before {
			return false
		}
		step := proposal.Step{Change: edits.Change{Op: edits.OpUpdate, Path: path, Before: before, After: after},
			Hunks: edits.Diff(before, after), Open: true, Version: doc.Version}
		landed, err := r.Decisions.Applier(deliver.Options{Own: true}).Deliver(ctx, "", []proposal.Step{step})
		if err != nil || len(landed) == 0 || landed[0].State != proposal.LandLanded {
			s.log.Info("diff not updated", "path", path, "err", err)
			return false
		}
		return true
	}
}

type contentParams struct {
	URI string `json:"uri"`
}

// textDocumentContent gives the text of a virtual document.
func (s *server) textDocumentContent(_ context.Context, p *contentParams, _ struct{}) (any, error) {
	text, ok := s.own.answers.Get(p.URI)
	if !ok {
		text, _ = s.content(p.URI) // one that is gone is empty: the client has it open
	}
	return &protocol.TextDocumentContentResult{Text: text}, nil
}

// content returns the text of a virtual diff: that of its proposal as it stands now.
func (s *server) content(uri string) (string, bool) {
	key, known := s.own.names.Owner(review.VirtualName(uri))
	if !known {
		return "", false
	}
	p, known := key.Root.Session.Proposals.Get(key.Proposal)
	if !known {
		return "", false
	}
	return s.review(key.Root).DiffDocument(&p), true
}
