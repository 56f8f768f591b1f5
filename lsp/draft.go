package lsp

import (
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// sendDraft sends coauthor/draft: what a turn has changed as far as the model has written it.
func (s *server) sendDraft(r *rootState, turn string, changes []edits.Change) {
	v := draftView{TurnID: turn, URI: r.uri(), Files: make([]pendingFile, 0, len(changes))}
	for _, c := range changes {
		f := proposal.File{Change: c, Hunks: edits.Diff(c.Before, c.After)}
		if doc, open := s.docs.document(r, c.Path); open && doc.Text == c.Before {
			f.Base = proposal.Base{Open: true, Version: doc.Version}
		}
		v.Files = append(v.Files, s.viewFile(r, &f))
	}
	s.client.Notify(methodDraft, &v)
}
