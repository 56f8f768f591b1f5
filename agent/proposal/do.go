package proposal

import (
	"context"

	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

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
