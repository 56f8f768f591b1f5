package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
)

// What the user has decided is delivered here: this file hands to package deliver what it needs of the
// connection and of a root, as values, and tells what came of it.

// applyPending brings what sel means of a proposal into the client's documents.
func (s *server) applyPending(ctx context.Context, r *rootState, sel proposal.Selector) (proposal.Outcome, error) {
	return s.applyTaking(ctx, r, sel, proposal.TakeNeither)
}

// applyTaking is applyPending for a user who has chosen what is to stand where they have changed the same lines.
func (s *server) applyTaking(ctx context.Context, r *rootState, sel proposal.Selector, take proposal.Take) (proposal.Outcome, error) {
	var o deliver.Options
	if p, err := r.session.Proposals.Find(sel); err == nil {
		if sel.Revision != 0 { // else what was not shown is refused
			if err := s.review(r).Agreed(ctx, &p); err != nil {
				return proposal.Outcome{}, err
			}
		}
		o.Seen = p.Shown == p.Revision
	}
	return s.deliver(r, o, proposal.StatusApplied, func(d proposal.Delivery) (proposal.Outcome, error) {
		return r.session.Proposals.ApplyTaking(ctx, sel, take, d)
	})
}

// undoTurn takes a turn back as a whole; "" is the last one that was applied.
func (s *server) undoTurn(ctx context.Context, r *rootState, turn string) (proposal.Outcome, error) {
	return s.deliver(r, deliver.Options{}, proposal.StatusUndone, func(d proposal.Delivery) (proposal.Outcome, error) {
		return r.session.Proposals.Undo(ctx, turn, d)
	})
}

// redoTurn applies an undone turn again.
func (s *server) redoTurn(ctx context.Context, r *rootState, turn string) (proposal.Outcome, error) {
	return s.deliver(r, deliver.Options{}, proposal.StatusApplied, func(d proposal.Delivery) (proposal.Outcome, error) {
		return r.session.Proposals.Redo(ctx, turn, d)
	})
}

// deliver does what takes a delivery and tells the user what became of it: most editors show no results
// of commands. meant is what it should come to.
func (s *server) deliver(r *rootState, o deliver.Options, meant proposal.Status, do func(proposal.Delivery) (proposal.Outcome, error)) (proposal.Outcome, error) {
	c := s.applier(r, o)
	out, err := do(c)
	if err == nil {
		s.delivered(r, c.Declined(), out, meant)
	}
	return out, err
}

// applier delivers to a root through this client.
func (s *server) applier(r *rootState, o deliver.Options) *deliver.Applier {
	return deliver.New(deliver.Editor{
		Capabilities: *s.client.Caps, Quirks: *s.client.Quirks, Encoding: s.docs.encoding,
		Client: s.client, Open: s.docs.openText, Quiet: s.quiet, Expect: s.docs.keys.expect,
		Landings: &s.delivery.landings, Echoes: &s.docs.echoes, Log: s.log,
	}, deliver.Root{Dir: r.dir, Workspace: r.ws, Asker: s.asker(r), Changed: r.session.FileChanged}, o)
}

// openText is an open document as a delivery sees it.
func (d *documents) openText(uri string) (deliver.Document, bool) {
	doc, open := d.Get(uri)
	if !open {
		return deliver.Document{}, false
	}
	return shown(doc), true
}

// shown is an open document as a delivery and the conversation see it.
func shown(doc *openDocument) deliver.Document {
	return deliver.Document{Document: doc.Document, URI: doc.URI, Uncertain: doc.Uncertain()}
}

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
func (s *server) delivered(r *rootState, declined bool, out proposal.Outcome, meant proposal.Status) {
	s.delivery.late.take(out.Proposal)
	switch {
	case s.client.Quirks.ChangesLate && out.Awaited:
		s.delivery.late.put(out.Proposal, lateOutcome{out, meant})
		if p, ok := r.session.Proposals.Get(out.Proposal); ok {
			s.reportLate(r, &p) // it may have told in this moment
		}
	case meant == proposal.StatusApplied && out.Status == proposal.StatusConflict && s.conflicted(r, out):
		s.review(r).LogOutcome(protocol.MessageTypeWarning, out)
	case meant == proposal.StatusApplied && s.offerOthers(r, out):
		s.review(r).LogOutcome(protocol.MessageTypeWarning, out)
	case declined && out.Status == proposal.StatusPending: // by the user, who knows it
	default:
		s.review(r).Report(out)
	}
}

