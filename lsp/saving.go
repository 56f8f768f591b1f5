package lsp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// What follows from a change reads the files that it made. Some editors tell of a new one only when the user comes to it, and
// some not even when it is saved: for us it is empty until then, although it was applied. So what follows waits for the disk.

// lookAgain is how long passes between two looks at files of which nobody tells.
const lookAgain = 500 * time.Millisecond

// hasSaved waits until all that a proposal made can be read, and says whether it came to that: not where it is taken back
// meanwhile, or the session ends.
func (s *server) hasSaved(ctx context.Context, r *rootState, id string, req agent.Request) bool {
	for told := false; ; {
		p, ok := r.session.Proposals().Get(id)
		if !ok || p.State != event.ProposalApplied && p.State != event.ProposalPartial {
			return false
		}
		untold := untoldFiles(r, &p)
		if len(untold) == 0 {
			return true
		}
		if !told {
			told = true
			s.client.ShowMessage(protocol.MessageTypeInfo, fmt.Sprintf("Coauthor: To continue (%s), save %s: your editor reports new files only after you save them.",
				cmp.Or(req.Label, req.Instruction), strings.Join(untold, ", ")))
		}
		select {
		case <-time.After(s.delivery.landings.Scaled(lookAgain)):
		case <-ctx.Done():
			return false
		}
	}
}

// untoldFiles are the new files of a proposal that were applied and read as if they were not.
func untoldFiles(r *rootState, p *proposal.Proposal) []string {
	now := r.ws.Snapshot()
	var list []string
	for i := range p.Files {
		f := &p.Files[i]
		if f.Change.Op != edits.OpCreate || f.Change.After == "" || !f.Landed() {
			continue
		}
		if text, err := now.Text(f.Change.Path); err == nil && (text == nil || *text == "") {
			list = append(list, f.Change.Path)
		}
	}
	return list
}
