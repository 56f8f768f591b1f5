package decide

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// What follows from a change reads the files that it made. Some editors tell of a new one only when the user comes to it, and
// some not even when it is saved: for us it is empty until then, although it was applied. So what follows waits for the disk.

// lookAgain is how long passes between two looks at files of which nobody tells.
const lookAgain = 500 * time.Millisecond

// hasSaved waits until all that a proposal made can be read, and says whether it came to that: not where it is taken back
// meanwhile, or the session ends.
func (d *Decisions) hasSaved(ctx context.Context, id string, req agent.Request) bool {
	for told := false; ; {
		p, ok := d.o.Session.Proposals.Get(id)
		if !ok || p.State != event.ProposalApplied && p.State != event.ProposalPartial {
			return false
		}
		untold := untoldFiles(d.o.Workspace, &p)
		if len(untold) == 0 {
			return true
		}
		if !told {
			told = true
			d.o.Client.ShowMessage(protocol.MessageTypeInfo, fmt.Sprintf("Coauthor: To continue (%s), save %s: your editor reports new files only after you save them.",
				cmp.Or(req.Label, req.Instruction), strings.Join(untold, ", ")))
		}
		select {
		case <-time.After(d.o.Landings.Scaled(lookAgain)):
		case <-ctx.Done():
			return false
		}
	}
}

// untoldFiles are the new files of a proposal that were applied and read as if they were not.
func untoldFiles(ws *workspace.Workspace, p *proposal.Proposal) []string {
	now := ws.Snapshot()
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

// GoOn starts what follows from a turn that has ended, or keeps it until its proposal is decided on.
func (d *Decisions) GoOn(ctx context.Context, turn string) {
	result, err := d.o.Session.Turns.Wait(ctx, turn)
	switch {
	case err != nil || result.Then == nil:
	case result.Proposal == nil:
		d.startNext(ctx, *result.Then)
	default:
		d.following.put(result.Proposal.ID, *result.Then)
		d.Follow(result.Proposal.ID) // it may be decided on already
	}
}

// startNext starts what follows from a turn. The user has not asked for it just now, so that an error is shown.
func (d *Decisions) startNext(ctx context.Context, req agent.Request) {
	if _, err := d.o.Start(req); err != nil && ctx.Err() == nil {
		d.o.Client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
	}
}

// Follow starts what waits for a proposal, when all of it is decided on and some of it was applied. With a proposal that
// is gone it is forgotten.
func (d *Decisions) Follow(id string) {
	p, ok := d.o.Session.Proposals.Get(id)
	if ok && p.Pending() {
		return
	}
	switch p.State {
	case event.ProposalApplied, event.ProposalPartial:
		if req, waits := d.following.take(id); waits {
			d.o.Tasks.Background(func(ctx context.Context) {
				if d.hasSaved(ctx, id, req) {
					d.startNext(ctx, req)
				}
			})
		}
	case event.ProposalDiscarded, event.ProposalUndone, "":
		d.following.take(id)
	case event.ProposalPending, event.ProposalApplying, event.ProposalUnverified, event.ProposalConflict, event.ProposalSuperseded:
	}
}

// following are the requests that follow from proposals which are not decided on yet, by their ids. The zero value is
// ready.
type following struct {
	mu   sync.Mutex
	next map[string]agent.Request // guarded by mu
}

func (f *following) put(id string, r agent.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next == nil {
		f.next = map[string]agent.Request{}
	}
	f.next[id] = r
}

// take returns the request that waits for a proposal, and forgets it.
func (f *following) take(id string) (agent.Request, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, ok := f.next[id]
	delete(f.next, id)
	return r, ok
}
