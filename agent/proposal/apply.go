package proposal

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Apply brings what sel means of a proposal into the user's files: rebased on what they have now,
// written to the journal first, delivered, and checked. A conflict refuses all that was meant,
// changes nothing and leaves the proposal to decide on. With an error, the outcome says what was done
// before it; an empty one means that nothing was sent.
func (s *Store) Apply(ctx context.Context, sel Selector, port Delivery) (Outcome, error) {
	return s.ApplyAs(ctx, sel, How{}, port)
}

// How says in what way a proposal is applied. Its zero value is how Apply does it.
type How struct {
	// Take is for a user who knows where they have changed the same lines, and has chosen what is to stand there. What they
	// change after that is a conflict again.
	Take Take
	// Review is for a user who looks at the change afterwards: what lands of it stands under review. See Review.
	Review bool
}

// ApplyAs is Apply in another way.
func (s *Store) ApplyAs(ctx context.Context, sel Selector, how How, port Delivery) (Outcome, error) {
	end, err := s.book.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer end()
	s.Sent.SettleFrom(port.Current())

	s.book.mu.Lock()
	among := s.book.proposals.among(sel)
	e, parts, err := s.book.proposals.choose(sel)
	if err != nil {
		s.book.mu.Unlock()
		return Outcome{}, err
	}
	run := &run{book: s.book, port: port, op: opApply, turn: e.now.Turn, proposal: e.now.ID, revision: e.now.Revision, label: e.now.Label,
		take: how.Take, review: how.Review}
	for _, part := range parts {
		w, err := e.now.Files[part.file].meant(part.units)
		if err != nil {
			s.book.mu.Unlock()
			return Outcome{}, err
		}
		run.jobs = append(run.jobs, job{change: w, part: &part})
	}
	e.conflict, e.now.Reason = false, ""
	s.book.moved(e.now.State, event.ActionApply, event.ProposalApplying)
	e.now.State = event.ProposalApplying
	p := e.now.clone()
	s.book.mu.Unlock()
	s.book.changed(p)

	err = run.all(ctx)
	out := run.outcome()
	out.Among, out.Meant = among, sel
	out.Meant.Proposal, out.Meant.Revision = p.ID, p.Revision
	s.book.mu.Lock()
	for _, j := range run.jobs {
		if j.state == LandLanded && j.delivery == nil {
			e.now.Files[j.part.file].set(j.part.units, HunkLanded) // it was there already
		}
	}
	e.conflict = out.Status == StatusConflict
	if why := s.book.proposals.missing(&e.now); e.conflict && why != "" {
		out.Reason = why + ": " + out.Reason
	}
	e.now.Reason = out.Reason
	if err != nil {
		e.now.Reason = err.Error()
	}
	s.book.restate(e, event.ActionAnswer)
	if why := e.now.unconfirmed(); out.Status == StatusApplied && why != "" {
		out.Remark = strings.TrimPrefix(out.Remark+"; "+why, "; ")
	}
	p = e.now.clone()
	s.book.mu.Unlock()
	s.book.changed(p)
	return out, err
}

// Do brings changes that the user asked for by name into the files, as Apply does: they are a proposal that nobody is
// asked about. What of it does not land is dropped. begun is told its id before anything happens.
func (s *Store) Do(ctx context.Context, turn, label string, changes []edits.Change, base *workspace.Snapshot, port Delivery, begun func(id string)) (Outcome, error) {
	name, err := id.New(s.book.o.Random, "")
	if err != nil {
		return Outcome{}, err
	}
	files, err := s.book.cut(changes, base)
	if err != nil {
		return Outcome{}, err
	}
	begun(name)
	s.book.mu.Lock()
	s.book.proposals.list = append(s.book.proposals.list, &entry{now: Proposal{
		ID: name, Turn: turn, Root: s.book.root, Label: label, Revision: 1, Shown: 1,
		State: event.ProposalPending, Created: s.book.o.Clock(), Files: files,
	}})
	s.book.forget()
	s.book.mu.Unlock()
	sel := Selector{Proposal: name, Revision: 1}
	out, err := s.Apply(ctx, sel, port)
	if p, ok := s.Get(name); ok && p.Pending() {
		if _, dropped := s.Discard(sel); err == nil {
			err = dropped
		}
	}
	return out, err
}

// unconfirmed says what was sent earlier of a proposal and may have arrived or not; "" for nothing.
func (p *Proposal) unconfirmed() string {
	var list []string
	for i := range p.Files {
		if f := &p.Files[i]; len(f.with(HunkSent)) > 0 {
			list = append(list, f.Path())
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "your editor did not confirm part of the change; check " + strings.Join(list, ", ")
}

// meant returns the change that brings the given units into a text that has those before them.
func (f *File) meant(units []int) (edits.Change, error) {
	c := f.Change
	if c.Op != edits.OpUpdate {
		return c, nil
	}
	there := append(f.with(HunkLanded), f.with(HunkSent)...)
	base, err := edits.ApplyHunks(c.Before, pick(f.Hunks, there))
	if err != nil {
		return edits.Change{}, err
	}
	goal, err := edits.ApplyHunks(c.Before, pick(f.Hunks, append(there, units...)))
	if err != nil {
		return edits.Change{}, err
	}
	return edits.Change{Path: c.Path, Op: edits.OpUpdate, Before: base, After: goal}, nil
}

func pick(hunks []edits.Hunk, numbers []int) []edits.Hunk {
	var list []edits.Hunk
	for _, h := range hunks {
		if slices.Contains(numbers, h.Number) {
			list = append(list, h)
		}
	}
	return list
}