// reportLate tells the user of a proposal what was still to be told, once it is known.
func (s *server) reportLate(r *rootState, p *proposal.Proposal) {
	if p.State == event.ProposalUnverified || p.State == event.ProposalApplying {
		return
	}
	late, ok := s.delivery.late.take(p.ID)
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
	s.review(r).Report(out)
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

// told settles what a message of the client about a document decides on.
func (s *server) told(r *rootState, path string) {
	if !r.session.Proposals.Unsettled() {
		return
	}
	snap := r.ws.Snapshot()
	s.tasks.Background(func(context.Context) { r.session.Proposals.Told(path, snap) })
}

// A change of which the disk does not allow a file: most clients then leave all of it. The user is told which file it is, and
// can have the others without it.

// The choices about it. The first is safe to be picked by accident.
const leaveAll, takeOthers = "Cancel", "Apply the other files"

// offerOthers has the user asked, beside the caller, whether the files that can be written are to be applied without those
// that cannot. It returns false where there is nothing to ask.
func (s *server) offerOthers(r *rootState, out proposal.Outcome) bool {
	var locked []string
	for _, f := range out.Files {
		if f.Unwritable {
			locked = append(locked, f.Path)
		}
	}
	p, ok := r.session.Proposals.Get(out.Proposal)
	if len(locked) == 0 || !ok || !p.Pending() || len(out.Meant.Hunks) > 0 {
		return false
	}
	others := proposal.Selector{Proposal: p.ID, Revision: p.Revision}
	for i := range p.Files {
		f := &p.Files[i]
		meant := len(out.Meant.Files) == 0 || slices.Contains(out.Meant.Files, f.Path())
		if meant && len(f.Undecided()) > 0 && !slices.Contains(locked, f.Path()) {
			others.Files = append(others.Files, f.Path())
		}
	}
	if len(others.Files) == 0 {
		return false
	}
	return s.tasks.Background(func(ctx context.Context) { s.askOthers(ctx, r, out, others, locked) })
}

func (s *server) askOthers(ctx context.Context, r *rootState, out proposal.Outcome, others proposal.Selector, locked []string) {
	p, _ := r.session.Proposals.Get(out.Proposal)
	what := "Coauthor: " + review.Newest(out.Among, &p) + s.words().Outcome(out, 0)
	limit, cancel := context.WithTimeout(ctx, s.delivery.landings.Scaled(review.DialogTime))
	choice, err := s.client.ShowMessageRequest(limit, protocol.MessageTypeWarning, what+".", []string{leaveAll, takeOthers})
	cancel()
	switch {
	case ctx.Err() != nil:
	case err == nil && choice == takeOthers:
		if _, err := s.applyPending(s.docs.askedNow(ctx), r, others); err != nil && !errors.Is(err, proposal.ErrDecided) {
			s.client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
		}
	case err == nil && choice == leaveAll && !s.client.Quirks.FirstChoiceOnly:
	case err == nil && s.client.Caps.Pending: // it was closed, and the user sees what waits
	case !undecided(r, p.ID): // it was decided in another way meanwhile
	default: // no dialog, or it was closed
		s.client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("%s. To apply the other files, discard %s first.", what, strings.Join(locked, ", ")))
	}
}

// What follows from a change reads the files that it made. Some editors tell of a new one only when the user comes to it, and
// some not even when it is saved: for us it is empty until then, although it was applied. So what follows waits for the disk.

// lookAgain is how long passes between two looks at files of which nobody tells.
const lookAgain = 500 * time.Millisecond

// hasSaved waits until all that a proposal made can be read, and says whether it came to that: not where it is taken back
// meanwhile, or the session ends.
func (s *server) hasSaved(ctx context.Context, r *rootState, id string, req agent.Request) bool {
	for told := false; ; {
		p, ok := r.session.Proposals.Get(id)
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
