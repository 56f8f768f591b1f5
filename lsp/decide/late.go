package decide

import (
	"context"
	"sync"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// Some clients tell of what they changed only when the user types next, and say that they did it also
// when the user said no (client.Quirks.ChangesLate). What came of an edit is known with the next message
// about its document: until then nothing is said, and the user can decide again.

// lateOutcomes are those that clients have still to tell of. The zero value is ready.
type lateOutcomes struct {
	mu   sync.Mutex
	open map[string]lateOutcome // guarded by mu; by proposal
}

type lateOutcome struct {
	proposal.Outcome
	meant proposal.Status // what it should come to
}

func (l *lateOutcomes) put(id string, o lateOutcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[string]lateOutcome{}
	}
	l.open[id] = o
}

func (l *lateOutcomes) take(id string) (lateOutcome, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o, ok := l.open[id]
	delete(l.open, id)
	return o, ok
}

// delivered tells the user what became of what was delivered, or has it told when the client tells.
// declined says that the user said no to the client's own question.
func (d *Decisions) delivered(declined bool, out proposal.Outcome, meant proposal.Status) {
	d.late.take(out.Proposal)
	switch {
	case d.o.Client.Quirks.ChangesLate && out.Awaited:
		d.late.put(out.Proposal, lateOutcome{out, meant})
		if p, ok := d.o.Session.Proposals.Get(out.Proposal); ok {
			d.ReportLate(&p) // it may have told in this moment
		}
	case meant == proposal.StatusApplied && out.Status == proposal.StatusConflict && d.conflicted(out):
		d.o.Review().LogOutcome(protocol.MessageTypeWarning, out)
	case meant == proposal.StatusApplied && d.offerOthers(out):
		d.o.Review().LogOutcome(protocol.MessageTypeWarning, out)
	case declined && out.Status == proposal.StatusPending: // by the user, who knows it
	default:
		d.o.Review().Report(out)
	}
}

// ReportLate tells the user of a proposal what was still to be told, once it is known.
func (d *Decisions) ReportLate(p *proposal.Proposal) {
	if p.State == event.ProposalUnverified || p.State == event.ProposalApplying {
		return
	}
	late, ok := d.late.take(p.ID)
	if !ok {
		return
	}
	out := late.Outcome
	out.Status, out.Reason = late.meant, ""
	if late.meant == proposal.StatusUndone {
		if p.State != event.ProposalUndone {
			return
		}
	} else if landed := arrived(&out, p); landed == 0 {
		return // the user said no, and it is pending again
	} else if landed < len(out.Files) {
		out.Status, out.Reason = proposal.StatusPartial, "the editor did not change the other files"
	}
	for i := range out.Files {
		if out.Status != proposal.StatusPartial {
			out.Files[i].State = proposal.LandLanded
		}
	}
	d.o.Review().Report(out)
}

// arrived marks the files of an outcome that a proposal now has landed, and counts them.
func arrived(out *proposal.Outcome, p *proposal.Proposal) int {
	n := 0
	for i := range out.Files {
		f := &out.Files[i]
		f.State, f.Reason = proposal.LandAbsent, ""
		if now, ok := p.File(f.Path); ok && now.Landed() {
			f.State = proposal.LandLanded
			n++
		}
	}
	return n
}

// Told settles what a message of the client about a document decides on.
func (d *Decisions) Told(path string) {
	if !d.o.Session.Proposals.Sent.Unsettled() {
		return
	}
	snap := d.o.Workspace.Snapshot()
	d.o.Tasks.Background(func(context.Context) { d.o.Session.Proposals.Sent.Told(path, snap) })
}
