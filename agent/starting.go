package agent

import (
	"context"
	"slices"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// handoff is what a turn leaves for one that follows it up.
type handoff struct {
	asked          string // by it and the turns that it followed up
	chat, readOnly []string
	pasted         []prompt.Media
	whole          bool            // the model was to write whole files
	baseFiles      []proposal.File // what it went on with; guarded by queue.mu, and dropped when another turn has ended
}

// starting is where a turn sets out, and its request with the files of the turn that it follows up.
type starting struct {
	start
	amended   string          // id of the pending proposal that it goes on with
	baseFiles []proposal.File // what that held
	notes     []event.Note
}

// starting takes over what a followed-up turn worked on: its files, and its proposal while that waits.
func (s *Session) starting(ctx context.Context, r Request, p Ports, row coder.Coder, before *turn) (Request, starting) {
	from := starting{}
	if from.at.Base = p.Snapshot; from.at.Base == nil {
		from.at.Base = s.Workspace.Snapshot()
	}
	from.at.Base = from.at.Base.Within(ctx) // a disk that does not answer does not hold a cancel up
	chosen := s.Chosen.Get()
	from.at.Now, from.added, from.reference = from.at.Base, chosen.Files, chosen.ReadOnly
	from.pages = chosen.Pages
	if before != nil {
		from.at.topic.follows, from.at.Media = before.life.handoff.asked, before.life.handoff.pasted
		r.Files = slices.Concat(r.Files, before.life.handoff.chat)
		r.ReadOnly = slices.Concat(r.ReadOnly, before.life.handoff.readOnly)
		if r.Target == nil && before.resolved.Request.Target != nil {
			r.Target = &Target{Path: before.resolved.Request.Target.Path}
		}
		if proposed := before.life.result.Proposal; proposed != nil && row.Proposes() {
			from.beneath(s.Proposals, before.life.result.Proposals, proposed.ID)
			if r.again == "" {
				from.amend(s.Proposals, &r, proposed.ID)
			}
		}
	}
	if before == nil {
		from.at.topic.earlier = saidBefore(s.Conversation.History, r.again).asked()
	}
	if r.again != "" {
		if t := s.Turns.find(r.again); t != nil && row.Proposes() {
			from.startOver(s.Proposals, &r, t)
		}
	}
	from.at.Note = lastOutcome(s.Conversation.History, s.Proposals, from.amended, r.again)
	return r, from
}

// beneath lays what earlier rounds of a turn proposed under the proposal of its last one, while all of them wait.
func (from *starting) beneath(store *proposal.Store, rounds []proposal.Proposal, last string) {
	if p, ok := store.Get(last); !ok || !p.Pending() {
		return
	}
	for _, round := range rounds {
		if p, ok := store.Get(round.ID); ok && p.ID != last && p.Pending() {
			changes, _ := proposal.OnTop(p.Files, from.at.Now)
			from.at.Now = from.at.Now.With(changes)
		}
	}
	from.at.Now = from.at.Now.Mark()
}

// amend goes on with a proposal while it is pending, on top of what the user has now.
func (from *starting) amend(store *proposal.Store, r *Request, id string) {
	if p, ok := store.Get(id); ok && p.Pending() {
		from.goOnFrom(r, p.ID, p.Files)
	}
}

// startOver sets out where the turn t did whose request is asked again, on what the user has now, and goes on with its proposal
// while that waits.
func (from *starting) startOver(store *proposal.Store, r *Request, t *turn) {
	if t.life.result.Proposal == nil {
		return
	}
	p, ok := store.Get(t.life.result.Proposal.ID)
	if !ok || !p.Pending() || p.Turn != t.id {
		return
	}
	if len(r.baseFiles) > 0 {
		from.goOnFrom(r, p.ID, r.baseFiles)
	}
	from.amended = p.ID
}

// goOnFrom puts what a proposal held on top of what the user has now.
func (from *starting) goOnFrom(r *Request, id string, files []proposal.File) {
	changes, stale := proposal.OnTop(files, from.at.Now)
	for _, path := range stale {
		from.notes = append(from.notes, event.Warning(path+" has edits on the same lines as the pending change, so the model starts from the current text."))
	}
	if len(changes) == 0 {
		return
	}
	from.at.Now, from.amended, from.baseFiles = from.at.Now.With(changes), id, files
	for _, f := range files {
		if f.Listed {
			from.at.edits.listed = append(from.at.edits.listed, f.Path())
		}
	}
	r.Files = slices.DeleteFunc(slices.Clone(r.Files), func(path string) bool { return !from.at.Now.Exists(path) && !from.at.Base.Exists(path) })
	for _, c := range changes {
		switch c.Op {
		case edits.OpDelete:
		case edits.OpRename:
			from.at.Chat = append(from.at.Chat, c.To)
		case edits.OpCreate, edits.OpUpdate:
			from.at.Chat = append(from.at.Chat, c.Path)
		}
	}
}

// lastOutcome says what became of the edits that the model sent last: it cannot see that anywhere
// else, and the files alone do not tell a discarded edit from one that was never made.
func lastOutcome(said *history.History, store *proposal.Store, amends, again string) string {
	x, ok := lastBefore(said, again)
	if !ok || x.Format == "" {
		return ""
	}
	if x.Proposal == "" {
		return "None of your last edits could be applied; the files are unchanged."
	}
	p, ok := store.Get(x.Proposal)
	if !ok {
		return ""
	}
	state := p.State
	if p.Pending() && state == event.ProposalUnverified {
		state = event.ProposalPending // the editor has not told yet
	}
	switch state {
	case event.ProposalPending, event.ProposalConflict, event.ProposalApplying:
		if amends == p.ID {
			return "Your last edits are not applied yet; the files are shown as they will be with them."
		}
		return "Your last edits are not applied yet; the files are shown without them."
	case event.ProposalApplied, event.ProposalUnverified:
		return "Your last edits were applied."
	case event.ProposalPartial:
		return "Your last edits were applied in part; the files show which."
	case event.ProposalDiscarded:
		return "Your last edits were rejected; the files are unchanged."
	case event.ProposalUndone:
		return "Your last edits were applied and taken back again."
	case event.ProposalSuperseded:
	}
	return ""
}

// lastBefore is the last exchange, but the one that is asked for again.
func lastBefore(said *history.History, again string) (history.Exchange, bool) {
	list := said.Done()
	if n := len(list); n > 0 && again != "" && list[n-1].Turn == again {
		list = list[:n-1]
	}
	if len(list) == 0 {
		return history.Exchange{}, false
	}
	return list[len(list)-1], true
}

// earlier is what was said in turns before.
type earlier struct {
	summary history.Summary
	said    []history.Exchange // after what the summary stands for
}

// saidBefore is what was said before a turn, and before the one that it asks again; "" for none.
func saidBefore(h *history.History, again string) (e earlier) {
	e.summary, e.said = h.Sent()
	if n := len(e.said); n > 0 && again != "" && e.said[n-1].Turn == again {
		e.said = slices.Clone(e.said[:n-1])
	}
	return e
}

// mostEarlier is how many requests before this one a map may be drawn for: as far as the request itself says too little.
const mostEarlier = 4

// asked is what was asked in these turns, the newest first.
func (e earlier) asked() (list []string) {
	for _, x := range slices.Backward(e.said) {
		if list = append(list, x.User); len(list) == mostEarlier {
			break
		}
	}
	return list
}
