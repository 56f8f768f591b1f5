package lsp

import (
	"context"
	"fmt"

	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/review"
)

// What was applied at once stands under review (package proposal has it), at the places that package annotate finds: here
// it is followed, counted and offered.

// countHunks says how much is under review.
func countHunks(r *proposal.Review) string {
	files := map[string]bool{}
	n := 0
	for _, f := range r.Files {
		files[f.Path] = true
		n += len(f.Hunks)
	}
	changes := "1 change"
	if n != 1 {
		changes = fmt.Sprintf("%d changes", n)
	}
	return changes + " in " + review.CountFiles(len(files))
}

// hunkArguments name a hunk to a command.
func (d *documents) hunkArguments(r *rootState, h *annotate.Hunk, uri string) map[string]any {
	return map[string]any{"uri": uri, "proposalId": h.Proposal, "files": []string{d.uriOf(r, h.Path)}, "hunks": []int{h.Number}}
}

// follows tells the review what a document reads. It waits for nothing: for one that is not open any more the disk is
// read beside the caller.
func (s *server) follows(r *rootState, path string) {
	store := r.session.Proposals()
	if !store.Reviewing() {
		return
	}
	now := r.ws.Snapshot()
	if _, open := s.docs.document(r, path); open {
		store.Follow(path, now)
		return
	}
	s.tasks.background(func(ctx context.Context) { store.Follow(path, now.Within(ctx)) })
}
